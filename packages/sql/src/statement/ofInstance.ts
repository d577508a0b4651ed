/** Rows of a provider instance under each id that it had: rows keep the id that their instance had. */
import { InstanceIds } from "@paymux/core/engine"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Fragment } from "./jsonParameter.ts"

/** A condition on the column. With one id it is an equality, which every index of the column serves. */
export const ofInstance = (sql: SqlClient.SqlClient, column: string, provider: string): Effect.Effect<Fragment> =>
  Effect.map(Effect.service(InstanceIds), (idsOf) => {
    const ids = idsOf(provider)
    return ids.length === 1 ? sql`${sql.literal(column)} = ${provider}` : sql.in(column, ids)
  })
