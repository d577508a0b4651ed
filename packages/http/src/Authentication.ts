/**
 * The API-key area: a request reaches its handler with a `CurrentPrincipal`, or is told 401 before its body is read.
 */
import type { Tenant } from "@paymux/core"
import { Context, Effect, Layer } from "effect"
import type { HttpServerResponse } from "effect/http"
import { HttpServerRequest } from "effect/http"
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import { answered } from "./ApiProblem.ts"
import type { RouteError } from "./ApiProblem.ts"
import { ApiKeys } from "./ApiKeys.ts"
import type { Principal } from "./ApiKeys.ts"

/** Whom the request speaks for. */
export class CurrentPrincipal extends Context.Service<CurrentPrincipal, Principal>()(
  "@paymux/http/Authentication/CurrentPrincipal"
) {}

/** Stored data is scoped by account and mode alone: which key asked is not a part of it. */
export const tenantOf = ({ account, livemode }: Principal): Tenant => ({ account, livemode })

export const currentTenant: Effect.Effect<Tenant, never, CurrentPrincipal> = Effect.map(CurrentPrincipal, tenantOf)

export class Authentication extends HttpApiMiddleware.Service<Authentication, { provides: CurrentPrincipal }>()(
  "@paymux/http/Authentication",
  {
    security: {
      apiKey: HttpApiSecurity.bearer.pipe(
        HttpApiSecurity.annotate(OpenApi.Description, "A secret key, for servers only: `pmx_test_…` or `pmx_live_…`."),
        HttpApiSecurity.annotate(OpenApi.Format, "pmx_(test|live)_[0-9A-Za-z]{38}")
      )
    }
  }
) {}

/** Runs `route` for the principal of the request. */
export const authenticated =
  (keys: ApiKeys["Service"]) =>
  <E extends RouteError, R>(route: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    answered(
      Effect.flatMap(principalOf(keys), (principal) => Effect.provideService(route, CurrentPrincipal, principal))
    )

export const authenticationLayer: Layer.Layer<Authentication, never, ApiKeys> = Layer.effect(
  Authentication,
  Effect.map(ApiKeys, (keys) =>
    Authentication.of({
      apiKey: (handled) =>
        Effect.matchEffect(principalOf(keys), {
          onSuccess: (principal) => Effect.provideService(handled, CurrentPrincipal, principal),
          onFailure: (error) => answered(Effect.fail(error))
        })
    })
  )
)

/** `authenticate` is given the header as it came, so that it alone knows its form. */
const principalOf = (keys: ApiKeys["Service"]) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => keys.authenticate(headers["authorization"]))
