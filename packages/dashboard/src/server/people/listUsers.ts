import type { Tenant } from "@paymux/core"
import { logCursor, readLogCursor } from "@paymux/core/store"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Identity } from "../access/Identity.ts"
import { UserCursorInvalid } from "./errors.ts"
import { isManaged } from "./Memberships.ts"
import type { MembershipRow } from "./Memberships.ts"
import { recordOf } from "./userRows.ts"
import type { UserRecord, UserRow } from "./userRows.ts"

export type UsersQuery = {
  /** The `next` of the page before. */
  readonly after?: string
  /** 1 to 1000 */
  readonly limit: number
} & (
  | {
      /** All memberships of a user are shown. */
      readonly manager: null
      /** Users with access to it; `null`: all. */
      readonly tenant: Tenant | null
    }
  | {
      /** Of each user, what they manage and what gives access to the account and mode is shown. */
      readonly manager: Identity
      readonly tenant: Tenant
    }
)

export interface UserPage {
  readonly users: ReadonlyArray<UserRecord>
  /** The cursor of the next page; `null`: this page is the last. */
  readonly next: string | null
}

/** Newest first. */
export const listUsers = Effect.fnUntraced(function* ({ after, limit, manager, tenant }: UsersQuery) {
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
  const rows = yield* sql<JoinedRow>`SELECT u.*, m.account, m.livemode, m.role
    FROM (SELECT * FROM paymux_users ${where} ORDER BY created_at DESC, number DESC LIMIT ${limit + 1}) u
    LEFT JOIN paymux_memberships m ON m.user_id = u.id
    ORDER BY u.created_at DESC, u.number DESC, m.account, m.livemode`
  const people = [...Map.groupBy(rows, ({ id }) => id).values()]
  const users = people.slice(0, limit).flatMap((ofOne) => {
    const [row] = ofOne
    const shown = ofOne
      .flatMap(asMembership)
      .filter((each) => manager === null || tenant === null || concerns(manager, tenant, each))
    return row === undefined ? [] : [recordOf(row, shown)]
  })
  const last = people[limit - 1]?.[0]
  const next =
    last === undefined || people.length <= limit
      ? null
      : logCursor({ at: Number(last.created_at), row: Number(last.number) })
  return { users, next } satisfies UserPage
})

/** A user with one of their memberships, or without any. */
type JoinedRow = UserRow & { readonly [Column in keyof MembershipRow]: MembershipRow[Column] | null }

const asMembership = ({ account, livemode, role }: JoinedRow): ReadonlyArray<MembershipRow> =>
  account === null || livemode === null || role === null ? [] : [{ account, livemode, role }]

/** What a user may do in other accounts and modes is not for an owner of this one. */
const concerns = (manager: Identity, tenant: Tenant, row: MembershipRow): boolean =>
  isManaged(manager, row) ||
  ((row.account === "" || row.account === tenant.account) && Boolean(row.livemode) === tenant.livemode)
