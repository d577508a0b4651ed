import type { Migration } from "@paymux/core/store"

/**
 * Makes a migration that only adds indexes. Each definition has the form `name ON table (columns) WHERE condition`.
 * Older code keeps working after this migration.
 */
export const addIndexes = (
  step: Pick<Migration, "id" | "name">,
  sqlite: ReadonlyArray<string>,
  pg: ReadonlyArray<string> = sqlite
): Migration => ({
  ...step,
  sqlite: sqlite.map((definition) => `CREATE INDEX ${definition}`),
  // `IF NOT EXISTS`, because on a table with millions of rows the index is built before this migration runs: a build
  // within the transaction would block every write to the table.
  pg: pg.map((definition) => `CREATE INDEX IF NOT EXISTS ${definition}`),
  compatibleWith: 2
})
