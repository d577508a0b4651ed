/**
 * Many values as one JSON parameter, which both databases read as rows: the text of a statement does not depend on how many
 * there are.
 */
import type { SqlClient } from "effect/sql"

export type Fragment = ReturnType<SqlClient.SqlClient["literal"]>

/**
 * Whether the column, which has an index, is one of these. On PostgreSQL as an array: of a list of unknown length, and a table
 * that was never analyzed, it would scan the whole table.
 */
export const isOneOf = (sql: SqlClient.SqlClient, column: string, values: Iterable<string>): Fragment => {
  const json = JSON.stringify([...values])
  const name = sql.literal(column)
  return sql.onDialectOrElse({
    pg: () => sql`${name} = ANY (ARRAY (SELECT json_array_elements_text(${json}::json)))`,
    orElse: () => sql`${name} IN (SELECT value FROM json_each(${json}))`
  })
}

/** What PostgreSQL reads each field as. */
export interface RowShape {
  readonly [column: string]: "text" | "bigint" | "boolean"
}

/** Rows of this shape, to select from. */
export const rowsOf = <Shape extends RowShape>(
  sql: SqlClient.SqlClient,
  shape: Shape,
  rows: ReadonlyArray<{ readonly [column in keyof Shape]: string | number | boolean | null }>
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
