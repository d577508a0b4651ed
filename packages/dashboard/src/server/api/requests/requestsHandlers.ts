/** The handlers of the request log. */
import { RequestLog } from "@paymux/http"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { listRequests } from "../../operations/requests/listRequests.ts"
import { served } from "../../operations/served.ts"
import { ControlApi } from "../ControlApi.ts"
import { control, missing } from "../controlHandler.ts"

export const requestsHandlers = HttpApiBuilder.group(ControlApi, "requests", (handlers) =>
  Effect.gen(function* () {
    const log = yield* RequestLog
    const services = yield* Effect.context<RequestLog>()
    return handlers
      .handle("list", served(listRequests, services))
      .handle("get", ({ params }) =>
        control(
          Effect.flatMap(CurrentTenant, (tenant) => log.get(tenant, params.id)).pipe(
            Effect.flatMap((request) => (request === null ? Effect.fail(missing("request")) : Effect.succeed(request)))
          )
        )
      )
  })
)
