/** Deletes old transitions of circuit breakers, a few at a time. Any number of processes may run it at once. */
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql"

/** Deletes the transitions that are older than `keepFor` ms. Returns the number of deleted transitions. */
export const pruneTransitions = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, keepFor: number) {
  const before = (yield* Clock.currentTimeMillis) - keepFor
  let total = 0
  for (let pruned = batch; pruned === batch; total += pruned) {
    const rows = yield* sql`DELETE FROM breaker_transitions WHERE id IN (
      SELECT id FROM breaker_transitions WHERE at < ${before} ORDER BY at LIMIT ${batch}) RETURNING id`
    pruned = rows.length
    if (pruned === batch) yield* Effect.sleep(pause)
  }
  return total
})

/** The maximum number of rows that one transaction deletes: a payment then waits for a few ms only. */
const batch = 500
/** The pause between two transactions, ms. */
const pause = 20
