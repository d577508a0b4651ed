/** SQL conditions on a column that has an index. */
import { InstanceIds } from "@paymux/core/engine"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Fragment } from "effect/sql/Statement"
import { toStorable } from "../rows/storableText.ts"

/**
 * The condition for rows of a provider instance, under its current id and its former ids: a row keeps the id that the
 * instance had when it was written. With one id the condition is an equality, for which every index of the column can
 * be used.
 */
export const ofInstance = (sql: SqlClient.SqlClient, column: string, provider: string): Effect.Effect<Fragment> =>
  Effect.map(Effect.service(InstanceIds), (idsOf) => {
    const ids = idsOf(provider)
    return ids.length === 1 ? sql`${sql.literal(column)} = ${provider}` : sql.in(column, ids)
  })

/**
 * The condition for rows whose column has one of these values. They are one parameter, so that the text of the
 * statement does not depend on their number. On PostgreSQL they are an array: with a list of unknown length, and a
 * table that was never analyzed, PostgreSQL would scan the whole table.
 */
export const isOneOf = (sql: SqlClient.SqlClient, column: string, values: Iterable<string>): Fragment => {
  const name = sql.literal(column)
  const json = (stored: (value: string) => string) => JSON.stringify(Array.from(values, stored))
  return sql.onDialectOrElse({
    // The JSON is one parameter, whose texts are not made storable as parameters of their own are.
    pg: () => sql`${name} = ANY (ARRAY (SELECT json_array_elements_text(${json(toStorable)}::json)))`,
    orElse: () => sql`${name} IN (SELECT value FROM json_each(${json((value) => value)}))`
  })
}
