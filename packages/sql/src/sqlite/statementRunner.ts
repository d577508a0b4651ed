/** Runs statements on SQLite: each write is a unit of the group commit. */
import type { StoreUnavailable } from "@paymux/core/store"
import type { Effect } from "effect"
import type { StatementSync } from "node:sqlite"
import type { StatementRunner, StatementText } from "../dialect/Fragments.ts"
import type { Row } from "../rows/ReadRow.ts"
import { sqliteDialect, sqliteStatement } from "./sqliteDialect.ts"

export interface Prepares {
  readonly prepare: (sql: string) => StatementSync
}

/** Runs synchronous work on the store's database, as effects. */
export interface SqliteAccess extends Prepares {
  readonly write: <A>(work: (database: Prepares) => A) => Effect.Effect<A, StoreUnavailable>
  readonly read: <A>(work: () => A) => Effect.Effect<A, StoreUnavailable>
}

export const statementRunner = ({ prepare, read, write }: SqliteAccess): StatementRunner => ({
  sql: sqliteDialect,
  read: (text) => read(() => rowsOf({ prepare }, text)),
  write: (text) => write((database) => rowsOf(database, text)),
  together: (first, ...others) =>
    write((database) => {
      if (rowsOf(database, first).length === 0) return false
      for (const text of others) rowsOf(database, text)
      return true
    })
})

/** The rows that a statement returns. */
export const rowsOf = ({ prepare }: Prepares, text: StatementText): ReadonlyArray<Row> => {
  const { sql, values } = sqliteStatement(text)
  return prepare(sql).all(values)
}
