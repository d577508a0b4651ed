/** The handlers of the event log. */
import type { PaymentStore } from "@paymux/core/store"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import type { SqlClient } from "effect/sql"
import { CurrentTenant } from "../../access/AccessControl.ts"
import { listEvents } from "../../operations/events/listEvents.ts"
import { served } from "../../operations/served.ts"
import { ControlApi } from "../ControlApi.ts"
import { control, missing } from "../controlHandler.ts"
import { findEvent } from "./findEvent.ts"

export const eventsHandlers = HttpApiBuilder.group(ControlApi, "events", (handlers) =>
  Effect.gen(function* () {
    const services = yield* Effect.context<SqlClient.SqlClient | PaymentStore>()
    return handlers.handle("list", served(listEvents, services)).handleRaw("get", ({ params }) =>
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
