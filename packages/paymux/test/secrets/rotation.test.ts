/** The secret of an installation is replaced while servers run. */
import { assert, describe, it } from "@effect/vitest"
import type { ServerSecrets } from "@paymux/core/wire"
import { Effect, Exit, Fiber, Layer, Logger, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { createHmac, hkdfSync } from "node:crypto"
import { endpointsWith } from "../../src/commands/webhooks/webhooksShared.ts"
import { secretFindings } from "../../src/doctor/secretFindings.ts"
import { Installation } from "../../src/secrets/Installation.ts"
import { rotateSecret } from "../../src/secrets/rotateSecret.ts"
import { withSecretsLocked } from "../../src/secrets/secretRows.ts"
import {
  addEndpoint,
  addUser,
  databases,
  keysWith,
  readable,
  rotate,
  rotateEndpoint,
  secretNamed,
  secrets,
  startServer,
  stored,
  textsReadBy
} from "./secretDatabase.ts"

/** More than a batch of the rotation. */
const endpoints = 130

const withTexts = Effect.fnUntraced(function* (given: ServerSecrets) {
  // An account and mode has 50 at most.
  for (let n = 0; n < endpoints; n++) yield* addEndpoint(given, `account-${n % 3}`)
  const { id } = yield* addEndpoint(given)
  yield* rotateEndpoint(given, id)
  yield* rotateEndpoint(given, id)
  for (const user of ["usr_1", "usr_2"]) yield* addUser(given, user)
})

/** Endpoints, two former secrets of one of them, and two texts for each of two users. */
const texts = endpoints + 1 + 2 + 4

const refusal = <A, E extends { readonly message: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ message }) => message)

const goBack = ({ settings }: Effect.Success<typeof stored>) =>
  // Beside a server that reports its secrets.
  withSecretsLocked(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`DELETE FROM paymux_settings`
      for (const { created_at, name, value } of settings) {
        yield* sql`INSERT INTO paymux_settings (name, value, created_at) VALUES (${name}, ${value}, ${created_at})`
      }
    })
  )

/** Refused with this sentence, and nothing is written. */
const assertRefused = Effect.fnUntraced(function* <A, E extends { readonly message: string }, R>(
  effect: Effect.Effect<A, E, R>,
  sentence: string
) {
  const before = yield* stored
  assert.include(yield* refusal(effect), sentence)
  assert.deepStrictEqual(yield* stored, before)
})

