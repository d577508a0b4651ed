/** What `paymux.events` does: the events that webhooks and `onEvent` deliver, as a log. */
import type { Tenant } from "@paymux/core"
import type { EventType } from "@paymux/core/store"
import { InvalidPayment, paymentError } from "@paymux/core/wire"
import type { EventJson } from "@paymux/core/wire"
import { findEvent } from "@paymux/dashboard"
import { eventCursors, readEvents } from "@paymux/http"
import type { EventListJson } from "@paymux/http"
import type { EventPage, EventQuery } from "@paymux/sql"
import { Data, Effect } from "effect"
import * as PaymentCalls from "./PaymentCalls.ts"
import { Installation } from "./secrets/Installation.ts"

export interface EventOperations {
  /** Newest first, without the bodies; 20 unless `limit` says otherwise (at most 1000). */
  readonly list: (query?: Partial<EventQuery>) => Promise<EventPage>
  /** The body of an event, as it is delivered. `null`: this account and mode has no such event. */
  readonly get: (id: string) => Promise<EventJson | null>
  /** A page in the order of the sequence, with the bodies. Its `next_cursor` is the `after` of the next one, and misses no event. */
  readonly read: (query?: ReadEvents) => Promise<EventListJson>
}

/** As in the query of `GET /v1/events`. */
export interface ReadEvents {
  /** A `next_cursor`, or the id of an event. */
  readonly after?: string
  readonly types?: ReadonlyArray<EventType>
  /** `pay_…` */
  readonly payment?: string
  /** 1 to 100, by default 20. */
  readonly limit?: number
}

/** The event of `after` was deleted, or the database was restored to a moment before it. */
class EventNotStored extends Data.TaggedError("EventNotStored")<{
  /** The `after` with which nothing that is still stored is missed; `null`: without `after`. */
  readonly resumeAfter: string | null
}> {
  override get message(): string {
    return "The event of `after` is not stored any more. Continue with `resumeAfter`."
  }
}

export const get = Effect.fnUntraced(function* (tenant: Tenant, id: string) {
  const body = yield* findEvent(tenant, id)
  // Boundary: the text is an `EventJson`.
  return body === null ? null : (JSON.parse(body) as EventJson)
})

export const read = Effect.fnUntraced(function* (tenant: Tenant, query: ReadEvents) {
  yield* PaymentCalls.asOptions(query)
  const values = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((each) => [name, String(each)] as const)
  )
  const body = yield* readEvents(tenant, values, eventCursors((yield* Installation).keys.returns)).pipe(
    Effect.catchTag("ApiProblem", ({ errors = [], resumeAfter }) =>
      Effect.fail(
        resumeAfter === undefined ? paymentError(new InvalidPayment({ errors })) : new EventNotStored({ resumeAfter })
      )
    )
  )
  // Boundary: the text is an `EventListJson`.
  return JSON.parse(body) as EventListJson
})
