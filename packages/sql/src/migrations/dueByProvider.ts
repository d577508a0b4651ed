/**
 * Due work by its provider instance: a claim for one instance must not scan the operations that are due at another, which may be
 * hundreds of thousands of rows. These indexes replace the indexes by time alone, so that a write maintains no more indexes than
 * before. Older code works beside this step, without an index.
 */
import type { Migration } from "@paymux/core/store"
import { addIndexes } from "./addIndexes.ts"
import { claimableAt, isOpen } from "./due.ts"

const indexes = addIndexes({ id: 22, name: "due work by provider instance" }, [
  `operations_due ON operations (provider, ${claimableAt}) WHERE ${isOpen}`,
  "provider_inbox_waiting ON provider_inbox (provider, next_try_at) WHERE status = 'waiting'"
])
const former = ["operations_claimable", "provider_inbox_due"]

export const dueByProvider: Migration = {
  ...indexes,
  sqlite: [...indexes.sqlite, ...former.map((index) => `DROP INDEX ${index}`)],
  pgAfter: former.map((index) => `DROP INDEX CONCURRENTLY IF EXISTS ${index}`)
}
