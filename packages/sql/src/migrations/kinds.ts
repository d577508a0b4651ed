/**
 * Two indexes of payments in place of five. The first serves lists by provider, rail and currency, alone or combined:
 * see `lists/kinds.ts`. The second replaces the index by status, and leaves out the status with which most payments
 * end. Nothing has read the index by creation time since lists by time scan the ids.
 *
 * Older code works beside this step: until it is replaced, its lists by these filters test the payments one by one.
 */
import type { Migration } from "@paymux/core/store"
import { addIndexes } from "./addIndexes.ts"

export const byKind = "payments_by_kind"

/** The condition of the index by status: a query names it to use the index. */
export const hasNotSucceeded = "status <> 'succeeded'"

const indexes = addIndexes({ id: 31, name: "payments by provider, rail and currency" }, [
  `${byKind} ON payments (account, livemode, provider, rail, currency, id)`,
  `payments_not_succeeded ON payments (account, livemode, status, id) WHERE ${hasNotSucceeded}`
])

const former = ["status", "rail", "currency", "provider", "created"].map((name) => `payments_by_${name}`)

export const kinds: Migration = {
  ...indexes,
  sqlite: [...indexes.sqlite, ...former.map((index) => `DROP INDEX ${index}`)],
  pgAfter: former.map((index) => `DROP INDEX CONCURRENTLY IF EXISTS ${index}`)
}
