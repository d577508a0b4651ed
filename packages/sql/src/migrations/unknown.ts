/**
 * Attempts of which nobody knows what became, to be counted while a server runs. Few among many: nothing is written to the
 * index for an attempt that comes to an end.
 */
import type { Migration } from "@paymux/core"

const attemptsUnknown = "attempts_unknown ON attempts (started_at) WHERE status = 'unknown'"

export const unknown: Migration = {
  id: 7,
  name: "attempts that are unknown",
  sqlite: [`CREATE INDEX ${attemptsUnknown}`],
  // Nobody writes an attempt while it is built in a transaction: where there are millions, it was built before.
  pg: [`CREATE INDEX IF NOT EXISTS ${attemptsUnknown}`],
  compatibleWith: 2
}
