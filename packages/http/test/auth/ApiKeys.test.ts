import { assert, describe, it } from "@effect/vitest"
import { Cell } from "@paymux/core/store"
import { Context, Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { runMigrations } from "../../../sql/src/Migrations.ts"
import { layer as sqlite } from "../../../sql/src/sqlite/SqliteClient.ts"
import * as ApiKey from "../../src/auth/ApiKey.ts"
import { ApiKeyOfOtherCell } from "../../src/auth/ApiKeyErrors.ts"
import { apiKeyMigrations } from "../../src/Migrations.ts"
import { ApiKeys } from "../../src/auth/ApiKeys.ts"
import type { ApiKeysOptions } from "../../src/auth/ApiKeys.ts"

const database = Layer.effectDiscard(runMigrations([apiKeyMigrations])).pipe(
  Layer.provideMerge(sqlite({ filename: ":memory:" }))
)

const keysOn = (options?: ApiKeysOptions) => Layer.provideMerge(ApiKeys.layer(options), database)

/** The keys of a cell, on a database of its own. */
const keysOf = (cell: string | null) =>
  Effect.map(
    Layer.build(Layer.fresh(ApiKeys.layer().pipe(Layer.provide([Layer.fresh(database), Layer.succeed(Cell, cell)])))),
    (context) => Context.get(context, ApiKeys)
  )

/** The service as another process beside the first would have it: the same database, a memory of its own. */
const otherProcess = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* ApiKeys.pipe(
    Effect.provide(Layer.fresh(ApiKeys.layer()).pipe(Layer.provide(Layer.succeed(SqlClient.SqlClient, sql))))
  )
})

const test = { account: "default", mode: "test", name: "shop" } as const

const bearer = (key: Redacted.Redacted) => `Bearer ${Redacted.value(key)}`

const because = (authorization: string | undefined) =>
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const error = yield* Effect.flip(keys.authenticate(authorization))
    return error._tag === "Unauthorized" ? error.because : error._tag
  })

