/** Each account and mode that has an owner who can sign in keeps one. */
import { Context, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { roleIn } from "../access/Identity.ts"
import type { Identity } from "../access/Identity.ts"
import { LastOwner } from "./errors.ts"
import { membershipsOf } from "./Memberships.ts"
import type { MembershipRow } from "./Memberships.ts"

/**
 * The addresses of the identity providers with which people can sign in. Empty: none is configured, and people sign in with
 * passwords alone. `any`: it is not known which are configured, and each counts.
 */
export type Issuers = ReadonlyArray<string> | "any"

export class SignInIssuers extends Context.Service<SignInIssuers, Issuers>()("@paymux/dashboard/SignInIssuers") {}

/**
 * Runs a change of memberships, in its transaction and after `lockPeople`. Compares who owns what before and after it, by the
 * rules of access itself: a role in an account takes precedence over one in every account.
 */
export const keepingOwners = <A, E, R>(change: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = yield* ownersWhoCanSignIn
    const changed = yield* change
    return losesOwner(before, yield* ownersWhoCanSignIn) ? yield* new LastOwner() : changed
  })

type Person = Pick<Identity, "memberships">

const losesOwner = (before: ReadonlyArray<Person>, after: ReadonlyArray<Person>): boolean => {
  // No account has an empty name: this one is like all that have no membership of their own.
  const named = before.flatMap(({ memberships }) => memberships.map(({ account }) => account ?? ""))
  const accounts = new Set(["", ...named])
  return [...accounts].some((account) =>
    [true, false].some((livemode) => {
      const isOwner = (person: Person) => roleIn(person, { account, livemode }) === "owner"
      return before.some(isOwner) && !after.some(isOwner)
    })
  )
}

interface OwnerRow extends MembershipRow {
  readonly user_id: string
  readonly password: string | null
  readonly oidc_issuer: string | null
}

/** All that people have who are an owner somewhere. */
const ownersWhoCanSignIn = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const issuers = yield* SignInIssuers
  const rows = yield* sql<OwnerRow>`
    SELECT m.user_id, m.account, m.livemode, m.role, u.password, u.oidc_issuer
    FROM paymux_memberships m JOIN paymux_users u ON u.id = m.user_id
    WHERE m.user_id IN (SELECT user_id FROM paymux_memberships WHERE role = 'owner')`
  const able = rows.filter(({ oidc_issuer: of, password }) => (of === null ? password !== null : isOneOf(issuers, of)))
  return [...Map.groupBy(able, ({ user_id }) => user_id).values()].map((own) => ({ memberships: membershipsOf(own) }))
})

/** As OpenID Connect compares the issuer of a token with the address that is configured. */
const isOneOf = (issuers: Issuers, issuer: string): boolean =>
  issuers === "any" || issuers.some((each) => hrefOf(each) === hrefOf(issuer))

const hrefOf = (address: string): string => (URL.canParse(address) ? new URL(address).href : address)
