/**
 * Stored sums, page by page of a bounded number of rows: however many providers, currencies and failure codes an hour
 * has, a statement takes a few ms, and other work runs before the next statement. Rows of one hour or day are read
 * together if a page holds them all.
 */
import type { Tenant } from "@paymux/core"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { numeral, text } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import { keys, lastRowStatement } from "./queryStatements.ts"
import type { Key, Page, SumsTable } from "./queryStatements.ts"
import type { Stretch, TotalsQuery } from "./StatisticsQuery.ts"

const rowsOfPage = (sql: SqlClient.SqlClient, table: SumsTable): number =>
  sql.onDialectOrElse({
    // The PostgreSQL server reads the rows and returns them packed, so larger pages save round trips.
    pg: () => ({ counts: 5_000, durations: 2_000 }),
    orElse: () => ({ counts: 1_000, durations: 500 })
  })[table]

export const forEachPage = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  tenant: Tenant,
  query: TotalsQuery,
  table: SumsTable,
  { from, step, until }: Stretch,
  use: (page: Page) => Effect.Effect<void, SqlError>
) {
  const end = beforeStart(table, until)
  let after = beforeStart(table, from)
  while (true) {
    const rest = { step, after, last: end }
    const [row] = yield* lastRowStatement(sql, tenant, query, table, rest, rowsOfPage(sql, table))
    const last = row === undefined ? end : lastOf(table, after, row)
    yield* use({ step, after, last })
    yield* Effect.yieldNow
    if (row === undefined) return
    after = last
  }
})

/** A key that sorts before every row that starts at `start`, and after every row that starts earlier. */
const beforeStart = (table: SumsTable, start: number): Key => [start - 1, ...keys[table].slice(1).map(() => "")]

/**
 * The key after which the next page begins: the end of the last hour or day whose rows are all on this page or, if one
 * hour or day has too many rows for a page, the last row.
 */
const lastOf = (table: SumsTable, after: Key, row: Row): Key => {
  const start = numeral(row, "start")
  if (start - 1 > after[0]) return beforeStart(table, start)
  return [start, ...keys[table].slice(1).map((column) => text(row, column))]
}