describe("ApiKeys", () => {
  it.effect("a key that was made authenticates its account and mode", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { key, record } = yield* keys.create({ ...test, account: "acme", mode: "live" })
      const principal = { account: "acme", livemode: true, keyId: record.keyId }
      assert.deepStrictEqual(yield* keys.authenticate(bearer(key)), principal)
      assert.deepStrictEqual(yield* keys.authenticate(`bEARER   ${Redacted.value(key)}`), principal)
      const other = yield* otherProcess
      assert.deepStrictEqual(yield* other.authenticate(bearer(key)), principal)
    }).pipe(Effect.provide(keysOn()))
  )

  it.effect("shows when a key was last used, to the minute, and only of the key that was", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { key, record } = yield* keys.create(test)
      const { record: unused } = yield* keys.create({ ...test, mode: "live" })
      const lastUsed = Effect.map(
        keys.list("default"),
        (all) => new Map(all.map(({ keyId, lastUsedAt }) => [keyId, lastUsedAt]))
      )
      assert.isNull((yield* lastUsed).get(record.keyId))
      const start = 1_700_000_000_000
      for (const [after, expected] of [
        [0, 0],
        [59_000, 0],
        [61_000, 61_000],
        // The clock was set back: the later time stays.
        [5000, 61_000]
      ] as const) {
        yield* TestClock.setTime(start + after)
        yield* keys.authenticate(bearer(key))
        yield* Effect.yieldNow
        assert.strictEqual((yield* lastUsed).get(record.keyId), start + expected)
      }
      assert.isNull((yield* lastUsed).get(unused.keyId))
    }).pipe(Effect.provide(keysOn()))
  )

  it.effect("the database holds the hash of a key, never its text", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const sql = yield* SqlClient.SqlClient
      yield* TestClock.setTime(1_700_000_000_123)
      const { key, record } = yield* keys.create(test)
      const rows = yield* sql`SELECT * FROM paymux_api_keys`
      assert.strictEqual(rows[0]?.["hash"], ApiKey.hash(Redacted.value(key)))
      assert.strictEqual(rows[0]?.["created_at"], 1_700_000_000_123)
      assert.notInclude(JSON.stringify(rows), Redacted.value(key))
      assert.notInclude(JSON.stringify([record, yield* keys.list("default"), key]), Redacted.value(key))
    }).pipe(Effect.provide(keysOn()))
  )

  it.effect("without a key that holds, the reason is known and the answer is one", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { key, record } = yield* keys.create(test)
      const text = Redacted.value(key)
      assert.strictEqual(yield* because(undefined), "missing")
      for (const malformed of [
        "",
        "Bearer",
        "Bearer ",
        text,
        `Basic ${text}`,
        `Bearer ${text.slice(0, -1)}`,
        `Bearer ${text} ${text}`,
        `Bearer ${text},`,
        `Bearer ${text.replace("test", "live")}`
      ]) {
        assert.strictEqual(yield* because(malformed), "malformed")
      }
      assert.strictEqual(yield* because(`Bearer ${ApiKey.generate("test")}`), "unknown")
      yield* keys.revoke(record.keyId)
      assert.strictEqual(yield* because(bearer(key)), "revoked")
    }).pipe(Effect.provide(keysOn()))
  )

  it.effect(
    "a key has the name of its cell; that of another cell is refused as such, whether it exists there or not",
    () =>
      Effect.gen(function* () {
        const [eu1, us1, plain] = [yield* keysOf("eu1"), yield* keysOf("us1"), yield* keysOf(null)]
        const ofEu1 = Redacted.value((yield* eu1.create(test)).key)
        assert.strictEqual(ApiKey.parse(ofEu1)?.cell, "eu1")
        assert.strictEqual(ApiKey.parse(yield* eu1.ensureReadableTestKey("default"))?.cell, "eu1")
        assert.strictEqual((yield* eu1.authenticate(`Bearer ${ofEu1}`)).account, "default")
        for (const key of [ofEu1, ApiKey.generate("test", undefined, "eu1")]) {
          for (const [keys, here] of [
            [us1, "us1"],
            [plain, null]
          ] as const) {
            const error = yield* Effect.flip(keys.authenticate(`Bearer ${key}`))
            assert.deepStrictEqual(error, new ApiKeyOfOtherCell({ cell: "eu1", here }))
          }
        }
        const unknown = ApiKey.generate("test", undefined, "us1")
        assert.deepInclude(yield* Effect.flip(us1.authenticate(`Bearer ${unknown}`)), { because: "unknown" })
        const tampered = `Bearer ${ofEu1.replace("eu1", "eu2")}`
        assert.deepInclude(yield* Effect.flip(us1.authenticate(tampered)), { because: "malformed" })
      })
  )

  it.effect(
    "keys that a database has are accepted in any cell: from before it was one, or of an account that was moved",
    () =>
      Effect.gen(function* () {
        const { key } = yield* ApiKeys.use((keys) => keys.create(test))
        const sql = yield* SqlClient.SqlClient
        const moved = ApiKey.generate("test", undefined, "us1")
        yield* sql`INSERT INTO paymux_api_keys (id, account, livemode, name, hash, last4, created_at)
        VALUES ('key_moved', 'moved', 0, 'shop', ${ApiKey.hash(moved)}, ${moved.slice(-4)}, 0)`
        const eu1 = yield* ApiKeys.pipe(
          Effect.provide(
            Layer.fresh(ApiKeys.layer()).pipe(
              Layer.provide([Layer.succeed(SqlClient.SqlClient, sql), Layer.succeed(Cell, "eu1")])
            )
          )
        )
        assert.strictEqual((yield* eu1.authenticate(bearer(key))).account, "default")
        assert.strictEqual((yield* eu1.authenticate(`Bearer ${moved}`)).account, "moved")
        yield* eu1.revoke("key_moved")
        assert.deepInclude(yield* Effect.flip(eu1.authenticate(`Bearer ${moved}`)), { because: "revoked" })
      }).pipe(Effect.provide(keysOn()))
  )

  it.effect("a malformed key costs no look-up, a good one at most one in a second", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const sql = yield* SqlClient.SqlClient
      const { key, record } = yield* keys.create(test)
      yield* keys.authenticate(bearer(key))
      // Without its table every look-up fails.
      yield* sql`ALTER TABLE paymux_api_keys RENAME TO away`
      assert.strictEqual(yield* because("Bearer pmx_test_1"), "malformed")
      assert.strictEqual(yield* because(`Bearer ${ApiKey.generate("test")}`), "ApiKeysUnavailable")
      yield* TestClock.adjust(999)
      assert.strictEqual((yield* keys.authenticate(bearer(key))).keyId, record.keyId)
      yield* TestClock.adjust(1)
      assert.strictEqual(yield* because(bearer(key)), "ApiKeysUnavailable")
    }).pipe(Effect.provide(keysOn()))
  )

  it.effect("the look-up goes through an index", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [plan] = yield* sql<{ detail: string }>`EXPLAIN QUERY PLAN SELECT id FROM paymux_api_keys WHERE hash = 'x'`
      assert.match(plan?.detail ?? "", /^SEARCH .* USING INDEX/)
    }).pipe(Effect.provide(keysOn()))
  )

  it.effect("a revoked key stops at once where it was revoked, and within a second everywhere", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const other = yield* otherProcess
      const { key, record } = yield* keys.create(test)
      yield* other.authenticate(bearer(key))
      yield* keys.authenticate(bearer(key))
      yield* TestClock.adjust(500)
      yield* keys.revoke(record.keyId)
      assert.strictEqual(yield* because(bearer(key)), "revoked")
      yield* TestClock.adjust(500)
      const late = yield* Effect.flip(other.authenticate(bearer(key)))
      assert.deepInclude(late, { _tag: "Unauthorized", because: "revoked" })
    }).pipe(Effect.provide(keysOn()))
  )

  it.effect.each(["revoked", "expired"] as const)("nor is it accepted from the cache once it was %s", (end) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [read, answer] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      // Another connection of a pool: what it has read arrives after what was written since.
      const late = new Proxy(sql, {
        apply: (target, self, args: ReadonlyArray<unknown>) => {
          const statement: unknown = Reflect.apply(target, self, args)
          return Effect.isEffect(statement) && String(args[0]).includes("WHERE hash")
            ? Effect.tap(statement, Effect.andThen(Deferred.succeed(read, undefined), Deferred.await(answer)))
            : statement
        }
      })
      const keys = yield* ApiKeys.pipe(
        Effect.provide(Layer.fresh(ApiKeys.layer()).pipe(Layer.provide(Layer.succeed(SqlClient.SqlClient, late))))
      )
      const { key, record } = yield* keys.create(test)
      const asked = yield* Effect.forkChild(keys.authenticate(bearer(key)))
      yield* Deferred.await(read)
      yield* end === "revoked" ? keys.revoke(record.keyId) : keys.rotate(record.keyId, { overlap: 0 })
      yield* Deferred.succeed(answer, undefined)
      // It came before the end.
      assert.strictEqual((yield* Fiber.join(asked)).keyId, record.keyId)
      const later = yield* Effect.flip(keys.authenticate(bearer(key)))
      assert.deepInclude(later, { _tag: "Unauthorized", because: end })
    }).pipe(Effect.provide(keysOn()))
  )

  it.effect("a clock that is set back keeps no revoked key alive", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const other = yield* otherProcess
      yield* TestClock.setTime(10_000_000)
      const { key, record } = yield* keys.create(test)
      yield* other.authenticate(bearer(key))
      yield* keys.revoke(record.keyId)
      yield* TestClock.setTime(5_000_000)
      assert.strictEqual((yield* Effect.flip(other.authenticate(bearer(key))))._tag, "Unauthorized")
    }).pipe(Effect.provide(keysOn()))
  )

  it.effect("two keys of an account and mode are active at most; revoking one makes room", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const first = yield* keys.create(test)
      yield* keys.create(test)
      const refused = yield* Effect.flip(keys.create(test))
      assert.strictEqual(refused._tag, "TooManyApiKeys")
      assert.include(String(refused), "Account default has 2 active test keys already: revoke one first.")
      yield* keys.create({ ...test, mode: "live" })
      yield* keys.create({ ...test, account: "acme" })
      yield* keys.revoke(first.record.keyId)
      yield* keys.create(test)
      assert.strictEqual((yield* keys.list("default")).length, 4)
    }).pipe(Effect.provide(keysOn()))
  )

  it.effect("keys made at the same time do not get past the limit, which may be configured", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const made = yield* Effect.forEach([1, 2, 3, 4, 5], () => Effect.option(keys.create(test)), {
        concurrency: "unbounded"
      })
      assert.strictEqual(made.filter(({ _tag }) => _tag === "Some").length, 3)
    }).pipe(Effect.provide(keysOn({ maxActive: 3 })))
  )

  it.effect("the list shows the account's keys, newest first, the revoked too", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      yield* TestClock.setTime(1000)
      const old = yield* keys.create({ ...test, name: "old" })
      yield* TestClock.setTime(2000)
      const { key } = yield* keys.create({ ...test, name: "new", mode: "live" })
      yield* keys.create({ ...test, account: "acme" })
      yield* TestClock.setTime(3000)
      yield* keys.revoke(old.record.keyId)
      const list = yield* keys.list("default")
      assert.deepStrictEqual(
        list.map(({ createdAt, livemode, name, revokedAt }) => ({ createdAt, livemode, name, revokedAt })),
        [
          { name: "new", livemode: true, createdAt: 2000, revokedAt: null },
          { name: "old", livemode: false, createdAt: 1000, revokedAt: 3000 }
        ]
      )
      assert.strictEqual(list[0]?.display, `pmx_live_…${Redacted.value(key).slice(-4)}`)
    }).pipe(Effect.provide(keysOn()))
  )

  it.effect("revoking again changes nothing, revoking what is not there says so", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { record } = yield* keys.create(test)
      yield* TestClock.setTime(5000)
      const revoked = yield* keys.revoke(record.keyId)
      yield* TestClock.setTime(6000)
      assert.deepStrictEqual(yield* keys.revoke(record.keyId), revoked)
      assert.strictEqual(revoked.revokedAt, 5000)
      const missing = yield* Effect.flip(keys.revoke("key_none"))
      assert.deepInclude(missing, { _tag: "ApiKeyNotFound", keyId: "key_none" })
    }).pipe(Effect.provide(keysOn()))
  )

  it.effect("the sandbox key is one per database, works, and takes no place from other keys", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const other = yield* otherProcess
      const texts = yield* Effect.all([keys.ensureReadableTestKey("default"), other.ensureReadableTestKey("default")], {
        concurrency: "unbounded"
      })
      assert.strictEqual(texts[0], texts[1])
      assert.strictEqual(ApiKey.parse(texts[0])?.mode, "test")
      const principal = yield* keys.authenticate(`Bearer ${texts[0]}`)
      assert.deepInclude(principal, { account: "default", livemode: false })
      yield* keys.create(test)
      yield* keys.create(test)
      assert.strictEqual(yield* keys.ensureReadableTestKey("default"), texts[0])
      yield* keys.revoke(principal.keyId)
      const next = yield* keys.ensureReadableTestKey("default")
      assert.notStrictEqual(next, texts[0])
      assert.strictEqual(yield* because(`Bearer ${texts[0]}`), "revoked")
    }).pipe(Effect.provide(keysOn()))
  )

  it.effect("no live key can be kept readable", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const sql = yield* SqlClient.SqlClient
      yield* keys.create({ ...test, mode: "live" })
      const error = yield* Effect.flip(sql`UPDATE paymux_api_keys SET readable = 'pmx_live_x'`)
      assert.strictEqual(error._tag, "SqlError")
    }).pipe(Effect.provide(keysOn()))
  )
})
