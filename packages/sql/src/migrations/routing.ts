/** What routing learns from: how attempts ended, looked up by when. */
import type { Migration } from "@paymux/core"

// An attempt ends once, so its commit adds one entry; while it is open it has none.
const attemptsEnded = "attempts_ended ON attempts (ended_at) WHERE ended_at IS NOT NULL"

export const routing: Migration = {
  id: 3,
  name: "attempts by their end",
  sqlite: [`CREATE INDEX ${attemptsEnded}`],
  // Nobody writes an attempt while it is built in a transaction: where there are millions, it was built before.
  pg: [`CREATE INDEX IF NOT EXISTS ${attemptsEnded}`],
  compatibleWith: 2
}
