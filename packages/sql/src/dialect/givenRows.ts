/**
 * Rows that a statement reads as a table. PostgreSQL gets them as one JSON parameter. SQLite gets them as bound values,
 * which take half of the CPU time of JSON. Only a few row counts are used, so each SQL text is prepared once.
 */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { addColumns, definitions, jsonOf } from "../rows/jsonRows.ts"
import { valuesOf } from "../rows/Column.ts"
import type { Columns } from "../rows/Column.ts"

/**
 * Splits the rows into batches and makes a statement for each. Each statement begins with the fragment, which defines
 * the table `given`.
 */
export const statementsOn = <A, B>(
  sql: SqlClient.SqlClient,
  columns: Columns<A>,
  rows: ReadonlyArray<A>,
  statement: (given: Fragment) => Effect.Effect<B, SqlError>
): ReadonlyArray<Effect.Effect<B, SqlError>> => {
  const { given, sizes } = sql.onDialectOrElse({
    pg: () => ({ given: fromJson, sizes: [rowsOfJson] }),
    orElse: () => ({ given: fromValues, sizes: valuesSizes })
  })
  const statements: Array<Effect.Effect<B, SqlError>> = []
  for (let from = 0; from < rows.length;) {
    const size = sizes.find((most) => most <= rows.length - from) ?? sizes.at(-1) ?? 1
    statements.push(statement(given(sql, columns, rows.slice(from, from + size))))
    from += size
  }
  return statements
}

/** Inserts rows, with a clause for conflicts. */
export const insertRows = <A>(
  sql: SqlClient.SqlClient,
  table: string,
  columns: Columns<A>,
  rows: ReadonlyArray<A>,
  onConflict: string
): Effect.Effect<void, SqlError> => {
  const insert = sql.literal(
    `INSERT INTO ${table} (${columns.names}) SELECT ${columns.names} FROM given WHERE true ${onConflict}`
  )
  return Effect.all(
    statementsOn(sql, columns, rows, (given) => sql`${given} ${insert}`),
    { discard: true }
  )
}

type Given = <A>(sql: SqlClient.SqlClient, columns: Columns<A>, rows: ReadonlyArray<A>) => Fragment

const fromJson: Given = (sql, columns, rows) => {
  const json = `[${rows.map((row) => jsonOf(addColumns({}, columns, row))).join()}]`
  // The WHERE condition is always true. It makes PostgreSQL estimate one row instead of 100, and so use the primary
  // key.
  return sql`WITH given AS (
    SELECT * FROM ROWS FROM (json_to_recordset(${json}::json) AS (${sql.literal(definitions(columns.all))}))
      WITH ORDINALITY AS given WHERE ordinality % 1 = 0)`
}

const fromValues: Given = (sql, columns, rows) => {
  const row = `(${columns.all.map(() => "?").join(", ")})`
  return sql.unsafe(
    `WITH given (${columns.names}) AS (VALUES ${rows.map(() => row).join(", ")})`,
    rows.flatMap((each) => valuesOf(columns, each))
  )
}

/** The maximum number of rows in one statement on PostgreSQL. */
const rowsOfJson = 1_000

/**
 * The possible row counts of a statement on SQLite: only three, so that only three texts are prepared. The largest that
 * fits is used.
 */
const valuesSizes = [100, 10, 1]
