/** Reads the events of claimed deliveries, each event once. */
import { PaymentStore } from "@paymux/core/store"
import type { EventId, PaymentEvent } from "@paymux/core/store"
import { Effect } from "effect"
import type { ClaimedDelivery } from "./Delivery.ts"

/**
 * Returns the events by id; `null` if an event was not found. If the batch cannot be read, the events are read one by
 * one, and the unreadable ones are logged and omitted, so that they do not block others.
 */
export const readEvents: (
  claimed: ReadonlyArray<ClaimedDelivery>
) => Effect.Effect<ReadonlyMap<EventId, PaymentEvent | null>, never, PaymentStore> = Effect.fnUntraced(
  function* (claimed) {
    const store = yield* PaymentStore
    const ids = [...new Set(claimed.map(({ eventId }) => eventId))]
    const found = new Map<EventId, PaymentEvent | null>(ids.map((id) => [id, null]))
    if (ids.length === 0) return found
    const readEach = Effect.forEach(
      ids,
      (id) =>
        store.findEvent(id).pipe(
          Effect.map((event) => found.set(id, event)),
          Effect.catchCause((cause) => {
            found.delete(id)
            return Effect.logError("Webhook delivery failed and will be retried", cause)
          })
        ),
      { discard: true }
    )
    yield* store.findEvents(ids).pipe(
      Effect.map((events) => {
        for (const event of events) found.set(event.id, event)
      }),
      Effect.catchCause(() => readEach)
    )
    return found
  }
)
