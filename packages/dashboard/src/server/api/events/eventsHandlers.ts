/** The handlers of the event log. */
import type { PaymentStore } from "@paymux/core/store"
import { listEvents } from "@paymux/sql"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import type { SqlClient } from "effect/sql"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { ControlApi } from "../ControlApi.ts"
import { control, invalidCursor, missing } from "../controlHandler.ts"
import { defaultLimit } from "../fields.ts"
import { findEvent } from "./findEvent.ts"

export const eventsHandlers = HttpApiBuilder.group(ControlApi, "events", (handlers) =>
  Effect.gen(function* () {
    const services = yield* Effect.context<SqlClient.SqlClient | PaymentStore>()
    return handlers
      .handle("list", ({ query }) =>
        control(
          Effect.flatMap(CurrentTenant, (tenant) => listEvents(tenant, { limit: defaultLimit, ...query })).pipe(
            Effect.map(({ events, next }) => ({ data: events, next })),
            Effect.catchTag("EventCursorInvalid", invalidCursor),
            Effect.provideContext(services)
          )
        )
      )
      .handleRaw("get", ({ params }) =>
        control(
          Effect.gen(function* () {
            const body = yield* findEvent(yield* CurrentTenant, params.id)
            if (body === null) return yield* missing("event")
            return HttpServerResponse.text(body, { contentType: "application/json" })
          }).pipe(Effect.provideContext(services))
        )
      )
  })
)
