/** The handlers of the request log. */
import { RequestLog } from "@paymux/http"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { ControlApi } from "../ControlApi.ts"
import { control, invalidCursor, missing } from "../controlHandler.ts"
import { defaultLimit } from "../fields.ts"

export const requestsHandlers = HttpApiBuilder.group(ControlApi, "requests", (handlers) =>
  Effect.map(RequestLog, (log) =>
    handlers
      .handle("list", ({ query }) =>
        control(
          Effect.flatMap(CurrentTenant, (tenant) => log.list(tenant, { limit: defaultLimit, ...query })).pipe(
            Effect.map(({ next, requests }) => ({ data: requests, next })),
            Effect.catchTag("RequestCursorInvalid", invalidCursor)
          )
        )
      )
      .handle("get", ({ params }) =>
        control(
          Effect.flatMap(CurrentTenant, (tenant) => log.get(tenant, params.id)).pipe(
            Effect.flatMap((request) => (request === null ? Effect.fail(missing("request")) : Effect.succeed(request)))
          )
        )
      )
  )
)
