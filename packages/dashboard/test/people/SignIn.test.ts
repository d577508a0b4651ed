/** Passwords, TOTP, limits and sessions. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Passwords, prunePeople, Sessions, SignIn, TwoFactor, Users } from "../../src/index.ts"
import { appCode, client, databases, join, password, quickPasswords, sessionOf, signIn } from "./TestPeople.ts"

const minute = 60_000
const hour = 60 * minute
const start = 1_700_000_000_000

const tag = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.match(effect, { onSuccess: () => "done", onFailure: (error) => error._tag })

const from = (address: string) => ({ ...client, address })

/** The secret of a user who set up TOTP, with their recovery codes. The time of the code has passed. */
const enrol = Effect.fnUntraced(function* (email: string) {
  const twoFactor = yield* TwoFactor
  const { userId } = yield* join(email)
  const session = yield* sessionOf(email)
  const { secret } = yield* twoFactor.begin(userId)
  const code = appCode(secret, yield* Clock.currentTimeMillis)
  const recovery = yield* twoFactor.confirm({ userId, code, session, address: null })
  yield* TestClock.adjust("1 minute")
  return { secret, recovery, session, userId, code }
})

const codeStep = Effect.fnUntraced(function* (email: string) {
  const result = yield* signIn(email)
  return result.step === "code" ? result.token : yield* Effect.die("no code is asked for")
})

/** The cookie of a device in which a user without TOTP has signed in. */
const deviceOf = Effect.fnUntraced(function* (email: string, former: string | null = null) {
  const result = yield* signIn(email, password, client, former)
  return result.step === "signed_in" ? result.device : yield* Effect.die("a code is asked for")
})

const shortly = () => new Promise<void>((resolve) => void setTimeout(resolve, 2))

/**
 * What waits gets its time, whenever it begins to wait: 25 times as fast as the machine's at most, so that nothing expires while
 * a slow database answers.
 */
const whileTimePasses = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.raceFirst(effect, Effect.forever(Effect.andThen(Effect.promise(shortly), TestClock.adjust("50 millis"))))

const enter = (token: string, code: string, place = client) =>
  Effect.map(
    SignIn.use((service) => service.code({ token, code, client: place, device: null })),
    ({ session }) => session
  )

