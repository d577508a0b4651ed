import type { Migration } from "@paymux/core/store"

/** A step that adds indexes and nothing else: `name ON table (columns) WHERE condition` each. Older code works on beside it. */
export const addIndexes = (
  step: Pick<Migration, "id" | "name">,
  sqlite: ReadonlyArray<string>,
  pg: ReadonlyArray<string> = sqlite
): Migration => ({
  ...step,
  sqlite: sqlite.map((definition) => `CREATE INDEX ${definition}`),
  // Nobody writes to the table while one is built in a transaction: where there are millions, it was built before.
  pg: pg.map((definition) => `CREATE INDEX IF NOT EXISTS ${definition}`),
  compatibleWith: 2
})
