/** Checks the second factor: a code of the app, or a recovery code. Each works once. */
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { CodeRefused, TotpUnreadable } from "./errors.ts"
import { countCode, forgiveCodes } from "./SignInLimits.ts"
import { recoveryCodeHash } from "./Tokens.ts"
import { isTotpCode, totpStep } from "./Totp.ts"
import { TotpSecrets } from "./TotpSecrets.ts"
import type { UserRow } from "./userRows.ts"

export const isCode = (code: string): boolean => code.length <= 64

export const checkCode = Effect.fnUntraced(function* (user: UserRow, given: string) {
  if (!isCode(given)) return yield* new CodeRefused()
  const code = given.replaceAll(/\s/g, "")
  yield* isTotpCode(code) ? checkTotp(user, code) : checkRecoveryCode(user, code)
})

const checkTotp = Effect.fnUntraced(function* (user: UserRow, code: string) {
  yield* countCode(user.id)
  yield* acceptStep(user, user.totp, code)
  yield* forgiveCodes(user.id)
})

/** Only if no code of this time step, or of a later one, was accepted before. */
export const acceptStep = Effect.fnUntraced(function* (user: UserRow, sealed: string | null, code: string) {
  const sql = yield* SqlClient.SqlClient
  const secret = sealed === null ? null : (yield* TotpSecrets).open(user.id, sealed)
  if (secret === null) return yield* new TotpUnreadable()
  const step = totpStep(secret, code, yield* Clock.currentTimeMillis)
  if (step === null) return yield* new CodeRefused()
  const rows = yield* sql`UPDATE paymux_users SET totp_step = ${step}
    WHERE id = ${user.id} AND totp_step < ${step} RETURNING id`
  if (rows.length === 0) return yield* new CodeRefused()
})

/** 80 random bits: too many to be guessed, so they work on when codes of the app have been tried too often. */
const checkRecoveryCode = Effect.fnUntraced(function* (user: UserRow, code: string) {
  const sql = yield* SqlClient.SqlClient
  const hash = recoveryCodeHash(user.id, code)
  if (hash === null) return yield* new CodeRefused()
  const rows = yield* sql`DELETE FROM paymux_recovery_codes
    WHERE user_id = ${user.id} AND hash = ${hash} RETURNING hash`
  if (rows.length === 0) return yield* new CodeRefused()
})
