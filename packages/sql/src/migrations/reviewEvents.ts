/**
 * Allows events of reviews, and adds the PostgreSQL function that checks whether a reference is taken. Older code
 * cannot read these events and does not call the function, so older code is not compatible with this step.
 */
import type { Migration } from "@paymux/core/store"
import { referenceIsTaken } from "./referenceIsTaken.ts"

const review = "ALTER TABLE payment_events ADD COLUMN review"

export const reviewEvents: Migration = {
  id: 9,
  name: "events of reviews, references that are taken",
  sqlite: [`${review} TEXT`],
  pg: [`${review} text`, referenceIsTaken]
}
