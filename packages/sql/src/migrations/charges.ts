/**
 * Adds the column for the charge that a refund returns, if it is not the first charge of its payment. Older code would
 * refund the first charge instead, so it is not compatible with this migration.
 */
import type { Migration } from "@paymux/core/store"

const charge = "ALTER TABLE operations ADD COLUMN charge"

export const charges: Migration = {
  id: 28,
  name: "refunds of further charges",
  sqlite: [`${charge} TEXT`],
  pg: [`${charge} text`]
}
