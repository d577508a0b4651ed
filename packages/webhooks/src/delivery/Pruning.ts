/**
 * Deletes finished deliveries after their retention period, in small batches. Several processes may run it at the same
 * time.
 */
import type { StoreUnavailable } from "@paymux/core/store"
import { Clock, Effect } from "effect"
import { WebhookDeliveries } from "./Deliveries.ts"
import type { Pruned } from "./Delivery.ts"

/** Deletes deliveries that ended more than `keepFor` ms ago. Returns the number of deleted deliveries. */
export const pruneOnce: (keepFor: number) => Effect.Effect<number, StoreUnavailable, WebhookDeliveries> =
  Effect.fnUntraced(function* (keepFor) {
    const deliveries = yield* WebhookDeliveries
    const endedBefore = (yield* Clock.currentTimeMillis) - keepFor
    let total = 0
    let after: number | null = 0
    while (after !== null) {
      const { next, removed }: Pruned = yield* deliveries.prune({ after, limit: stretch, endedBefore })
      total += removed
      after = next
      if (next !== null) yield* Effect.sleep(pause)
    }
    return total
  })

/** The number of rows examined per batch. A payment waits for one batch at most, a few ms on SQLite. */
const stretch = 100
/** The pause between batches, ms. */
const pause = 20
