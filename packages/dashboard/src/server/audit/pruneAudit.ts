/** Deletes old entries of the audit log, a few at a time. Any number of processes may run it at once. */
import type { StoreUnavailable } from "@paymux/core/store"
import { Clock, Effect } from "effect"
import { AuditLog } from "./AuditLog.ts"

/** Deletes what was written more than `keepFor` ms ago. Returns the number of entries. */
export const pruneAudit: (keepFor: number) => Effect.Effect<number, StoreUnavailable, AuditLog> = Effect.fnUntraced(
  function* (keepFor) {
    const log = yield* AuditLog
    const before = (yield* Clock.currentTimeMillis) - keepFor
    let total = 0
    for (let pruned = batch; pruned === batch; total += pruned) {
      pruned = yield* log.prune(before, batch)
      if (pruned === batch) yield* Effect.sleep(pause)
    }
    return total
  }
)

/** Rows in a transaction, so that a payment waits for a few ms at most. */
const batch = 500
/** ms */
const pause = 20
