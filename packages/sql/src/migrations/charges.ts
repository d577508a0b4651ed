/**
 * The charge that a refund returns, if it is not the first one of its payment. Older code would refund the first charge instead, so
 * older code is not compatible with this step.
 */
import type { Migration } from "@paymux/core/store"

const charge = "ALTER TABLE operations ADD COLUMN charge"

export const charges: Migration = {
  id: 28,
  name: "refunds of further charges",
  sqlite: [`${charge} TEXT`],
  pg: [`${charge} text`]
}
