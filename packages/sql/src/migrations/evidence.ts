/**
 * Adds, on PostgreSQL, an index of a payment's evidence in the order recorded. SQLite does not need it: every index
 * there ends with the rowid, which is the position.
 */
import type { Migration } from "@paymux/core/store"
import { addIndexes } from "./addIndexes.ts"

const former = "evidence_by_payment"

export const evidence: Migration = {
  ...addIndexes(
    { id: 18, name: "evidence of a payment in order" },
    [],
    ["evidence_of_payment ON evidence (payment_id, position)"]
  ),
  pgAfter: [`DROP INDEX CONCURRENTLY IF EXISTS ${former}`]
}
