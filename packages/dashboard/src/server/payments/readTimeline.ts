/**
 * Reads a page of a payment's timeline: of each log at most a page. The database sorts the log of the payment for it, and other
 * work runs between two logs: a payment with 5,000 events and 20,000 delivery attempts must not delay the payments of others.
 */
import type { PaymentId, Tenant } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import type { StoreUnavailable } from "@paymux/core/store"
import { paymentEvents, paymentEvidence } from "@paymux/sql"
import { paymentDeliveries, paymentDeliveryAttempts } from "@paymux/webhooks"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { beginning, placeIn, readTimelineCursor, TimelineCursorInvalid, timelinePage } from "./paymentTimeline.ts"
import type { TimelinePage, TimelineQuery } from "./paymentTimeline.ts"

export const mostOfTimeline = 500
export const defaultOfTimeline = 100

/** `null`: this account and mode has no such payment. */
export const readTimeline = Effect.fnUntraced(function* (
  tenant: Tenant,
  id: PaymentId,
  { after, limit }: TimelineQuery
): Effect.fn.Return<TimelinePage | null, TimelineCursorInvalid | StoreUnavailable, PaymentStore | SqlClient.SqlClient> {
  const place = after === undefined ? beginning : readTimelineCursor(after)
  if (place === null) return yield* new TimelineCursorInvalid()
  const record = yield* PaymentStore.use((store) => store.find(tenant, id))
  if (record === null) return null
  const rangeOf = (log: Parameters<typeof placeIn>[0]) => ({ after: placeIn(log, place), limit: limit + 1 })
  const parts = yield* Effect.all({
    evidence: inTurn(paymentEvidence(id, rangeOf("evidence"))),
    events: inTurn(paymentEvents(id, rangeOf("event"))),
    deliveries: inTurn(paymentDeliveries(id, rangeOf("delivery"))),
    attempts: inTurn(paymentDeliveryAttempts(id, rangeOf("delivery_attempt")))
  })
  yield* Effect.yieldNow
  return timelinePage({ record, ...parts }, place, limit)
})

const inTurn = <A, E, R>(read: Effect.Effect<A, E, R>) => Effect.andThen(Effect.yieldNow, read)
