/** Rows of memberships: one for each account and mode. */
import type { ProviderMode } from "@paymux/core"
import { accountNameRule, isAccountName } from "@paymux/http"
import { Effect, Predicate } from "effect"
import { SqlClient } from "effect/sql"
import type { Identity, Membership } from "../access/Identity.ts"
import { roles } from "../audit/Actor.ts"
import type { Role } from "../audit/Actor.ts"
import { roleIn } from "../access/Identity.ts"
import { PeopleInputInvalid } from "./errors.ts"

export interface MembershipRow {
  /** Empty: every account. */
  readonly account: string
  readonly livemode: boolean | number
  readonly role: string
}

/** Modes of the same account and role together; a row that has no known role gives no right. */
export const membershipsOf = (rows: ReadonlyArray<MembershipRow>): ReadonlyArray<Membership> => {
  const groups = new Map<string, { account: string | null; modes: Array<ProviderMode>; role: Role }>()
  for (const row of rows) {
    const role = roles.find((each) => each === row.role)
    if (role === undefined) continue
    const key = `${row.account} ${role}`
    const group = groups.get(key) ?? { account: row.account === "" ? null : row.account, modes: [], role }
    group.modes.push(row.livemode ? "live" : "test")
    groups.set(key, group)
  }
  return [...groups.values()]
}

/** Without live mode: of people who have not set up TOTP. */
export const inTestOnly = (memberships: ReadonlyArray<Membership>): ReadonlyArray<Membership> =>
  memberships.map((each) => ({ ...each, modes: each.modes.filter((mode) => mode === "test") }))

/** Replaces what a user has in one account. */
export const writeMembership = Effect.fnUntraced(function* (userId: string, membership: Membership) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM paymux_memberships WHERE user_id = ${userId} AND account = ${membership.account ?? ""}`
  yield* addMembership(userId, membership)
})

/** Of two for the same account and mode the first one stays. */
export const addMembership = Effect.fnUntraced(function* (userId: string, { account, modes, role }: Membership) {
  const sql = yield* SqlClient.SqlClient
  for (const mode of modes) {
    yield* sql`INSERT INTO paymux_memberships (user_id, account, livemode, role)
      VALUES (${userId}, ${account ?? ""}, ${mode === "live"}, ${role}) ON CONFLICT DO NOTHING`
  }
})

export const deleteMembership = Effect.fnUntraced(function* (userId: string, { account, livemode }: MembershipRow) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM paymux_memberships
    WHERE user_id = ${userId} AND account = ${account} AND livemode = ${livemode}`
})

/** Who manages the people of an account: `null`, a command or a program, manages all. */
export type Manager = Identity | null

/** An owner of every account manages all; an owner of one account, that one. */
export const manages = (manager: Manager, { account, modes }: Pick<Membership, "account" | "modes">): boolean =>
  manager === null || modes.every((mode) => isOwner(manager, account, mode))

/** Whether the manager manages at least one of the modes. */
export const managesSome = (manager: Manager, { account, modes }: Pick<Membership, "account" | "modes">): boolean =>
  modes.some((mode) => manages(manager, { account, modes: [mode] }))

export const isManaged = (manager: Manager, { account, livemode }: MembershipRow): boolean =>
  manages(manager, { account: account === "" ? null : account, modes: [livemode ? "live" : "test"] })

const isOwner = (manager: Identity, account: string | null, mode: ProviderMode): boolean =>
  account === null
    ? manager.memberships.some((own) => own.account === null && own.role === "owner" && own.modes.includes(mode))
    : roleIn(manager, { account, livemode: mode === "live" }) === "owner"

/** From outside: each field is checked. */
export const readMembership = Effect.fnUntraced(function* (given: unknown) {
  const fields: { readonly [name: string]: unknown } = Predicate.isObject(given) ? { ...given } : {}
  const { account } = fields
  if (account !== null && (typeof account !== "string" || !isAccountName(account))) {
    return yield* new PeopleInputInvalid({ field: "account", problem: accountNameRule })
  }
  const role = roles.find((each) => each === fields["role"])
  if (role === undefined) {
    return yield* new PeopleInputInvalid({ field: "role", problem: `must be one of ${roles.join(", ")}` })
  }
  const modes = modesOf(fields["modes"])
  if (modes === null)
    return yield* new PeopleInputInvalid({ field: "modes", problem: 'must be "test", "live" or both' })
  return { account, modes, role } satisfies Membership
})

const modesOf = (given: unknown): ReadonlyArray<ProviderMode> | null => {
  if (!Array.isArray(given) || given.length === 0) return null
  const modes = (["test", "live"] as const).filter((mode) => given.includes(mode))
  return modes.length === given.length ? modes : null
}
