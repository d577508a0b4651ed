/** A sign-in or a reset while something else changes the same user. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Deferred, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Passwords, Sessions, SignIn, TwoFactor, Users } from "../../src/index.ts"
import { appCode, client, databases, join, password, secret, sessionOf, signIn } from "./TestPeople.ts"

const tag = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.match(effect, { onSuccess: () => "done", onFailure: (error) => error._tag })

/** Signs in with the password. The change happens after the password was found right, and before the session begins. */
const signInDuring = <E, R>(email: string, change: Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<R>()
    const passwords = yield* Passwords
    const changing = Effect.orDie(Effect.provideContext(change, context))
    const interrupted = Passwords.of({
      ...passwords,
      isRight: (given, stored, origin) => Effect.tap(passwords.isRight(given, stored, origin), changing)
    })
    const service = Layer.fresh(SignIn.layer([secret])).pipe(Layer.provide(Layer.succeed(Passwords, interrupted)))
    return yield* Effect.provide(signIn(email), service)
  })

const setNewPassword = Effect.fnUntraced(function* (email: string) {
  const users = yield* Users
  const { token } = yield* users.reset(null, email, { totp: false })
  yield* users.useReset({ token, password: "staple staple horse", address: null })
})

/** Sets up TOTP in another session. Returns the secret. */
const setUpTotp = Effect.fnUntraced(function* (userId: string, session: string) {
  const twoFactor = yield* TwoFactor
  const enrolment = yield* twoFactor.begin(userId)
  const code = appCode(enrolment.secret, yield* Clock.currentTimeMillis)
  yield* twoFactor.confirm({ userId, code, session, address: null })
  yield* TestClock.adjust("1 minute")
  return enrolment.secret
})

describe.each(databases)("at the same moment on %s", (_, database) => {
  it.effect("a sign-in that saw no TOTP gets no session once it is set up", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_700_000_000_000)
      const sql = yield* SqlClient.SqlClient
      const { userId } = yield* join("a@example.com")
      const session = yield* sessionOf("a@example.com")
      const change = Effect.asVoid(setUpTotp(userId, session))
      assert.strictEqual(yield* tag(signInDuring("a@example.com", change)), "SignInRefused")
      assert.lengthOf(yield* sql`SELECT 1 AS present FROM paymux_sessions`, 1)
      assert.isFalse((yield* Sessions.use(({ find }) => find(session)))?.needsTotp)
    }).pipe(Effect.provide(database()))
  )

  it.effect("a sign-in with the old password gets no session after a reset", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* join("a@example.com")
      assert.strictEqual(yield* tag(signInDuring("a@example.com", setNewPassword("a@example.com"))), "SignInRefused")
      assert.lengthOf(yield* sql`SELECT 1 AS present FROM paymux_sessions`, 0)
    }).pipe(Effect.provide(database()))
  )

  it.effect("a code does not complete a sign-in with the old password", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_700_000_000_000)
      const { userId } = yield* join("a@example.com")
      const base32 = yield* setUpTotp(userId, yield* sessionOf("a@example.com"))
      const step = yield* signInDuring("a@example.com", setNewPassword("a@example.com"))
      const token = step.step === "code" ? step.token : yield* Effect.die("no code is asked for")
      const code = appCode(base32, yield* Clock.currentTimeMillis)
      const entered = SignIn.use((service) => service.code({ token, code, client, device: null }))
      assert.strictEqual(yield* tag(entered), "LinkInvalid")
    }).pipe(Effect.provide(database()))
  )

  it.effect("a session without a second factor opens test mode only, also if the user has TOTP", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_700_000_000_000)
      const sessions = yield* Sessions
      const { userId } = yield* join("a@example.com")
      yield* setUpTotp(userId, yield* sessionOf("a@example.com"))
      const session = { userId, method: "password", authenticatedAt: 0, secondFactor: false, client } as const
      const found = yield* sessions.find(yield* sessions.create(session))
      assert.deepStrictEqual(found?.identity.memberships[0]?.modes, ["test"])
    }).pipe(Effect.provide(database()))
  )

  it.effect("TOTP is not set up in a session that a reset ended", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_700_000_000_000)
      const { userId } = yield* join("a@example.com")
      const session = yield* sessionOf("a@example.com")
      yield* setNewPassword("a@example.com")
      assert.strictEqual(yield* tag(setUpTotp(userId, session)), "CodeRefused")
      assert.strictEqual((yield* signIn("a@example.com", "staple staple horse")).step, "signed_in")
    }).pipe(Effect.provide(database()))
  )
})

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve))

/** The other begins when the change is done, which is committed only once the other waits for it, or has ended. */
const beforeCommit = Effect.fnUntraced(function* <A, E, R, E2, R2>(
  change: Effect.Effect<unknown, E2, R2>,
  other: Effect.Effect<A, E, R>
) {
  const sql = yield* SqlClient.SqlClient
  const changed = yield* Deferred.make<void>()
  const running = yield* Effect.forkChild(Effect.andThen(Deferred.await(changed), other))
  const isWaiting = Effect.map(
    sql`SELECT 1 AS present FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))`,
    (rows) => rows.length > 0 || running.pollUnsafe() !== undefined
  )
  yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* change
      yield* Deferred.succeed(changed, undefined)
      while (!(yield* isWaiting)) yield* Effect.promise(nextTurn)
    })
  )
  return yield* Fiber.join(running)
})

describe("before the other commits on PostgreSQL", () => {
  const [, [, database]] = databases

  it.effect("the owner of one account resets no password of a user who joins another", () =>
    Effect.gen(function* () {
      const users = yield* Users
      yield* join("a@example.com", "viewer", "shop")
      const modes = ["test", "live"] as const
      const owner = { account: "shop", modes, role: "owner" } as const
      const manager = { id: "usr_owner", name: "owner", memberships: [owner], authenticatedAt: 0 }
      const { token } = yield* users.invite(null, { email: "a@example.com", account: "other", modes, role: "owner" })
      const reset = tag(users.reset(manager, "a@example.com", { totp: false }))
      const joins = users.accept({ token, password, address: null })
      assert.strictEqual(yield* beforeCommit(joins, reset), "NotTheirTeam")
    }).pipe(Effect.provide(database()))
  )

  it.effect("a reset leaves no session of the old password behind", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* join("a@example.com")
      const signedIn = yield* beforeCommit(setNewPassword("a@example.com"), tag(signIn("a@example.com")))
      assert.strictEqual(signedIn, "SignInRefused")
      assert.lengthOf(yield* sql`SELECT 1 AS present FROM paymux_sessions`, 0)
    }).pipe(Effect.provide(database()))
  )
})
