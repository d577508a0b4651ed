/** Changes and removals of users. An owner stays for every account and mode that has one. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Membership } from "../access/Identity.ts"
import type { AuditFields } from "../audit/AuditLog.ts"
import { auditPeople, membershipFields } from "./auditPeople.ts"
import { ManagedElsewhere, NotTheirTeam, UserNotFound } from "./errors.ts"
import { keepingOwners } from "./lastOwner.ts"
import {
  deleteMembership,
  isManaged,
  manages,
  managesSome,
  membershipsOf,
  readMembership,
  writeMembership
} from "./Memberships.ts"
import type { Manager, MembershipRow } from "./Memberships.ts"
import { withdrawTokens } from "./OneTimeTokens.ts"
import { withdrawInvitationsTo } from "./openInvitations.ts"
import { lockPeople, membershipRows, userByEmail, userById } from "./userRows.ts"

/** By id or email address. One whom the manager does not see is missing. */
export const managedUser = Effect.fnUntraced(function* (manager: Manager, given: unknown) {
  const user = typeof given === "string" ? given.slice(0, 254) : ""
  const row = /^usr_[0-9a-f]{24}$/.test(user)
    ? yield* userById(user)
    : yield* userByEmail(user.trim().toLowerCase().replaceAll("\0", ""))
  if (row === null) return yield* new UserNotFound({ user })
  const rows = yield* membershipRows(row.id)
  const isSeen = manager === null || rows.some((each) => isManaged(manager, each))
  return isSeen ? { row, rows } : yield* new UserNotFound({ user })
})

export const managesAll = (manager: Manager, rows: ReadonlyArray<MembershipRow>): boolean =>
  rows.every((row) => isManaged(manager, row))

export const setRole = Effect.fnUntraced(function* (manager: Manager, user: string, given: Membership) {
  const sql = yield* SqlClient.SqlClient
  const membership = yield* readMembership(given)
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* lockPeople
      const { row, rows } = yield* managedUser(manager, user)
      const former = rows.filter(({ account }) => account === (membership.account ?? ""))
      if (!manages(manager, membership) || !managesAll(manager, former)) return yield* new NotTheirTeam()
      if (row.oidc_subject !== null) return yield* new ManagedElsewhere()
      yield* keepingOwners(writeMembership(row.id, membership))
      yield* withdrawInvitationsOf(row.id)
      yield* withdrawInvitationsTo(row.email, (invited) => invited.account === membership.account)
      // It may be of one who does not manage what the user has now.
      yield* withdrawTokens("reset", row.id)
      yield* auditPeople({
        action: "user.role",
        target: row.id,
        concerned: [membership, ...membershipsOf(former)],
        before: former.length === 0 ? null : { email: row.email, ...summary(former) },
        after: { email: row.email, ...membershipFields(membership) }
      })
    })
  )
})

export const removeUser = Effect.fnUntraced(function* (manager: Manager, user: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* lockPeople
      const { row, rows } = yield* managedUser(manager, user)
      const gone = rows.filter((each) => isManaged(manager, each))
      yield* keepingOwners(Effect.forEach(gone, (each) => deleteMembership(row.id, each), { discard: true }))
      yield* withdrawInvitationsOf(row.id)
      yield* withdrawInvitationsTo(row.email, (invited) => managesSome(manager, invited))
      if (gone.length === rows.length) yield* deleteUser(row.id)
      const before = { email: row.email, ...summary(gone) }
      const concerned = gone.length === 0 ? [{ account: null, modes: ["test" as const] }] : membershipsOf(gone)
      yield* auditPeople({ action: "user.remove", target: row.id, concerned, before, after: null })
    })
  )
})

const summary = (rows: ReadonlyArray<MembershipRow>): AuditFields => ({
  access: rows.map(
    ({ account, livemode, role }) => `${account || "every account"}/${livemode ? "live" : "test"}: ${role}`
  )
})

/** Someone with fewer rights must not have left a link behind that gives more. */
export const withdrawInvitationsOf = Effect.fnUntraced(function* (userId: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM paymux_one_time_tokens WHERE created_by = ${userId} AND used_at IS NULL`
})

export const deleteUser = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM paymux_sessions WHERE user_id = ${id}`
  yield* sql`DELETE FROM paymux_recovery_codes WHERE user_id = ${id}`
  yield* sql`DELETE FROM paymux_one_time_tokens WHERE subject = ${id}`
  yield* sql`DELETE FROM paymux_users WHERE id = ${id}`
})
