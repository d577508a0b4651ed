/**
 * Index of open operations by the time from which they may be claimed. With an index on the time of their next check alone, a
 * claim scans all operations that other processes have claimed: 43 ms for 100,000 operations. Older code works beside this step,
 * without an index.
 */
import type { Migration } from "@paymux/core/store"
import { addIndexes } from "./addIndexes.ts"

/**
 * The SQL for the time from which an operation may be claimed, ms UTC. Both databases accept this text; a query repeats
 * it verbatim.
 */
export const claimableAt = "(CASE WHEN claimed_until > next_check_at THEN claimed_until ELSE next_check_at END)"

/**
 * The condition of due operations, and of those that a dead engine may have left in `sending`: a query names it to use the index.
 */
export const isOpen = "(next_check_at IS NOT NULL OR status = 'sending')"

const indexes = addIndexes({ id: 19, name: "operations by when they may be claimed" }, [
  `operations_claimable ON operations (${claimableAt}) WHERE ${isOpen}`
])
const former = "operations_open"

export const due: Migration = {
  ...indexes,
  sqlite: [...indexes.sqlite, `DROP INDEX ${former}`],
  pgAfter: [`DROP INDEX CONCURRENTLY IF EXISTS ${former}`]
}
