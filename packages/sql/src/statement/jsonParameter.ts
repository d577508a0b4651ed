/**
 * Many values as one JSON parameter, which both databases read as rows: the text of a statement does not depend on how many
 * there are.
 */
import type { SqlClient } from "effect/sql"

export type Fragment = ReturnType<SqlClient.SqlClient["literal"]>

/** `SELECT` of one column of text, for `IN`. */
export const textList = (sql: SqlClient.SqlClient, values: Iterable<string>): Fragment => {
  const json = JSON.stringify([...values])
  return sql.onDialectOrElse({
    pg: () => sql`(SELECT json_array_elements_text(${json}::json))`,
    orElse: () => sql`(SELECT value FROM json_each(${json}))`
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
