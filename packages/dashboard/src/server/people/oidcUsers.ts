/** People whom an identity provider names. They are known by its subject, never by an email address, which it may give to another. */
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Membership } from "../access/Identity.ts"
import { asPerson, auditPeople } from "./auditPeople.ts"
import { deleteUser, withdrawInvitationsOf } from "./changeUsers.ts"
import { membershipsOf, addMembership } from "./Memberships.ts"
import { spendToken } from "./OneTimeTokens.ts"
import { Sessions } from "./Sessions.ts"
import type { Client } from "./Sessions.ts"
import { newUserId } from "./Tokens.ts"
import { lockPeople, membershipRows } from "./userRows.ts"
import type { UserRow } from "./userRows.ts"

export interface OidcPerson {
  readonly issuer: string
  readonly subject: string
  /** For people who read it. */
  readonly email: string
  /** ms UTC at which they proved who they are; 0: the provider does not say. */
  readonly authenticatedAt: number
}

/** ms within which a person comes back from the identity provider. */
export const pendingFor = 10 * 60_000

export interface OidcEntry {
  readonly person: OidcPerson
  /** What the configuration gives them. */
  readonly memberships: ReadonlyArray<Membership>
  /** The state of the pending sign-in, which works once. */
  readonly pending: string
}

/**
 * The memberships are those of this sign-in: what the provider no longer says is taken away, with the open invitations that
 * the person made. Returns the id of a session.
 */
export const signInByOidc = Effect.fnUntraced(function* ({ memberships, pending, person }: OidcEntry, client: Client) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* lockPeople
      const id = yield* knownOrNew(person)
      yield* spendToken({ purpose: "oidc", token: pending, usedBy: id, lifetime: pendingFor })
      const former = membershipsOf(yield* membershipRows(id))
      if (summary(former) !== summary(memberships)) {
        yield* withdrawMemberships(id)
        yield* Effect.forEach(memberships, (membership) => addMembership(id, membership), { discard: true })
        const after = { email: person.email, access: memberships.map(text) }
        const before = former.length === 0 ? null : { email: person.email, access: former.map(text) }
        const action = former.length === 0 ? "user.join" : "user.role"
        const concerned = [...former, ...memberships]
        yield* auditPeople({ action, target: id, concerned, before, after }).pipe(
          asPerson(id, person.email, client.address)
        )
      }
      const { authenticatedAt } = person
      return yield* Sessions.use(({ create }) =>
        create({ userId: id, method: "oidc", authenticatedAt, secondFactor: false, client })
      )
    })
  )
})

/** A person to whom the configuration gives nothing. What they had ends, with all their sessions. */
export const refuseByOidc = Effect.fnUntraced(function* ({ email, issuer, subject }: OidcPerson, client: Client) {
  const sql = yield* SqlClient.SqlClient
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* lockPeople
      const [user] = yield* sql<UserRow>`SELECT * FROM paymux_users
        WHERE oidc_issuer = ${issuer} AND oidc_subject = ${subject}`
      if (user === undefined) return
      const former = membershipsOf(yield* membershipRows(user.id))
      yield* withdrawMemberships(user.id)
      yield* deleteUser(user.id)
      const before = { email, access: former.map(text) }
      yield* auditPeople({ action: "user.remove", target: user.id, concerned: former, before, after: null }).pipe(
        asPerson(user.id, email, client.address)
      )
    })
  )
})

const withdrawMemberships = Effect.fnUntraced(function* (userId: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM paymux_memberships WHERE user_id = ${userId}`
  yield* withdrawInvitationsOf(userId)
})

const summary = (memberships: ReadonlyArray<Membership>): string =>
  JSON.stringify(memberships.map(text).toSorted(compare))

const text = ({ account, modes, role }: Membership): string =>
  `${account ?? "every account"} (${modes.toSorted(compare).join(", ")}): ${role}`

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

const knownOrNew = Effect.fnUntraced(function* ({ email, issuer, subject }: OidcPerson) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const [user] = yield* sql<UserRow>`UPDATE paymux_users SET email = ${email}, signed_in_at = ${now}
    WHERE oidc_issuer = ${issuer} AND oidc_subject = ${subject} RETURNING *`
  if (user !== undefined) return user.id
  const id = newUserId()
  yield* sql`INSERT INTO paymux_users (id, email, oidc_issuer, oidc_subject, created_at, signed_in_at)
    VALUES (${id}, ${email}, ${issuer}, ${subject}, ${now}, ${now})`
  return id
})
