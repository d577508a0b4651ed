/** What `paymux.events` does: the events that webhooks and `onEvent` deliver, as a log. */
import type { Tenant } from "@paymux/core"
import { eventTypes, PaymentStore } from "@paymux/core/store"
import type { EventId } from "@paymux/core/store"
import { eventBody } from "@paymux/core/wire"
import type { EventJson } from "@paymux/core/wire"
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
  const { types } = query
  if (types !== undefined && (!Array.isArray(types) || types.length === 0)) {
    return yield* PaymentCalls.invalid("/types", "must be a list of event types")
  }
  const misspelt = types?.findIndex((type) => !eventTypes.includes(type)) ?? -1
  if (misspelt >= 0) {
    return yield* PaymentCalls.invalid(`/types/${misspelt}`, `must be one of ${eventTypes.join(", ")}`)
  }
  return yield* listEvents(tenant, { ...query, limit })
})

export const get = Effect.fnUntraced(function* ({ account, livemode }: Tenant, id: string) {
  // Boundary: another text is the id of no event. PostgreSQL refuses one with a NUL.
  if (!/^evt_[0-9a-z]{1,40}$/.test(id)) return null
  const event = yield* PaymentStore.use((store) => store.findEvent(id as EventId))
  if (event === null || event.account !== account || event.livemode !== livemode) return null
  // Boundary: `eventBody` writes the shape of `EventJson`.
  return JSON.parse(eventBody(event)) as EventJson
})