describe.each(databases)("the secret of an installation on %s", (_, database) => {
  it.effect("keeps the keys of names, return addresses and cookies as the first secret made them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const keys = yield* keysWith(secrets.former)
      const [row] = yield* sql<{ value: string }>`SELECT value FROM paymux_settings WHERE name = 'installation_id'`
      const secret = Redacted.value(secrets.former[0])
      const hkdf = (salt: string, info: string, length: number) =>
        Buffer.from(hkdfSync("sha256", secret, salt, info, length)).toString("hex")
      assert.deepStrictEqual(keys, {
        names: hkdf(row?.value ?? "", "paymux names", 32),
        returns: createHmac("sha256", secret).update("paymux return address").digest("hex"),
        cookies: hkdf("", "paymux dashboard instance", 6)
      })
      for (const given of [secrets.formerThenNext, secrets.nextThenFormer]) {
        assert.deepStrictEqual(yield* keysWith(given), keys)
      }
      yield* rotate(secrets.nextThenFormer)
      assert.deepStrictEqual(yield* keysWith(secrets.nextThenFormer), keys)
      assert.deepStrictEqual(yield* keysWith(secrets.next), keys)
    }).pipe(Effect.provide(database()))
  )

  it.effect("encrypts by its replacement after a rotation, which reports its progress", () =>
    Effect.gen(function* () {
      yield* keysWith(secrets.former)
      yield* withTexts(secrets.former)
      const before = yield* textsReadBy(secrets.former)
      assert.lengthOf(before, texts)
      const progress: Array<string> = []
      const report = yield* rotateSecret({
        secrets: secrets.nextThenFormer,
        account: "default",
        onProgress: (read, all) => Effect.sync(() => void progress.push(`${read} of ${all}`))
      })
      assert.deepStrictEqual(report, { read: texts, replaced: texts, retired: 1 })
      const [first] = progress
      assert.deepStrictEqual([first, progress.at(-1)], [`100 of ${texts}`, `${texts} of ${texts}`])
      assert.deepStrictEqual(yield* textsReadBy(secrets.next), before)
      assert.isTrue((yield* textsReadBy(secrets.former)).every((text) => text === null))
      const { audit, settings } = yield* stored
      assert.deepStrictEqual(
        audit.map(({ action, outcome }) => `${action} ${outcome}`),
        ["secret.rotate requested", "secret.rotate requested", "secret.rotate done", "secret.rotate done"]
      )
      const known = settings.filter(({ name }) => name.startsWith("secret ")).map(({ value }) => JSON.parse(value))
      assert.sameDeepMembers(
        known.map(({ keys, state }) => [state, keys === null]),
        [
          ["writes", false],
          ["retired", true]
        ]
      )
      assert.deepStrictEqual(yield* rotate(secrets.next), { read: texts, replaced: 0, retired: 0 })
    }).pipe(Effect.provide(database()))
  )

  it.effect("is rotated once at a time, and a rotation that was interrupted goes on", () =>
    Effect.gen(function* () {
      yield* keysWith(secrets.former)
      yield* withTexts(secrets.former)
      const before = yield* textsReadBy(secrets.former)
      const one = yield* Effect.forkChild(
        rotateSecret({ secrets: secrets.nextThenFormer, account: "default", onProgress: () => Effect.never })
      )
      const half = Effect.map(textsReadBy(secrets.next), (all) => all.filter((text) => text !== null).length)
      while ((yield* half) < 100) yield* Effect.yieldNow
      yield* assertRefused(rotate(secrets.nextThenFormer), "Another rotation of the secret is running")
      yield* Fiber.interrupt(one)
      assert.deepStrictEqual(yield* textsReadBy(secrets.nextThenFormer), before)
      // The former secret is still needed, and encrypts nothing any longer.
      yield* assertRefused(keysWith(secrets.next), "also has data that is encrypted by another secret")
      yield* assertRefused(keysWith(secrets.formerThenNext), "was replaced by `paymux secret rotate`")
      assert.deepStrictEqual(yield* rotate(secrets.nextThenFormer), { read: texts, replaced: texts - 100, retired: 1 })
      assert.deepStrictEqual(yield* textsReadBy(secrets.next), before)
    }).pipe(Effect.provide(database()))
  )

  it.effect("is rotated after a rotation that was killed, once that has shown no progress for 10 seconds", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* keysWith(secrets.former)
      yield* addUser(secrets.former, "usr_1")
      const now = yield* sql.onDialectOrElse({
        pg: () => sql`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now`,
        orElse: () => Effect.succeed([{ now: 0 }])
      })
      const claimedAt = (ago: number) =>
        sql`INSERT INTO paymux_settings (name, value, created_at) VALUES ('secret_rotation', 'killed', ${Number(now[0]?.["now"]) - ago})
          ON CONFLICT (name) DO UPDATE SET created_at = excluded.created_at`
      yield* claimedAt(0)
      yield* assertRefused(rotate(secrets.nextThenFormer), "One that was killed counts for 10 seconds")
      yield* claimedAt(10_000)
      assert.deepStrictEqual(yield* rotate(secrets.nextThenFormer), { read: 2, replaced: 2, retired: 1 })
    }).pipe(Effect.provide(database()))
  )

  it.effect("is refused where a running server could not read what it encrypts, or encrypts with another", () =>
    Effect.gen(function* () {
      const other = yield* startServer(secrets.former)
      yield* assertRefused(keysWith(secrets.nextThenFormer), "does not have the first of these secrets")
      yield* assertRefused(rotate(secrets.nextThenFormer), "does not have the first of these secrets")
      const both = yield* startServer(secrets.formerThenNext)
      yield* assertRefused(keysWith(secrets.nextThenFormer), "does not have the first of these secrets")
      yield* other.stop
      yield* keysWith(secrets.nextThenFormer)
      yield* assertRefused(rotate(secrets.nextThenFormer), "still encrypts with another secret")
      yield* assertRefused(keysWith(secrets.former), "also has data that is encrypted by another secret")
      yield* both.stop
      yield* rotate(secrets.nextThenFormer)
    }).pipe(Effect.scoped, Effect.provide(database()))
  )

  it.effect("is refused while a command runs that encrypts with another", () =>
    Effect.gen(function* () {
      yield* keysWith(secrets.former)
      const scope = yield* Scope.make()
      yield* Layer.buildWithScope(Layer.fresh(endpointsWith(secrets.formerThenNext, [])), scope)
      yield* assertRefused(rotate(secrets.nextThenFormer), "still encrypts with another secret")
      yield* Scope.close(scope, Exit.void)
      yield* rotate(secrets.nextThenFormer)
    }).pipe(Effect.provide(database()))
  )

  it.effect("is refused where the database knows none of the list", () =>
    Effect.gen(function* () {
      yield* keysWith(secrets.former)
      const unknown: ServerSecrets = [secretNamed("third"), secretNamed("fourth")]
      yield* assertRefused(keysWith(unknown), "made with another secret")
      yield* assertRefused(rotate(unknown), "made with another secret")
      yield* assertRefused(keysWith(secrets.next), "made with another secret")
    }).pipe(Effect.provide(database()))
  )

  it.effect("is checked by the doctor, who says which of them is still needed", () =>
    Effect.gen(function* () {
      const found = (given: ServerSecrets | null) =>
        Effect.map(secretFindings({ secrets: given }), (all) => all.map(({ grade, text }) => `${grade} ${text}`).join())
      assert.strictEqual(yield* found(secrets.former), "")
      yield* keysWith(secrets.former)
      yield* addUser(secrets.former, "usr_1")
      assert.include(yield* found(null), "fault This database was made with a secret of your own")
      assert.strictEqual(yield* found(secrets.formerThenNext), "ok the first encrypts all data")
      assert.include(yield* found(secrets.next), "fault This database was made with another secret")
      yield* keysWith(secrets.nextThenFormer)
      assert.include(yield* found(secrets.nextThenFormer), "ok a secret behind the first still encrypts data")
      assert.include(yield* found(secrets.next), "fault This database also has data")
      const before = yield* stored
      const onProgress = () =>
        Effect.flatMap(found(secrets.nextThenFormer), (text) => Effect.sync(() => said.push(text)))
      const said: Array<string> = []
      yield* rotateSecret({ secrets: secrets.nextThenFormer, account: "default", onProgress })
      assert.include(said[0], "warning a rotation has not ended")
      assert.notDeepEqual(yield* stored, before)
      const after = yield* stored
      assert.include(yield* found(secrets.nextThenFormer), "may be removed when these may end")
      assert.include(yield* found(secrets.former), "fault ")
      assert.include(yield* found(secrets.formerThenNext), "fault The first of these secrets was replaced")
      assert.strictEqual(yield* found(secrets.next), "ok the first encrypts all data")
      assert.deepStrictEqual(yield* stored, after)
    }).pipe(Effect.provide(database()))
  )

  it.effect("is refused where the database has one of its own, with a sentence that says so", () =>
    Effect.gen(function* () {
      yield* Effect.scoped(Layer.build(Layer.fresh(Installation.layer(null))))
      yield* assertRefused(
        keysWith(secrets.former),
        "has a secret of its own, made for test mode, which cannot be replaced"
      )
      yield* assertRefused(rotate(secrets.nextThenFormer), "has a secret of its own")
    }).pipe(Effect.provide(database()))
  )

  it.effect("is still needed while a text cannot be read, which the rotation names", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* keysWith(secrets.former)
      yield* addUser(secrets.former, "usr_1")
      yield* addUser([secretNamed("lost")], "usr_lost")
      assert.include(yield* refusal(rotate(secrets.nextThenFormer)), "decrypts the secret of user usr_lost. ")
      assert.include(yield* refusal(keysWith(secrets.next)), "also has data")
      yield* sql`UPDATE paymux_users SET totp = NULL, totp_pending = NULL WHERE id = 'usr_lost'`
      assert.deepStrictEqual(yield* rotate(secrets.nextThenFormer), { read: 2, replaced: 0, retired: 1 })
      yield* keysWith(secrets.next)
    }).pipe(Effect.provide(database()))
  )

  it.effect("names nothing else after the database went back to a time before a rotation", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const keys = yield* keysWith(secrets.former)
      const copy = yield* stored
      // As a former version leaves it.
      const formerCopy = { ...copy, settings: copy.settings.filter(({ name }) => !name.startsWith("secret ")) }
      yield* rotate(secrets.nextThenFormer)
      const running = yield* startServer(secrets.next)
      for (const each of [copy, formerCopy]) {
        yield* goBack(each)
        // The server goes on, and does not add itself to secrets that it cannot prove to be of this database.
        yield* TestClock.adjust("10 seconds")
        while ((yield* sql`SELECT name FROM paymux_settings WHERE name LIKE 'server %'`).length === 0)
          yield* Effect.yieldNow
        assert.deepStrictEqual(readable(running.keys), keys)
        yield* assertRefused(keysWith(secrets.next), "made with another secret")
        assert.deepStrictEqual(yield* keysWith(secrets.nextThenFormer), keys)
        yield* rotate(secrets.nextThenFormer)
        assert.deepStrictEqual(yield* keysWith(secrets.next), keys)
      }
    }).pipe(Effect.scoped, Effect.provide(database()))
  )

  it.effect("is needed again after the database went back into a rotation, which a running server reports", () => {
    const errors: Array<string> = []
    const logger = Logger.make(({ logLevel, message }) => {
      if (logLevel === "Error") errors.push(String(message))
    })
    return Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* keysWith(secrets.former)
      yield* addUser(secrets.former, "usr_1")
      // Once the former secret is marked, before a text is replaced.
      let copy = yield* stored
      const onProgress = () => Effect.asVoid(Effect.tap(stored, (now) => Effect.sync(() => void (copy = now))))
      yield* rotateSecret({ secrets: secrets.nextThenFormer, account: "default", onProgress })
      const running = yield* startServer(secrets.next)
      yield* TestClock.adjust("10 seconds")
      yield* goBack(copy)
      assert.deepStrictEqual(errors, [])
      yield* TestClock.adjust("10 seconds")
      while (errors.length === 0) yield* Effect.yieldNow
      assert.include(errors[0], "restart it with that secret as well, and run `paymux secret rotate` again")
      yield* running.stop
      yield* assertRefused(keysWith(secrets.next), "also has data that is encrypted by another secret")
      // The claim of the rotation that the database went back into.
      yield* sql`DELETE FROM paymux_settings WHERE name = 'secret_rotation'`
      yield* rotate(secrets.nextThenFormer)
      assert.deepStrictEqual(yield* keysWith(secrets.next), readable(running.keys))
    }).pipe(Effect.scoped, Effect.provide([database(), Logger.layer([logger])]))
  })
})
