import type { Tenant } from "@paymux/core"
import { logCursor, readLogCursor } from "@paymux/core/store"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { UserCursorInvalid } from "./errors.ts"
import { recordOf } from "./userRows.ts"
import type { UserRecord, UserRow } from "./userRows.ts"

export interface UsersQuery {
  /** Users with access to it; `null`: all. */
  readonly tenant: Tenant | null
  /** The `next` of the page before. */
  readonly after?: string
  /** 1 to 1000 */
  readonly limit: number
}

export interface UserPage {
  readonly users: ReadonlyArray<UserRecord>
  /** The cursor of the next page; `null`: this page is the last. */
  readonly next: string | null
}

/** Newest first. */
export const listUsers = Effect.fnUntraced(function* ({ after, limit, tenant }: UsersQuery) {
  const sql = yield* SqlClient.SqlClient
  const place = after === undefined ? null : readLogCursor(after)
  if (after !== undefined && place === null) return yield* new UserCursorInvalid()
  const conditions = [
    ...(tenant === null
      ? []
      : [
          sql`EXISTS (SELECT 1 FROM paymux_memberships m WHERE m.user_id = paymux_users.id
            AND m.account IN (${tenant.account}, '') AND m.livemode = ${tenant.livemode})`
        ]),
    ...(place === null ? [] : [sql`(created_at, number) < (${place.at}, ${place.row})`])
  ]
  const where = conditions.length === 0 ? sql`` : sql`WHERE ${sql.and(conditions)}`
  const rows = yield* sql<UserRow>`SELECT * FROM paymux_users ${where}
    ORDER BY created_at DESC, number DESC LIMIT ${limit + 1}`
  const users = yield* Effect.forEach(rows.slice(0, limit), recordOf)
  const last = rows[limit - 1]
  const next =
    last === undefined || rows.length <= limit
      ? null
      : logCursor({ at: Number(last.created_at), row: Number(last.number) })
  return { users, next } satisfies UserPage
})
