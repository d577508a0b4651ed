/**
 * Indexes that begin with the provider's reference: payments are also listed by a reference whose provider is not given. Older
 * code works beside this step.
 */
import type { Migration } from "@paymux/core/store"
import { addIndexes } from "./addIndexes.ts"

const indexes = addIndexes({ id: 10, name: "payments by a provider's reference" }, [
  "operations_of_reference ON operations (reference, provider) WHERE reference IS NOT NULL"
])
const former = "operations_by_reference"

export const references: Migration = {
  ...indexes,
  sqlite: [...indexes.sqlite, `DROP INDEX ${former}`],
  pgAfter: [`DROP INDEX CONCURRENTLY IF EXISTS ${former}`],
  compatibleWith: 9
}
