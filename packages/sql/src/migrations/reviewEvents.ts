/** Events of reviews. Older code cannot read them, so it is not compatible with this step. */
import type { Migration } from "@paymux/core/store"

const review = "ALTER TABLE payment_events ADD COLUMN review"

export const reviewEvents: Migration = {
  id: 9,
  name: "events of reviews",
  sqlite: [`${review} TEXT`],
  pg: [`${review} text`]
}
