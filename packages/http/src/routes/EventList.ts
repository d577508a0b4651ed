/** Lists a page of events as JSON, for `GET /v1/events` and the embedded call. */
import type { Tenant } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import { eventBody, EventJson } from "@paymux/core/wire"
import { Effect, Schema } from "effect"
import { ApiProblem, mapStoreError } from "../problems/ApiProblem.ts"
import type { EventCursors } from "../request/Cursor.ts"
import { eventsQuery } from "../request/EventParameters.ts"
import type { QueryValues } from "../request/QueryParameters.ts"

export const EventListJson = Schema.Struct({
  object: Schema.Literal("list").annotate({ description: "The type of the object." }),
  data: Schema.Array(EventJson).annotate({
    description:
      "In the order of the sequence, each exactly as a webhook delivers it. May be empty although `has_more` is true."
  }),
  has_more: Schema.Boolean.annotate({
    description: "Whether there may be more at once. If not, ask again later, with `next_cursor`."
  }),
  next_cursor: Schema.NullOr(Schema.String).annotate({
    description:
      "The value of `after` for the next page, also on the last page: later events follow it. `null`: there are no events yet."
  })
}).annotate({ identifier: "EventList" })
export type EventListJson = typeof EventListJson.Type

/**
 * Lists a page of events as JSON text. `values` are the parameters of the query. The text contains each event exactly
 * as a webhook delivers it.
 */
export const readEvents = Effect.fnUntraced(function* (tenant: Tenant, values: QueryValues, cursors: EventCursors) {
  const query = yield* eventsQuery(values, tenant, cursors)
  const page = yield* mapStoreError(PaymentStore.use((store) => store.eventsAfter(tenant, query)))
  if (page._tag === "EventNotStored") {
    return yield* new ApiProblem({ code: "event_not_stored", resumeAfter: page.resumeAfter })
  }
  const cursor = page.last === null ? null : cursors.write(tenant, page.last)
  return (
    `{"object":"list","data":[${page.events.map(eventBody).join(",")}],` +
    `"has_more":${String(page.hasMore)},"next_cursor":${JSON.stringify(cursor)}}`
  )
})
