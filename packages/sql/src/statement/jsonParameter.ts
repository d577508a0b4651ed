/**
 * Many values in one statement. As one JSON parameter both databases read them as rows, and the text of the statement does not
 * depend on how many there are.
 */
import { Array as Arr, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"

export type Fragment = ReturnType<SqlClient.SqlClient["literal"]>

/**
 * Whether the column, which has an index, has one of these values. On PostgreSQL the values are an array: with a list of unknown
 * length, and a table that was never analyzed, PostgreSQL would scan the whole table.
 */
export const isOneOf = (sql: SqlClient.SqlClient, column: string, values: Iterable<string>): Fragment => {
  const json = JSON.stringify([...values])
  const name = sql.literal(column)
  return sql.onDialectOrElse({
    pg: () => sql`${name} = ANY (ARRAY (SELECT json_array_elements_text(${json}::json)))`,
    orElse: () => sql`${name} IN (SELECT value FROM json_each(${json}))`
  })
}

/** The type by which PostgreSQL reads each field. */
export interface RowShape {
  readonly [column: string]: "text" | "bigint" | "boolean"
}

type RowsOf<Shape extends RowShape> = ReadonlyArray<{
  readonly [column in keyof Shape]: string | number | boolean | null
}>

/** The rows of one statement on SQLite, which takes 32,766 values for a statement. */
const rowsAtOnce = 500

/**
 * Inserts rows, with a clause for a conflict. On SQLite the rows are bound values: to read the columns from JSON takes five times
 * as long as to insert them.
 */
export const insertRows = <Shape extends RowShape>(
  sql: SqlClient.SqlClient,
  table: string,
  shape: Shape,
  rows: RowsOf<Shape>,
  onConflict: Fragment
): Effect.Effect<void, SqlError> => {
  const into = sql.literal(table)
  return sql.onDialectOrElse({
    pg: () => {
      const { columns, from } = rowsOf(sql, shape, rows)
      return Effect.asVoid(sql`INSERT INTO ${into} (${columns}) SELECT ${columns} FROM ${from} ${onConflict}`)
    },
    orElse: () =>
      Effect.forEach(
        Arr.chunksOf(rows, rowsAtOnce),
        (chunk) => sql`INSERT INTO ${into} ${sql.insert(chunk)} ${onConflict}`,
        { discard: true }
      )
  })
}

/** Rows of this shape, to select from. */
export const rowsOf = <Shape extends RowShape>(
  sql: SqlClient.SqlClient,
  shape: Shape,
  rows: RowsOf<Shape>
): { readonly columns: Fragment; readonly from: Fragment } => {
  const names = Object.keys(shape)
  const json = JSON.stringify(rows)
  return {
    columns: sql.literal(names.join(", ")),
    from: sql.onDialectOrElse({
      pg: () =>
        sql`json_to_recordset(${json}::json) AS given(${sql.literal(names.map((name) => `${name} ${shape[name]}`).join(", "))})`,
      orElse: () =>
        sql`(SELECT ${sql.literal(names.map((name) => `value ->> '$.${name}' AS ${name}`).join(", "))}
          FROM json_each(${json})) AS given`
    })
  }
}
