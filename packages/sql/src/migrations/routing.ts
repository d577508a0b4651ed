/** What routing learns from: how attempts ended, looked up by when. */
import type { Migration } from "@paymux/core"

// An attempt ends once, so its commit adds one entry; while it is open it has none.
const attemptsEnded = "CREATE INDEX attempts_ended ON attempts (ended_at) WHERE ended_at IS NOT NULL"

export const routing: Migration = {
  id: 3,
  name: "attempts by their end",
  sqlite: [attemptsEnded],
  compatibleWith: 2
}
