/**
 * Passes sets of rows or values as one JSON parameter, so that a statement has the same text for any number of them.
 */
import type { SqlClient } from "effect/sql"

/** The PostgreSQL types of the values. SQLite derives types from the JSON values. */
type ColumnType = "bigint" | "boolean" | "text"

/**
 * Builds a SELECT that returns the rows. Their values must be valid PostgreSQL text: no NUL and no unpaired surrogate.
 */
export const rowsOf = <Name extends string>(
  sql: SqlClient.SqlClient,
  columns: Readonly<Record<Name, ColumnType>>,
  rows: ReadonlyArray<Readonly<Record<Name, string | number | boolean | null>>>
) => {
  const types = Object.entries<ColumnType>(columns)
  const json = JSON.stringify(rows)
  const of = (text: (name: string, type: ColumnType) => string) =>
    sql.literal(types.map(([name, type]) => text(name, type)).join(", "))
  return sql.onDialectOrElse({
    pg: () => sql`SELECT * FROM json_to_recordset(${json}::json) AS given(${of((name, type) => `${name} ${type}`)})`,
    orElse: () => sql`SELECT ${of((name) => `value ->> '${name}' AS ${name}`)} FROM json_each(${json})`
  })
}

/**
 * Builds a condition like `IN`. PostgreSQL plans it for a few values and uses an index, even if the table was small at
 * that time.
 */
export const isOneOf = (
  sql: SqlClient.SqlClient,
  column: string,
  values: ReadonlyArray<string> | ReadonlyArray<number>
) => {
  const type = sql.literal(typeof values[0] === "number" ? "bigint" : "text")
  const json = JSON.stringify(values)
  return sql.onDialectOrElse({
    pg: () => sql`${sql.literal(column)} = ANY (ARRAY(SELECT json_array_elements_text(${json}::json)::${type}))`,
    orElse: () => sql`${sql.literal(column)} IN (SELECT value FROM json_each(${json}))`
  })
}
