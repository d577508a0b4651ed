/**
 * Adds events of disputes. Older code cannot read these events, nor entries of lost disputes, so older code is not compatible
 * with this step.
 */
import type { Migration } from "@paymux/core/store"

const dispute = "ALTER TABLE payment_events ADD COLUMN dispute"

export const disputes: Migration = {
  id: 27,
  name: "events of disputes",
  sqlite: [`${dispute} TEXT`],
  pg: [`${dispute} text`]
}
