import type { Migration } from "@paymux/core/store"

/**
 * A step that adds indexes and nothing else: `name ON table (columns) WHERE condition` each. Older code keeps working after this
 * step.
 */
export const addIndexes = (
  step: Pick<Migration, "id" | "name">,
  sqlite: ReadonlyArray<string>,
  pg: ReadonlyArray<string> = sqlite
): Migration => ({
  ...step,
  sqlite: sqlite.map((definition) => `CREATE INDEX ${definition}`),
  // An index build in a transaction blocks every write to the table: where there are millions of rows, the index was built
  // before.
  pg: pg.map((definition) => `CREATE INDEX IF NOT EXISTS ${definition}`),
  compatibleWith: 2
})
