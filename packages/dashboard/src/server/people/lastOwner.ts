/** Each account and mode that has an owner who can sign in keeps one. */
import { Context, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { roleIn } from "../access/Identity.ts"
import type { Identity } from "../access/Identity.ts"
import { LastOwner } from "./errors.ts"
import { membershipsOf } from "./Memberships.ts"
import type { MembershipRow } from "./Memberships.ts"

/** The identity provider that people can sign in with. */
export class SignInIssuer extends Context.Service<
  SignInIssuer,
  {
    /** Its address; `null`: none is configured, and people sign in with passwords alone. */
    readonly issuer: string | null
  }
>()("@paymux/dashboard/SignInIssuer") {}

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
  const { issuer } = yield* SignInIssuer
  const rows = yield* sql<OwnerRow>`
    SELECT m.user_id, m.account, m.livemode, m.role, u.password, u.oidc_issuer
    FROM paymux_memberships m JOIN paymux_users u ON u.id = m.user_id
    WHERE m.user_id IN (SELECT user_id FROM paymux_memberships WHERE role = 'owner')`
  const able = rows.filter(({ oidc_issuer: of, password }) => (of === null ? password !== null : isSame(of, issuer)))
  return [...Map.groupBy(able, ({ user_id }) => user_id).values()].map((own) => ({ memberships: membershipsOf(own) }))
})

/** As OpenID Connect compares the issuer of a token with the address that is configured. */
const isSame = (issuer: string, configured: string | null): boolean =>
  configured !== null && hrefOf(issuer) === hrefOf(configured)

const hrefOf = (address: string): string => (URL.canParse(address) ? new URL(address).href : address)
