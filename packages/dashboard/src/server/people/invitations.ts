/** Invitations: who may come in, with which role. The link is handed over by the person who invites. */
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Membership } from "../access/Identity.ts"
import { CurrentActor } from "../audit/Actor.ts"
import { asPerson, auditPeople, membershipFields } from "./auditPeople.ts"
import { readEmail } from "./Email.ts"
import { LinkInvalid, NotTheirTeam, SignInRefused } from "./errors.ts"
import { keepingOwners } from "./lastOwner.ts"
import { manages, readMembership, writeMembership } from "./Memberships.ts"
import type { Manager } from "./Memberships.ts"
import { findToken, issueToken, useToken, withdrawTokens } from "./OneTimeTokens.ts"
import { invitationSubject, takeInvitation } from "./openInvitations.ts"
import type { InvitationScope } from "./openInvitations.ts"
import { enteredPassword, newPassword, Passwords } from "./Passwords.ts"
import { checkWithinLimits, forgiveTries } from "./SignInLimits.ts"
import { newUserId } from "./Tokens.ts"
import { lockPeople, userByEmail } from "./userRows.ts"
import type { UserRow } from "./userRows.ts"

export interface Invitation extends Membership {
  readonly email: string
}

export interface Issued {
  /** Shown once: only its hash is kept. */
  readonly token: string
  /** ms UTC */
  readonly expiresAt: number
}

export interface Acceptance {
  readonly token: string
  /** Of the first owner, whose link has no address. Otherwise it is that of the invitation. */
  readonly email?: string
  readonly password: string
  /** The IP address of the client. */
  readonly address: string | null
}

const lifetime = 72 * 3_600_000

export const invite = Effect.fnUntraced(function* (manager: Manager, invitation: Invitation) {
  const sql = yield* SqlClient.SqlClient
  const email = yield* readEmail(invitation.email)
  const membership = yield* readMembership(invitation)
  if (!manages(manager, membership)) return yield* new NotTheirTeam()
  const { id } = yield* CurrentActor
  const subject = invitationSubject(email, membership.account)
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* withdrawTokens("invitation", subject)
      const data = { email, ...membership }
      const issued = yield* issueToken({ purpose: "invitation", subject, data, createdBy: id, lifetime })
      const after = { email, ...membershipFields(membership), expiresAt: issued.expiresAt }
      yield* auditPeople({ action: "user.invite", target: email, concerned: [membership], before: null, after })
      return issued
    })
  )
})

/** Another link for an open invitation, for 72 hours more. The former one no longer works. */
export const renewInvitation = Effect.fnUntraced(function* (scope: InvitationScope, id: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.withTransaction(
    Effect.flatMap(takeInvitation(scope, id), (invitation) => invite(scope.manager, invitation))
  )
})

const firstOwner: Membership = { account: null, modes: ["test", "live"], role: "owner" }

export const inviteFirstOwner = Effect.gen(function* () {
  if (yield* hasUsers) return null
  return yield* issueToken({ purpose: "first_owner", subject: "", data: {}, createdBy: "start", lifetime })
})

const hasUsers = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`SELECT 1 AS present FROM paymux_users LIMIT 1`).length > 0
})

export const acceptInvitation = Effect.fnUntraced(function* (acceptance: Acceptance) {
  const sql = yield* SqlClient.SqlClient
  const passwords = yield* Passwords
  const { address, token } = acceptance
  yield* enteredPassword(acceptance.password)
  const { email, membership, purpose } = yield* openInvitation(acceptance)
  const existing = yield* userByEmail(email)
  // Before the transaction: a hash takes long.
  const password =
    existing === null ? yield* Effect.flatMap(newPassword(acceptance.password, email), passwords.hash) : null
  if (existing !== null) yield* checkOwnPassword(existing, acceptance)
  const userId = existing?.id ?? newUserId()
  return yield* sql
    .withTransaction(
      Effect.gen(function* () {
        yield* lockPeople
        // While the password was hashed, another link may have made the same user, or the first owner, or removed one.
        if (((yield* userByEmail(email))?.id ?? null) !== (existing?.id ?? null)) return yield* new LinkInvalid()
        if (purpose === "first_owner" && (yield* hasUsers)) return yield* new LinkInvalid()
        yield* useToken(purpose, token, userId)
        const now = yield* Clock.currentTimeMillis
        if (existing === null) {
          yield* sql`INSERT INTO paymux_users (id, email, password, created_at) VALUES (${userId}, ${email}, ${password}, ${now})`
        }
        yield* keepingOwners(writeMembership(userId, membership))
        // It may be of one who does not manage what the user has now.
        yield* withdrawTokens("reset", userId)
        const after = { email, ...membershipFields(membership) }
        yield* auditPeople({ action: "user.join", target: userId, concerned: [membership], before: null, after })
        return { userId, email }
      })
    )
    .pipe(asPerson(userId, email, address))
})

const checkOwnPassword = Effect.fnUntraced(function* (user: UserRow, { address, password }: Acceptance) {
  const { isRight } = yield* Passwords
  const attempt = { address, email: user.email, device: null }
  if (!(yield* checkWithinLimits(attempt, "known", isRight(password, user.password, "known")))) {
    return yield* new SignInRefused()
  }
  yield* forgiveTries(attempt, 1)
})

/** The link of the first owner has no address, so that it can be printed before there is anyone. */
const openInvitation = Effect.fnUntraced(function* ({ email, token }: Acceptance) {
  const invitation = yield* Effect.option(findInvitation(token))
  if (invitation._tag === "Some") return { ...invitation.value, purpose: "invitation" } as const
  yield* findToken("first_owner", token)
  if (yield* hasUsers) return yield* new LinkInvalid()
  return { purpose: "first_owner", email: yield* readEmail(email ?? ""), membership: firstOwner } as const
})

const findInvitation = Effect.fnUntraced(function* (token: string) {
  const { data } = yield* findToken("invitation", token)
  // Boundary: `invite` wrote it; what is something else is refused.
  const { account, email, modes, role } = data as { readonly [name: string]: unknown }
  const membership = yield* readMembership({ account, modes, role })
  return { email: yield* readEmail(email), membership }
})
