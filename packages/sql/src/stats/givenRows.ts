/**
 * Rows that a statement reads as a set: on PostgreSQL one parameter of JSON, on SQLite bound values, which take half of the
 * CPU time of JSON. The texts are few, so that each is prepared once.
 */
import type { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"

/** The names of the columns, and their types on PostgreSQL. */
export type GivenColumns = ReadonlyArray<readonly [name: string, type: "text" | "bigint" | "boolean"]>

/** The values of the columns. */
export type GivenRow = ReadonlyArray<string | number | boolean>

/** Makes a statement for each part of the rows. Each statement begins with the fragment, which defines `given`. */
export const statementsOn = <A>(
  sql: SqlClient.SqlClient,
  columns: GivenColumns,
  rows: ReadonlyArray<GivenRow>,
  statement: (given: Fragment) => Effect.Effect<A, SqlError>
): ReadonlyArray<Effect.Effect<A, SqlError>> =>
  sql.onDialectOrElse({
    pg: () => partsOf(rows, () => rowsOfJson).map((part) => statement(fromJson(sql, columns, part))),
    orElse: () =>
      partsOf(rows, (left) => valuesSizes.find((size) => size <= left) ?? 1).map((part) =>
        statement(fromValues(sql, columns, part))
      )
  })

const fromJson = (sql: SqlClient.SqlClient, columns: GivenColumns, rows: ReadonlyArray<GivenRow>): Fragment => {
  const json = JSON.stringify(rows.map((row) => Object.fromEntries(columns.map(([name], n) => [name, row[n]]))))
  const definitions = sql.literal(columns.map(([name, type]) => `${name} ${type}`).join(", "))
  // The condition is always true. With it PostgreSQL estimates one row instead of 100, and uses the primary key.
  return sql`WITH given AS (
    SELECT * FROM json_to_recordset(${json}::json) AS given (${definitions}) WHERE start % 1 = 0)`
}

const fromValues = (sql: SqlClient.SqlClient, columns: GivenColumns, rows: ReadonlyArray<GivenRow>): Fragment => {
  const names = columns.map(([name]) => name).join(", ")
  const row = `(${columns.map(() => "?").join(", ")})`
  return sql.unsafe(`WITH given (${names}) AS (VALUES ${rows.map(() => row).join(", ")})`, rows.flat())
}

const rowsOfJson = 1_000

/** As few parts as these sizes allow. */
const valuesSizes = [100, 10, 1]

const partsOf = <A>(rows: ReadonlyArray<A>, sizeOf: (left: number) => number): ReadonlyArray<ReadonlyArray<A>> => {
  const parts: Array<ReadonlyArray<A>> = []
  for (let from = 0; from < rows.length;) {
    const size = sizeOf(rows.length - from)
    parts.push(rows.slice(from, from + size))
    from += size
  }
  return parts
}
