/** The routes of the control API, with access control around each. */
import { endpointRoute } from "@paymux/http"
import type { KnownRoute } from "@paymux/http"
import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { accessLayer } from "../access/AccessControl.ts"
import type { AccessOptions } from "../access/AccessControl.ts"
import { ControlApi } from "./ControlApi.ts"
import { controlEndpoints } from "./controlApiDocument.ts"
import { auditHandlers } from "./audit/auditHandlers.ts"
import { breakersHandlers } from "./breakers/breakersHandlers.ts"
import { deliveriesHandlers } from "./deliveries/deliveriesHandlers.ts"
import { disputesHandlers } from "./disputes/disputesHandlers.ts"
import { endpointsHandlers } from "./endpoints/endpointsHandlers.ts"
import { eventsHandlers } from "./events/eventsHandlers.ts"
import { keysHandlers } from "./keys/keysHandlers.ts"
import { paymentsHandlers } from "./payments/paymentsHandlers.ts"
import { refundsHandlers } from "./refunds/refundsHandlers.ts"
import { requestsHandlers } from "./requests/requestsHandlers.ts"
import { statementsHandlers } from "./statements/statementsHandlers.ts"
import { statisticsHandlers } from "./statistics/statisticsHandlers.ts"
import { providersHandlers } from "./providers/providersHandlers.ts"
import { reportsHandlers } from "./reports/reportsHandlers.ts"
import { reviewsHandlers } from "./reviews/reviewsHandlers.ts"
import { rulesHandlers } from "./rules/rulesHandlers.ts"
import { sessionHandlers } from "./session/sessionHandlers.ts"
import { signInHandlers } from "./session/signInHandlers.ts"
import { teamHandlers } from "./team/teamHandlers.ts"
import { systemHandlers } from "./system/systemHandlers.ts"

/** Adds the routes to the router. An endpoint without a permission is a defect at the start. */
export const controlApiLayer = (options: AccessOptions) =>
  HttpApiBuilder.layer(ControlApi).pipe(
    Layer.provide([
      keysHandlers,
      endpointsHandlers,
      paymentsHandlers,
      refundsHandlers,
      eventsHandlers,
      deliveriesHandlers,
      reviewsHandlers,
      disputesHandlers,
      reportsHandlers,
      statementsHandlers,
      auditHandlers,
      requestsHandlers,
      statisticsHandlers,
      breakersHandlers,
      providersHandlers,
      rulesHandlers,
      teamHandlers,
      signInHandlers,
      sessionHandlers(options),
      systemHandlers
    ]),
    Layer.provide(accessLayer(options)),
    // HttpApi asks for what uploads and files would need; nothing here uses them.
    Layer.provide(HttpServer.layerServices),
    Layer.provide(Layer.effectDiscard(everyEndpointHasARule))
  )

const everyEndpointHasARule = Effect.suspend(() => {
  const open = controlEndpoints().filter(({ permission }) => permission === undefined)
  return open.length === 0
    ? Effect.void
    : Effect.die(new Error(`No permission: ${open.map(({ group, name }) => `${group}.${name}`).join(", ")}`))
})

/** For the edge: other methods at these addresses get 405 instead of 404. */
export const controlRoutes: ReadonlyArray<KnownRoute> = Object.values(ControlApi.groups).flatMap((group) =>
  Object.values(group.endpoints).map(endpointRoute)
)
