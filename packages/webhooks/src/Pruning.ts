/**
 * Deliveries that ended are kept for a time, for whoever looks them up or sends them again; then they go, a few at a time.
 * On any number of processes: what one has removed, the others do not find.
 */
import type { StoreUnavailable } from "@paymux/core/store"
import { Clock, Effect } from "effect"
import { WebhookDeliveries } from "./Deliveries.ts"
import type { Pruned } from "./Delivery.ts"

/** Removes what ended more than `keepFor` ms ago. Returns how many they were. */
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

/** How many are looked at in one go: a payment waits for no more than their removal, which on SQLite takes some ms. */
const stretch = 100
/** ms between two of them. */
const pause = 20