describe.each(databases)("signing in on %s", (_, database) => {
  it.effect("makes a session of which the database holds no usable id", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const sessions = yield* Sessions
      const { userId } = yield* join("a@example.com")
      const session = yield* sessionOf("a@example.com")
      assert.deepInclude(yield* sessions.find(session), { userId, method: "password", needsTotp: true })
      const rows = yield* sql<{ hash: string }>`SELECT * FROM paymux_sessions`
      assert.notInclude(JSON.stringify(rows), session)
      for (const { hash } of rows) assert.isNull(yield* sessions.find(hash))
      for (const id of ["", "x", "\0", `${session}x`, session.toLowerCase()]) assert.isNull(yield* sessions.find(id))
    }).pipe(Effect.provide(database()))
  )

  it.effect("answers the same for an unknown user, a wrong password and a user of an identity provider", () =>
    Effect.gen(function* () {
      yield* join("a@example.com")
      const service = yield* SignIn
      const person = { issuer: "https://idp", subject: "1", email: "o@example.com", authenticatedAt: 0 }
      yield* service.oidc({ person, memberships: [], pending: "1" }, client)
      const wrong = yield* Effect.flip(signIn("a@example.com", "wrong password!"))
      for (const email of ["unknown@example.com", "o@example.com"]) {
        const error = yield* Effect.flip(signIn(email))
        assert.strictEqual(error.message, wrong.message)
        assert.strictEqual(error._tag, wrong._tag)
      }
    }).pipe(Effect.provide(database()))
  )

  it.effect("refuses the sixth wrong try from one address, while the owner signs in from another", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      yield* join("a@example.com")
      for (const email of ["a@example.com", "unknown@example.com"]) {
        for (let n = 0; n < 5; n++) {
          assert.strictEqual(yield* tag(signIn(email, "wrong password!")), "SignInRefused")
        }
        assert.strictEqual(yield* tag(signIn(email, "wrong password!")), "TooManyTries")
      }
      assert.strictEqual(yield* tag(signIn("a@example.com")), "TooManyTries")
      assert.strictEqual(yield* tag(signIn("a@example.com", password, from("198.51.100.1"))), "done")
      yield* TestClock.adjust("15 minutes")
      assert.strictEqual(yield* tag(signIn("a@example.com")), "done")
    }).pipe(Effect.provide(database()))
  )

  it.effect("counts tries at the same moment, and an IPv6 network as one address", () =>
    Effect.gen(function* () {
      yield* join("a@example.com")
      const tries = yield* Effect.all(
        Array.from({ length: 12 }, (_n, n) =>
          tag(signIn("a@example.com", "wrong password!", from(`2001:db8:1:2::${n.toString(16)}`)))
        ),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(tries.filter((each) => each === "SignInRefused").length, 5)
      assert.strictEqual(tries.filter((each) => each === "TooManyTries").length, 7)
      assert.strictEqual(yield* tag(signIn("a@example.com", password, from("2001:db8:1:3::1"))), "done")
    }).pipe(Effect.provide(database()))
  )

  it.effect("limits an address over all users, and not an office of people who know their passwords", () =>
    Effect.gen(function* () {
      yield* join("a@example.com")
      for (let n = 0; n < 30; n++) assert.strictEqual(yield* tag(signIn("a@example.com")), "done")
      const tries: Array<string> = []
      for (let n = 0; n < 22; n++) tries.push(yield* tag(signIn(`user${n}@example.com`)))
      assert.strictEqual(tries.filter((each) => each === "SignInRefused").length, 20)
      assert.deepStrictEqual(tries.slice(-2), ["TooManyTries", "TooManyTries"])
    }).pipe(Effect.provide(database()))
  )

  it.effect("counts nothing of a sign-in with a code that was right", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const { secret } = yield* enrol("a@example.com")
      for (let n = 0; n < 3; n++) {
        const token = yield* codeStep("a@example.com")
        yield* enter(token, appCode(secret, yield* Clock.currentTimeMillis))
        yield* TestClock.adjust("30 seconds")
      }
      const sql = yield* SqlClient.SqlClient
      const counted = yield* sql<{ tries: number }>`SELECT tries FROM paymux_sign_in_limits WHERE tries > 0`
      assert.deepStrictEqual(counted, [])
    }).pipe(Effect.provide(database()))
  )

  it.effect("writes nothing for an address that is over its limit, whatever email address it tries", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const sql = yield* SqlClient.SqlClient
      const limits = sql`SELECT name, tries, started_at FROM paymux_sign_in_limits ORDER BY name`
      for (let n = 0; n < 20; n++) yield* tag(signIn(`user${n}@example.com`))
      const before = yield* limits
      for (let n = 0; n < 5; n++) {
        assert.strictEqual(yield* tag(signIn(`other${n}@example.com`)), "TooManyTries")
      }
      assert.deepStrictEqual(yield* limits, before)
      yield* TestClock.adjust("15 minutes")
      assert.strictEqual(yield* tag(signIn("other@example.com")), "SignInRefused")
    }).pipe(Effect.provide(database()))
  )

  it.effect("slows down tries for one user from everywhere, and never refuses them", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      yield* join("a@example.com")
      for (let n = 0; n < 10; n++) yield* tag(signIn("a@example.com", "wrong password!", from(`203.0.113.${n}`)))
      for (let n = 10; n < 16; n++) {
        assert.strictEqual(
          yield* whileTimePasses(tag(signIn("a@example.com", "wrong password!", from(`203.0.113.${n}`)))),
          "SignInRefused"
        )
      }
      assert.strictEqual(yield* whileTimePasses(tag(signIn("a@example.com", password, from("198.51.100.1")))), "done")
    }).pipe(Effect.provide(database()))
  )

  it.effect("lets others in while slowed tries wait, which are checked after their wait", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const sql = yield* SqlClient.SqlClient
      yield* join("a@example.com")
      yield* join("b@example.com")
      const wrong = (n: number) => tag(signIn("a@example.com", "wrong password!", from(`203.0.113.${n}`)))
      for (let n = 0; n < 10; n++) yield* wrong(n)
      const slowed = yield* Effect.forEach(Array.from({ length: 20 }), (_n, n) => Effect.forkChild(wrong(100 + n)))
      const counted = sql<{ tries: number }>`SELECT tries FROM paymux_sign_in_limits WHERE tries = 30`
      yield* Effect.repeat(counted, { until: (rows) => rows.length === 1 })
      assert.strictEqual(yield* tag(signIn("b@example.com", password, from("198.51.100.1"))), "done")
      assert.isTrue(slowed.every((fiber) => fiber.pollUnsafe() === undefined))
      const outcomes = yield* whileTimePasses(Effect.forEach(slowed, Fiber.join))
      assert.deepStrictEqual([...new Set(outcomes)], ["SignInRefused"])
    }).pipe(Effect.provide(database()))
  )

  it.effect("reads nothing for a forged cookie of a device while no place is free", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { withPlace } = yield* Passwords
      yield* join("a@example.com")
      yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.forkChild(withPlace("unknown", Effect.never)))
      yield* Effect.yieldNow
      // A look at the users would fail from now on.
      yield* sql`ALTER TABLE paymux_users RENAME TO hidden_users`
      assert.strictEqual(yield* tag(signIn("a@example.com", password, client, "forged")), "SignInBusy")
    }).pipe(Effect.provide(database()))
  )

  it.effect("in a known device with the right password gets in during a flood, which is refused before it writes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* join("a@example.com")
      const device = yield* deviceOf("a@example.com")
      yield* sql`DELETE FROM paymux_sign_in_limits`
      const flood = Array.from({ length: 60 }, (_n, n) =>
        tag(signIn(`user${n}@example.com`, "wrong password!", from(`203.0.113.${n}`)))
      )
      const stranger = tag(signIn("a@example.com", password, from("198.51.100.2")))
      const owner = tag(signIn("a@example.com", password, from("198.51.100.1"), device))
      const outcomes = yield* Effect.all([...flood, stranger, owner], { concurrency: "unbounded" })
      assert.deepStrictEqual(outcomes.splice(-2), ["SignInBusy", "done"])
      assert.strictEqual(outcomes.filter((each) => each === "SignInRefused").length, 20)
      assert.strictEqual(outcomes.filter((each) => each === "SignInBusy").length, 40)
      // Each that is checked counts for its pair, its address and its user.
      assert.lengthOf(yield* sql`SELECT name FROM paymux_sign_in_limits`, 3 * 20)
    }).pipe(Effect.provide(database()))
  )

  it.effect(
    "in a known device is not stopped by tries from its own network and everywhere, and has limits of its own",
    () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(start)
        yield* join("a@example.com")
        yield* join("b@example.com")
        const device = yield* deviceOf("a@example.com")
        for (let n = 0; n < 22; n++) yield* tag(signIn(`user${n}@example.com`))
        for (let n = 0; n < 12; n++) {
          yield* whileTimePasses(tag(signIn("a@example.com", "wrong password!", from(`203.0.113.${100 + n}`))))
        }
        // The pause after the last hash.
        yield* TestClock.adjust("5 seconds")
        assert.strictEqual(yield* tag(signIn("a@example.com")), "TooManyTries")
        assert.strictEqual(yield* tag(signIn("a@example.com", password, client, device)), "done")
        assert.strictEqual(yield* tag(signIn("b@example.com", password, client, device)), "TooManyTries")
        for (const forged of ["", "x", "\0", device.slice(1), `${device.slice(0, -8)}AAAAAAAA`, "x".repeat(10_000)]) {
          assert.strictEqual(yield* tag(signIn("a@example.com", password, client, forged)), "TooManyTries", forged)
        }
        for (let n = 0; n < 5; n++) {
          assert.strictEqual(yield* tag(signIn("a@example.com", "wrong password!", client, device)), "SignInRefused")
        }
        assert.strictEqual(yield* tag(signIn("a@example.com", password, client, device)), "TooManyTries")
      }).pipe(Effect.provide(database()))
  )

  it.effect("knows a device for 180 days after the last sign-in, and not after a new password", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const sql = yield* SqlClient.SqlClient
      const users = yield* Users
      yield* join("a@example.com")
      const first = yield* deviceOf("a@example.com")
      yield* TestClock.adjust("179 days")
      const isKnown = (cookie: string, given = password) =>
        Effect.gen(function* () {
          yield* sql`DELETE FROM paymux_sign_in_limits`
          yield* tag(signIn("a@example.com", "wrong password!", client, cookie))
          // Of a device there is one count, of a stranger three.
          const counts = yield* sql`SELECT name FROM paymux_sign_in_limits`
          assert.strictEqual(yield* tag(signIn("a@example.com", given)), "done")
          return counts.length === 1
        })
      assert.isTrue(yield* isKnown(first))
      const renewed = yield* deviceOf("a@example.com", first)
      yield* TestClock.adjust("2 days")
      assert.isFalse(yield* isKnown(first))
      assert.isTrue(yield* isKnown(renewed))
      const { token } = yield* users.reset(null, "a@example.com", { totp: false })
      yield* users.useReset({ token, password: "staple staple horse", address: null })
      assert.isFalse(yield* isKnown(renewed, "staple staple horse"))
    }).pipe(Effect.provide(database()))
  )

  it.effect("opens live mode only with TOTP, whose codes work once", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const sessions = yield* Sessions
      const { code, secret, session } = yield* enrol("a@example.com")
      assert.deepStrictEqual((yield* sessions.find(session))?.identity.memberships[0]?.modes, ["test", "live"])
      const now = yield* Clock.currentTimeMillis
      const right = appCode(secret, now)
      const token = yield* codeStep("a@example.com")
      let places = 0
      for (const wrong of [
        "",
        "000000000",
        code,
        right.slice(1),
        "x".repeat(1e6),
        "\0",
        appCode(secret, now + 5 * minute)
      ]) {
        assert.strictEqual(yield* tag(enter(token, wrong, from(`203.0.113.${places++}`))), "CodeRefused")
      }
    }).pipe(Effect.provide(database()))
  )

  it.effect("refuses a code that was used, the link of a code that was used, and an expired one", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const { secret } = yield* enrol("a@example.com")
      const first = yield* codeStep("a@example.com")
      const second = yield* codeStep("a@example.com")
      const code = appCode(secret, yield* Clock.currentTimeMillis)
      const session = yield* enter(first, code)
      assert.isNotNull(yield* Sessions.use(({ find }) => find(session)))
      assert.strictEqual(yield* tag(enter(second, code)), "CodeRefused")
      yield* TestClock.adjust("30 seconds")
      const next = appCode(secret, yield* Clock.currentTimeMillis)
      assert.strictEqual(yield* tag(enter(first, next)), "LinkInvalid")
      yield* TestClock.adjust("5 minutes")
      assert.strictEqual(yield* tag(enter(second, appCode(secret, yield* Clock.currentTimeMillis))), "LinkInvalid")
    }).pipe(Effect.provide(database()))
  )

  it.effect("accepts one of several equal codes at the same moment", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const { secret } = yield* enrol("a@example.com")
      const [one, two] = [yield* codeStep("a@example.com"), yield* codeStep("a@example.com")]
      const code = appCode(secret, yield* Clock.currentTimeMillis)
      const results = yield* Effect.all([tag(enter(one, code)), tag(enter(two, code))], { concurrency: "unbounded" })
      assert.deepStrictEqual(results.sort(), ["CodeRefused", "done"])
    }).pipe(Effect.provide(database()))
  )

  it.effect("limits wrong codes for one user, and takes each recovery code once even then", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const { recovery, secret } = yield* enrol("a@example.com")
      const [recoveryCode = "", other = ""] = recovery
      assert.match(recoveryCode, /^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){3}$/)
      assert.strictEqual(new Set(recovery).size, 10)
      const token = yield* codeStep("a@example.com")
      const wrong = appCode(secret, start + 24 * hour)
      const results: Array<string> = []
      for (let n = 0; n < 12; n++) {
        results.push(yield* whileTimePasses(tag(enter(token, wrong, from(`203.0.113.${100 + n}`)))))
      }
      assert.deepStrictEqual(results, [
        ...Array.from({ length: 10 }, () => "CodeRefused"),
        "TooManyTries",
        "TooManyTries"
      ])
      yield* whileTimePasses(enter(token, recoveryCode.toUpperCase(), from("198.51.100.1")))
      const again = yield* whileTimePasses(codeStep("a@example.com"))
      assert.strictEqual(yield* whileTimePasses(tag(enter(again, recoveryCode))), "CodeRefused")
      assert.strictEqual(yield* whileTimePasses(tag(enter(again, other))), "done")
    }).pipe(Effect.provide(database()))
  )

  it.effect("keeps TOTP secrets encrypted, and recovery codes hashed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { recovery, secret } = yield* enrol("a@example.com")
      const text = JSON.stringify([
        yield* sql`SELECT * FROM paymux_users`,
        yield* sql`SELECT * FROM paymux_recovery_codes`
      ])
      for (const hidden of [secret, ...recovery, ...recovery.map((code) => code.replaceAll("-", ""))]) {
        assert.notInclude(text, hidden)
      }
    }).pipe(Effect.provide(database()))
  )

  it.effect("ends every other session of the user when TOTP is set up, and no session of another user", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const { find } = yield* Sessions
      const twoFactor = yield* TwoFactor
      const { userId } = yield* join("a@example.com")
      yield* join("b@example.com")
      const other = yield* sessionOf("a@example.com")
      const foreign = yield* sessionOf("b@example.com")
      const session = yield* sessionOf("a@example.com")
      const { secret } = yield* twoFactor.begin(userId)
      yield* twoFactor.confirm({ userId, code: appCode(secret, start), session, address: null })
      assert.isNull(yield* find(other))
      assert.deepStrictEqual((yield* find(session))?.identity.memberships[0]?.modes, ["test", "live"])
      assert.isNotNull(yield* find(foreign))
    }).pipe(Effect.provide(database()))
  )

  it.effect("asks for TOTP to be set up again after a reset that removed it", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const users = yield* Users
      const { recovery } = yield* enrol("a@example.com")
      const kept = yield* users.reset(null, "a@example.com", { totp: false })
      yield* users.useReset({ token: kept.token, password, address: null })
      assert.strictEqual((yield* signIn("a@example.com")).step, "code")
      const { token } = yield* users.reset(null, "a@example.com", { totp: true })
      const step = yield* codeStep("a@example.com")
      yield* users.useReset({ token, password, address: null })
      assert.strictEqual(yield* tag(enter(step, recovery[0] ?? "")), "LinkInvalid")
      const found = yield* Sessions.use(({ find }) => Effect.flatMap(sessionOf("a@example.com"), find))
      assert.deepStrictEqual(found?.identity.memberships[0]?.modes, ["test"])
    }).pipe(Effect.provide(database()))
  )

  it.effect("again gives the session a new id, and the old one is of no use", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const sessions = yield* Sessions
      const service = yield* SignIn
      const { secret, session } = yield* enrol("a@example.com")
      yield* TestClock.adjust("30 minutes")
      const former = yield* sessions.find(session)
      const entry = { session, password, client }
      assert.strictEqual(yield* tag(service.again({ ...entry, code: null })), "CodeRefused")
      assert.strictEqual(yield* tag(service.again({ ...entry, code: "x".repeat(1e6) })), "CodeRefused")
      const code = appCode(secret, yield* Clock.currentTimeMillis)
      assert.strictEqual(yield* tag(service.again({ ...entry, password: "wrong password!", code })), "SignInRefused")
      const next = (yield* service.again({ ...entry, code })) ?? ""
      assert.isNull(yield* sessions.find(session))
      const found = yield* sessions.find(next)
      assert.strictEqual(found?.identity.authenticatedAt, yield* Clock.currentTimeMillis)
      assert.strictEqual(found?.expiresAt, former?.expiresAt)
      assert.isNull(yield* service.again({ ...entry, code }))
      yield* sessions.end(next)
      assert.isNull(yield* sessions.find(next))
    }).pipe(Effect.provide(database()))
  )

  it.effect("lasts 12 hours, or an hour without a request", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const sessions = yield* Sessions
      yield* join("a@example.com")
      const [used, idle] = [yield* sessionOf("a@example.com"), yield* sessionOf("a@example.com")]
      for (let n = 0; n < 12; n++) {
        assert.isNotNull(yield* sessions.find(used), String(n))
        yield* TestClock.adjust(59 * minute)
      }
      assert.isNull(yield* sessions.find(idle))
      yield* TestClock.adjust(12 * minute)
      assert.isNull(yield* sessions.find(used))
      assert.isAbove(yield* prunePeople(0), 0)
      assert.strictEqual(yield* prunePeople(0), 0)
    }).pipe(Effect.provide(database()))
  )

  it.effect("neither ends nor lasts longer when the clock is set back, and looks no more recent", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const sessions = yield* Sessions
      const { userId } = yield* join("a@example.com")
      const session = yield* sessionOf("a@example.com")
      yield* TestClock.adjust("30 minutes")
      yield* sessions.find(session)
      yield* TestClock.setTime(start - 30 * minute)
      const found = yield* sessions.find(session)
      assert.strictEqual(found?.userId, userId)
      assert.strictEqual(found?.identity.authenticatedAt, start - hour)
      assert.strictEqual(found?.expiresAt, start + 11 * hour)
      assert.deepStrictEqual(yield* sessions.find(session), found)
      // Wrong tries of before still count, for no longer than usual.
      for (let n = 0; n < 5; n++) yield* tag(signIn("a@example.com", "wrong password!"))
      yield* TestClock.setTime(start - 2 * hour)
      assert.strictEqual(yield* tag(signIn("a@example.com")), "TooManyTries")
      yield* TestClock.adjust("15 minutes")
      assert.strictEqual(yield* tag(signIn("a@example.com")), "done")
    }).pipe(Effect.provide(database()))
  )

  it.effect("ends everywhere at once", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const { userId } = yield* join("a@example.com")
      const ids = [yield* sessionOf("a@example.com"), yield* sessionOf("a@example.com")]
      assert.strictEqual(yield* sessions.endAll(userId), 2)
      for (const id of ids) assert.isNull(yield* sessions.find(id))
    }).pipe(Effect.provide(database()))
  )

  it.effect("by the sandbox's address works once, for test mode, while the sandbox runs", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const service = yield* SignIn
      const sessions = yield* Sessions
      const { token } = yield* service.issueSandboxToken
      const session = yield* service.sandbox(token, client)
      assert.strictEqual(yield* tag(service.sandbox(token, client)), "LinkInvalid")
      assert.deepStrictEqual((yield* sessions.find(session))?.identity.memberships, [
        { account: null, modes: ["test"], role: "owner" }
      ])
      const without = yield* Effect.provide(
        Sessions.use(({ find }) => find(session)),
        Layer.fresh(Sessions.layer({ sandbox: false }))
      )
      assert.isNull(without)
      const { token: late } = yield* service.issueSandboxToken
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* tag(service.sandbox(late, client)), "LinkInvalid")
    }).pipe(Effect.provide(database()))
  )
})

describe("passwords", () => {
  it.effect("are refused when too many wait, and checked again when fewer do", () =>
    Effect.gen(function* () {
      const passwords = yield* Passwords
      const results = yield* Effect.all(
        Array.from({ length: 10 }, () => tag(passwords.hash(password))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(results.filter((each) => each === "SignInBusy").length, 5)
      assert.strictEqual(yield* tag(passwords.hash(password)), "done")
    }).pipe(Effect.provide(quickPasswords({ places: 5 })))
  )

  it.effect(
    "cost what OWASP recommends, and are never right without a stored one",
    () =>
      Effect.gen(function* () {
        const passwords = yield* Passwords
        const stored = yield* passwords.hash("Pass\u0301wort äöü")
        assert.match(stored, /^scrypt\$17\$8\$1\$/)
        assert.isTrue(yield* passwords.isRight("Pa\u0073\u015b".normalize("NFD") + "wort äöü", stored, "known"))
        for (const other of [null, "scrypt$99$8$1$x$y"]) {
          assert.isFalse(yield* passwords.isRight(password, other, "unknown"))
        }
      }).pipe(Effect.provide(Passwords.layer)),
    // Hashes are slow on purpose.
    600_000
  )
})
