/** Second factors, while the secret of the installation is replaced. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { secondFactorColumns, TwoFactor } from "../../src/index.ts"
import { appCode, databases, join, secret, sessionOf } from "./TestPeople.ts"

const next = Redacted.make("the next secret of the installation")

/** Between the check of a code and the transaction that confirms it, another process re-encrypts the text. */
const resealAsCodesAreChecked = Effect.fnUntraced(function* (userId: string) {
  const sql = yield* SqlClient.SqlClient
  const [pending] = yield* sql<{ totp_pending: string }>`SELECT totp_pending FROM paymux_users WHERE id = ${userId}`
  const box = secondFactorColumns([secret, next])[0]?.box ?? assert.fail("no column")
  // Encrypted once more, a text differs by its nonce.
  const text = box.open(userId, pending?.totp_pending ?? "") ?? assert.fail("not read")
  const resealed = box.seal(userId, text)
  yield* sql.unsafe(`CREATE TRIGGER reseal AFTER UPDATE OF totp_step ON paymux_users BEGIN
    UPDATE paymux_users SET totp_pending = '${resealed}' WHERE id = '${userId}'; END`)
  return resealed
})

describe("a second factor", () => {
  const [, sqlite] = databases[0]

  it.effect("is confirmed although its text is re-encrypted in the meantime", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 0, 1))
      const sql = yield* SqlClient.SqlClient
      const twoFactor = yield* TwoFactor
      const { userId } = yield* join("a@example.com")
      const session = yield* sessionOf("a@example.com")
      const enrolment = yield* twoFactor.begin(userId)
      const resealed = yield* resealAsCodesAreChecked(userId)
      const code = appCode(enrolment.secret, yield* Clock.currentTimeMillis)
      assert.lengthOf(yield* twoFactor.confirm({ userId, code, session, address: null }), 10)
      const rows = yield* sql`SELECT totp, totp_pending FROM paymux_users`
      assert.deepStrictEqual(rows, [{ totp: resealed, totp_pending: null }])
    }).pipe(Effect.provide(sqlite()))
  )
})
