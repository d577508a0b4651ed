/** Deletes sessions, links and limits that have ended, a few at a time. Any number of processes may run it at once. */
import type { StoreUnavailable } from "@paymux/core/store"
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { pruneTokens } from "./OneTimeTokens.ts"
import { orUnavailable } from "./orUnavailable.ts"
import { Sessions } from "./Sessions.ts"
import { pruneLimits } from "./SignInLimits.ts"

/** `keepLinksFor`: ms for which it stays known who used which invitation. Returns the number of rows. */
export const prunePeople: (
  keepLinksFor: number
) => Effect.Effect<number, StoreUnavailable, Sessions | SqlClient.SqlClient> = Effect.fnUntraced(
  function* (keepLinksFor) {
    const now = yield* Clock.currentTimeMillis
    const sessions = yield* Sessions
    return (
      (yield* inBatches(sessions.prune(batch))) +
      (yield* inBatches(orUnavailable(pruneTokens(now - keepLinksFor, batch)))) +
      (yield* inBatches(pruneLimits(now, batch)))
    )
  }
)

const inBatches = Effect.fnUntraced(function* <E, R>(pruneBatch: Effect.Effect<number, E, R>) {
  let total = 0
  for (let pruned = batch; pruned === batch; total += pruned) {
    pruned = yield* pruneBatch
    if (pruned === batch) yield* Effect.sleep(pause)
  }
  return total
})

/** Rows in a transaction, so that a payment waits for a few ms at most. */
const batch = 500
/** ms */
const pause = 20
