/** Sets up TOTP. Live mode is open to users with a password only after that. */
import type { ServerSecrets } from "@paymux/core/wire"
import type { StoreUnavailable } from "@paymux/core/store"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { AuditLog } from "../audit/AuditLog.ts"
import { asPerson, auditPeople } from "./auditPeople.ts"
import { acceptStep } from "./codes.ts"
import { CodeRefused, UserNotFound } from "./errors.ts"
import type { TooManyTries, TotpUnreadable } from "./errors.ts"
import { membershipsOf } from "./Memberships.ts"
import { orUnavailable } from "./orUnavailable.ts"
import { countCode, forgiveCodes } from "./SignInLimits.ts"
import { newRecoveryCode, recoveryCodeHash, tokenHash } from "./Tokens.ts"
import { isTotpCode, newTotpSecret, totpUri } from "./Totp.ts"
import { TotpSecrets } from "./TotpSecrets.ts"
import { membershipRows, userById } from "./userRows.ts"

/** All of it contains the secret, and is shown once. */
export interface TotpEnrolment {
  /** In base32, to be typed in. */
  readonly secret: string
  /** `otpauth://totp/…` */
  readonly uri: string
  /** SVG */
  readonly qrCode: string
}

export interface Confirmation {
  readonly userId: string
  readonly code: string
  /** The session in which it is set up: it goes on, and all others of the user end. */
  readonly session: string
  /** The IP address of the client. */
  readonly address: string | null
}

export class TwoFactor extends Context.Service<
  TwoFactor,
  {
    /** Changes nothing until it is confirmed. */
    readonly begin: (userId: string) => Effect.Effect<TotpEnrolment, UserNotFound | StoreUnavailable>
    /** By a code of the app. Returns ten recovery codes, which are shown once; former ones no longer work. */
    readonly confirm: (
      confirmation: Confirmation
    ) => Effect.Effect<
      ReadonlyArray<string>,
      CodeRefused | TooManyTries | TotpUnreadable | UserNotFound | StoreUnavailable
    >
  }
>()("@paymux/dashboard/TwoFactor") {
  static readonly layer = (secrets: ServerSecrets): Layer.Layer<TwoFactor, never, SqlClient.SqlClient | AuditLog> =>
    Layer.effect(
      TwoFactor,
      Effect.gen(function* () {
        const services = Context.make(SqlClient.SqlClient, yield* SqlClient.SqlClient).pipe(
          Context.add(AuditLog, yield* AuditLog),
          Context.add(TotpSecrets, TotpSecrets.make(secrets))
        )
        const run = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient | AuditLog | TotpSecrets>) =>
          orUnavailable(Effect.provideContext(effect, services))
        return TwoFactor.of({
          begin: (userId) => run(begin(userId)),
          confirm: (confirmation) => run(confirm(confirmation))
        })
      })
    )
}

const begin = Effect.fnUntraced(function* (userId: string) {
  const sql = yield* SqlClient.SqlClient
  const user = yield* userWithPassword(userId)
  const secret = newTotpSecret()
  const sealed = (yield* TotpSecrets).seal(userId, secret)
  yield* sql`UPDATE paymux_users SET totp_pending = ${sealed} WHERE id = ${userId}`
  const uri = totpUri(secret, user.email)
  const { default: qrcode } = yield* Effect.promise(() => import("qrcode"))
  const qrCode = yield* Effect.promise(() => qrcode.toString(uri, { type: "svg", errorCorrectionLevel: "M" }))
  return { secret, uri, qrCode } satisfies TotpEnrolment
})

const userWithPassword = Effect.fnUntraced(function* (userId: string) {
  const user = yield* userById(userId)
  return user === null || user.password === null ? yield* new UserNotFound({ user: userId }) : user
})

/** In a transaction. The secret itself is compared: its encrypted text may have been replaced by that of another server secret. */
const pendingSecret = Effect.fnUntraced(function* (userId: string) {
  const sql = yield* SqlClient.SqlClient
  const locked = sql.literal(sql.onDialectOrElse({ pg: () => "FOR UPDATE", orElse: () => "" }))
  const [row] = yield* sql<{ readonly totp_pending: string | null }>`
    SELECT totp_pending FROM paymux_users WHERE id = ${userId} ${locked}`
  const sealed = row?.totp_pending ?? null
  return sealed === null ? null : (yield* TotpSecrets).open(userId, sealed)
})

const confirm = Effect.fnUntraced(function* ({ address, code, session, userId }: Confirmation) {
  const sql = yield* SqlClient.SqlClient
  if (!isTotpCode(code)) return yield* new CodeRefused()
  yield* countCode(userId)
  const user = yield* userWithPassword(userId)
  if (user.totp_pending === null) return yield* new CodeRefused()
  yield* acceptStep(user, user.totp_pending, code)
  yield* forgiveCodes(userId)
  const confirmed = (yield* TotpSecrets).open(userId, user.totp_pending)
  const codes = Array.from({ length: 10 }, newRecoveryCode)
  yield* sql
    .withTransaction(
      Effect.gen(function* () {
        // Another tab may have begun anew: then the code was of a secret that is gone.
        if ((yield* pendingSecret(userId)) !== confirmed) return yield* new CodeRefused()
        yield* sql`UPDATE paymux_users SET totp = totp_pending, totp_pending = NULL WHERE id = ${userId}`
        yield* sql`DELETE FROM paymux_recovery_codes WHERE user_id = ${userId}`
        for (const each of codes) {
          yield* sql`INSERT INTO paymux_recovery_codes (user_id, hash) VALUES (${userId}, ${recoveryCodeHash(userId, each)})`
        }
        yield* sql`DELETE FROM paymux_sessions WHERE user_id = ${userId} AND hash <> ${tokenHash(session)}`
        // It may have ended meanwhile, as the password was reset.
        const own = yield* sql`UPDATE paymux_sessions SET second_factor = ${true}
          WHERE user_id = ${userId} AND hash = ${tokenHash(session)} RETURNING hash`
        if (own.length === 0) return yield* new CodeRefused()
        const concerned = membershipsOf(yield* membershipRows(userId))
        yield* auditPeople({
          action: "user.totp",
          target: userId,
          concerned,
          before: null,
          after: { email: user.email }
        })
      })
    )
    .pipe(asPerson(userId, user.email, address))
  return codes
})
