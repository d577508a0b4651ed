/** What `paymux.events` does: the events that webhooks and `onEvent` deliver, as a log. */
import type { Tenant } from "@paymux/core"
import type { EventJson } from "@paymux/core/wire"
import { findEvent } from "@paymux/dashboard"
import { listEvents } from "@paymux/sql"
import type { EventPage, EventQuery } from "@paymux/sql"
import { Effect } from "effect"
import * as PaymentCalls from "./PaymentCalls.ts"

export interface EventOperations {
  /** Newest first, without the bodies; 20 unless `limit` says otherwise (at most 1000). */
  readonly list: (query?: Partial<EventQuery>) => Promise<EventPage>
  /** The body of an event, as it is delivered. `null`: this account and mode has no such event. */
  readonly get: (id: string) => Promise<EventJson | null>
}

export const list = Effect.fnUntraced(function* (tenant: Tenant, query: Partial<EventQuery>) {
  yield* PaymentCalls.onlyKnown(query, ["types", "paymentId", "from", "until", "after", "limit"])
  const limit = yield* PaymentCalls.asLimit(query.limit)
  for (const name of ["from", "until"] as const) yield* PaymentCalls.asTime(query[name], `/${name}`)
  for (const name of ["paymentId", "after"] as const) yield* PaymentCalls.asText(query[name], `/${name}`)
  yield* PaymentCalls.asEventTypes(query.types, "/types")
  return yield* listEvents(tenant, { ...query, limit })
})

export const get = Effect.fnUntraced(function* (tenant: Tenant, id: string) {
  const body = yield* findEvent(tenant, id)
  // Boundary: the text is an `EventJson`.
  return body === null ? null : (JSON.parse(body) as EventJson)
})
