/** Links with which a user sets a new password. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { CurrentActor } from "../audit/Actor.ts"
import { asPerson, auditPeople } from "./auditPeople.ts"
import { managedUser, managesAll } from "./changeUsers.ts"
import { LinkInvalid, ManagedElsewhere, NotTheirTeam } from "./errors.ts"
import { membershipsOf } from "./Memberships.ts"
import type { Manager } from "./Memberships.ts"
import { findToken, issueToken, useToken, withdrawTokens } from "./OneTimeTokens.ts"
import { enteredPassword, newPassword, Passwords } from "./Passwords.ts"
import { lockPeople, membershipRows, userById } from "./userRows.ts"

export interface PasswordReset {
  readonly token: string
  readonly password: string
  /** The IP address of the client. */
  readonly address: string | null
}

const lifetime = 24 * 3_600_000

/** A password opens all that a user has, so only one who manages all of it may replace it. */
export const issueReset = Effect.fnUntraced(function* (
  manager: Manager,
  user: string,
  { totp }: { readonly totp: boolean }
) {
  const sql = yield* SqlClient.SqlClient
  const { id } = yield* CurrentActor
  return yield* sql.withTransaction(
    Effect.gen(function* () {
      // Otherwise the user might get more while this reads what they have.
      yield* lockPeople
      const { row, rows } = yield* managedUser(manager, user)
      if (!managesAll(manager, rows)) return yield* new NotTheirTeam()
      if (row.oidc_subject !== null) return yield* new ManagedElsewhere()
      yield* withdrawTokens("reset", row.id)
      const issued = yield* issueToken({ purpose: "reset", subject: row.id, data: { totp }, createdBy: id, lifetime })
      const after = { email: row.email, totp, expiresAt: issued.expiresAt }
      yield* auditPeople({ action: "user.reset", target: row.id, concerned: membershipsOf(rows), before: null, after })
      return issued
    })
  )
})

export const useReset = Effect.fnUntraced(function* ({ address, password, token }: PasswordReset) {
  const sql = yield* SqlClient.SqlClient
  const passwords = yield* Passwords
  yield* enteredPassword(password)
  const { data, subject } = yield* findToken("reset", token)
  const user = yield* userById(subject)
  if (user === null) return yield* new LinkInvalid()
  // Before the transaction: a hash takes long.
  const hash = yield* Effect.flatMap(newPassword(password, user.email), passwords.hash)
  // Boundary: `issueReset` wrote it.
  const { totp } = data as { readonly totp: unknown }
  yield* sql
    .withTransaction(
      Effect.gen(function* () {
        yield* useToken("reset", token, user.id)
        yield* sql`UPDATE paymux_users SET password = ${hash} WHERE id = ${user.id}`
        if (totp === true) {
          yield* sql`UPDATE paymux_users SET totp = NULL, totp_pending = NULL WHERE id = ${user.id}`
          yield* sql`DELETE FROM paymux_recovery_codes WHERE user_id = ${user.id}`
        }
        yield* sql`DELETE FROM paymux_sessions WHERE user_id = ${user.id}`
        yield* withdrawTokens("code", user.id)
        const concerned = membershipsOf(yield* membershipRows(user.id))
        const after = { email: user.email, totp: totp === true }
        yield* auditPeople({ action: "user.password", target: user.id, concerned, before: null, after })
      })
    )
    .pipe(asPerson(user.id, user.email, address))
})
