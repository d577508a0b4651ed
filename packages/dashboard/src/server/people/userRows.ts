/** Users as they are kept, and as they may be shown. */
import type { Tenant } from "@paymux/core"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Membership } from "../access/Identity.ts"
import { membershipsOf } from "./Memberships.ts"
import type { MembershipRow } from "./Memberships.ts"

/** A user as they may be shown. Times are ms UTC. */
export interface UserRecord {
  readonly id: string
  readonly email: string
  readonly memberships: ReadonlyArray<Membership>
  /** Whether TOTP is set up. Without it a password gives access to test mode only. */
  readonly totp: boolean
  readonly signsInWith: "password" | "oidc"
  readonly createdAt: number
  /** `null`: never. */
  readonly signedInAt: number | null
}

export interface UserRow {
  /** PostgreSQL returns a bigint as text. */
  readonly number: number | string
  readonly id: string
  readonly email: string
  readonly password: string | null
  readonly totp: string | null
  readonly totp_pending: string | null
  readonly oidc_subject: string | null
  readonly created_at: number | string
  readonly signed_in_at: number | string | null
}

export const userByEmail = Effect.fnUntraced(function* (email: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<UserRow>`SELECT * FROM paymux_users WHERE email = ${email} AND oidc_subject IS NULL`
  return row ?? null
})

export const userById = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<UserRow>`SELECT * FROM paymux_users WHERE id = ${id}`
  return row ?? null
})

export const membershipRows = Effect.fnUntraced(function* (userId: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<MembershipRow>`SELECT account, livemode, role FROM paymux_memberships
    WHERE user_id = ${userId} ORDER BY account, livemode`
})

export const recordOf = (row: UserRow, memberships: ReadonlyArray<MembershipRow>): UserRecord => ({
  id: row.id,
  email: row.email,
  memberships: membershipsOf(memberships),
  totp: row.totp !== null,
  signsInWith: row.oidc_subject === null ? "password" : "oidc",
  createdAt: Number(row.created_at),
  signedInAt: row.signed_in_at === null ? null : Number(row.signed_in_at)
})

/** So that two changes at once cannot each take the other for the owner who stays. SQLite writes one at a time anyway. */
export const lockPeople = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.onDialectOrElse({
    pg: () => Effect.asVoid(sql`LOCK TABLE paymux_users, paymux_memberships IN SHARE ROW EXCLUSIVE MODE`),
    orElse: () => Effect.void
  })
})

/** Ids alone: an email address in the address of a request would be in logs. */
export const isMember = Effect.fnUntraced(function* (id: string, { account, livemode }: Tenant) {
  if (!/^usr_[0-9a-f]{24}$/.test(id)) return false
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`SELECT 1 AS present FROM paymux_memberships
    WHERE user_id = ${id} AND account IN (${account}, '') AND livemode = ${livemode} LIMIT 1`
  return rows.length > 0
})

/** A membership of every account names none. */
export const accountsWithMembers = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<Pick<MembershipRow, "account">>`SELECT DISTINCT account FROM paymux_memberships
    WHERE account <> ''`
  return rows.map(({ account }) => account)
})
