/** A key in the place of another, on both databases: both hold for a time, and then the new one alone. */
import { assert, describe, it } from "@effect/vitest"
import { PostgresClient, runMigrations, SqliteClient } from "@paymux/sql"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { temporaryDatabase } from "../../../../test/support/PostgresDatabases.ts"
import { apiKeyMigrations } from "../../src/Migrations.ts"
import { ApiKeys } from "../../src/auth/ApiKeys.ts"
import type { RotateApiKey } from "../../src/auth/ApiKeys.ts"

const DAY = 86_400_000
const start = 1_790_000_000_000

const sqlite = Layer.provideMerge(
  Layer.effectDiscard(runMigrations([apiKeyMigrations])),
  SqliteClient.layer({ filename: ":memory:" })
)

const postgres = Layer.unwrap(
  Effect.map(temporaryDatabase([apiKeyMigrations]), (url) => PostgresClient.layer({ url: Redacted.make(url) }))
)

const shop = { account: "acme", mode: "live", name: "shop" } as const
const tenant = { account: "acme", livemode: true }

const rotate = (keyId: string, rotation?: RotateApiKey) => ApiKeys.use((keys) => keys.rotate(keyId, rotation))

/** In words, why a key is not rotated. */
const refusal = (keyId: string, rotation?: RotateApiKey) =>
  Effect.map(Effect.flip(rotate(keyId, rotation)), (error) =>
    error._tag === "ApiKeyNotRotated" ? error.reason : error._tag
  )

const answer = (key: Redacted.Redacted) =>
  ApiKeys.use((keys) => keys.authenticate(`Bearer ${Redacted.value(key)}`)).pipe(
    Effect.map(({ keyId }) => keyId),
    Effect.catch((error) => Effect.succeed(error._tag === "Unauthorized" ? error.because : error._tag))
  )

/** The service as another process beside the first would have it: the same database, a memory of its own. */
const elsewhere = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.provide(effect, Layer.fresh(ApiKeys.layer()).pipe(Layer.provide(Layer.succeed(SqlClient.SqlClient, sql))), {
      local: true
    })
  )

const databases: ReadonlyArray<readonly [string, Layer.Layer<SqlClient.SqlClient>]> = [
  ["SQLite", Layer.orDie(sqlite)],
  ["PostgreSQL", Layer.orDie(postgres)]
]

for (const [database, layer] of databases) {
  describe(`rotation of an API key, on ${database}`, () => {
    const onDatabase = <A, E>(what: string, test: Effect.Effect<A, E, ApiKeys | SqlClient.SqlClient>) =>
      it.effect(what, () =>
        Effect.andThen(TestClock.setTime(start), test).pipe(
          Effect.provide(Layer.provideMerge(ApiKeys.layer(), layer), { local: true })
        )
      )

    onDatabase(
      "both hold for a day, to the millisecond, then the new one alone, also where the former is remembered",
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const former = yield* keys.create(shop)
        const { formerExpiresAt, key, record } = yield* rotate(former.record.keyId)
        assert.deepInclude(record, { ...tenant, name: "shop", createdAt: start, revokedAt: null, expiresAt: null })
        assert.strictEqual(formerExpiresAt, start + DAY)
        yield* TestClock.setTime(start + DAY - 1)
        assert.strictEqual(yield* answer(former.key), former.record.keyId)
        assert.strictEqual(yield* answer(key), record.keyId)
        yield* TestClock.adjust(1)
        assert.strictEqual(yield* answer(former.key), "expired")
        assert.strictEqual(yield* answer(key), record.keyId)
        assert.deepStrictEqual(
          new Map((yield* keys.list("acme")).map(({ expiresAt, keyId }) => [keyId, expiresAt])),
          new Map([
            [former.record.keyId, start + DAY],
            [record.keyId, null]
          ])
        )
      })
    )

    onDatabase(
      "without an overlap the former is refused at once, and within a second where another process remembers it",
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const former = yield* keys.create(shop)
        assert.strictEqual(yield* answer(former.key), former.record.keyId)
        yield* elsewhere(rotate(former.record.keyId, { overlap: 0 }))
        yield* TestClock.adjust(1000)
        assert.strictEqual(yield* answer(former.key), "expired")
        const next = yield* keys.create(shop)
        assert.strictEqual(yield* answer(next.key), next.record.keyId)
        yield* rotate(next.record.keyId, { overlap: 0 })
        assert.strictEqual(yield* answer(next.key), "expired")
      })
    )

    onDatabase(
      "a key that has expired takes no place, one that expires does",
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const first = yield* keys.create(shop)
        const second = yield* rotate(first.record.keyId, { overlap: 5000 })
        assert.strictEqual((yield* Effect.flip(keys.create(shop)))._tag, "TooManyApiKeys")
        assert.strictEqual(yield* refusal(second.record.keyId), "too_many")
        assert.strictEqual(yield* answer(second.key), second.record.keyId)
        assert.deepStrictEqual(yield* keys.active, [{ ...tenant, active: 2 }])
        yield* TestClock.adjust(5000)
        assert.deepStrictEqual(yield* keys.active, [{ ...tenant, active: 1 }])
        yield* rotate(second.record.keyId)
      })
    )

    onDatabase(
      "two rotations at once make one key",
      Effect.gen(function* () {
        const { record } = yield* ApiKeys.use((keys) => keys.create(shop))
        const once = Effect.match(rotate(record.keyId), {
          onSuccess: () => "made",
          onFailure: (error) => (error._tag === "ApiKeyNotRotated" ? error.reason : error._tag)
        })
        const ends = yield* Effect.all([once, elsewhere(once), once], { concurrency: "unbounded" })
        assert.sameMembers(ends, ["made", "being_replaced", "being_replaced"])
        assert.strictEqual((yield* ApiKeys.use((keys) => keys.list("acme"))).length, 2)
      })
    )

    onDatabase(
      "is refused in words, and changes nothing: what is not there, not theirs, over, or too long",
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const { record } = yield* keys.create(shop)
        assert.strictEqual(yield* refusal("key_none"), "ApiKeyNotFound")
        assert.strictEqual(yield* refusal(record.keyId, { of: { ...tenant, livemode: false } }), "ApiKeyNotFound")
        assert.strictEqual(yield* refusal(record.keyId, { of: { ...tenant, account: "other" } }), "ApiKeyNotFound")
        for (const overlap of [-1, 0.5, Number.NaN, 30 * DAY + 1, Number.POSITIVE_INFINITY]) {
          assert.strictEqual(yield* refusal(record.keyId, { overlap }), "overlap", String(overlap))
        }
        assert.deepStrictEqual(yield* keys.list("acme"), [record])

        const { record: next } = yield* rotate(record.keyId, { overlap: 30 * DAY, of: tenant })
        assert.strictEqual(yield* refusal(record.keyId), "being_replaced")
        yield* TestClock.adjust(30 * DAY)
        assert.strictEqual(yield* refusal(record.keyId), "expired")
        yield* keys.revoke(next.keyId)
        assert.strictEqual(yield* refusal(next.keyId), "revoked")
        const own = yield* keys.authenticate(`Bearer ${yield* keys.ensureReadableTestKey("default")}`)
        assert.strictEqual(yield* refusal(own.keyId), "sandbox")
        assert.match(String(yield* Effect.flip(rotate(own.keyId))), /the sandbox's own: revoke it/)
      })
    )

    onDatabase(
      "what cannot be the id of a key is none's",
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        for (const id of ["", "key_", "key_\u0000", "key_a' OR 1=1 --", `key_${"a".repeat(10_000)}`, "\ud800"]) {
          assert.strictEqual(yield* refusal(id), "ApiKeyNotFound")
          assert.strictEqual((yield* Effect.flip(keys.revoke(id)))._tag, "ApiKeyNotFound")
        }
      })
    )

    onDatabase(
      "a key is revoked by its own account and mode only",
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const { key, record } = yield* keys.create(shop)
        for (const other of [
          { ...tenant, livemode: false },
          { ...tenant, account: "other" }
        ]) {
          assert.strictEqual((yield* Effect.flip(keys.revoke(record.keyId, other)))._tag, "ApiKeyNotFound")
        }
        assert.strictEqual(yield* answer(key), record.keyId)
        yield* keys.revoke(record.keyId, tenant)
        assert.strictEqual(yield* answer(key), "revoked")
      })
    )

    onDatabase(
      "its name is a word for a table: nothing else is kept",
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        for (const name of [
          "",
          "a\u0000b",
          "\u001b[31mred",
          "two\nlines",
          "live\u202etset",
          "a\u2066b",
          "a\u2028b",
          "n".repeat(101)
        ]) {
          const error = yield* Effect.flip(keys.create({ ...shop, name }))
          assert.strictEqual(error._tag, "ApiKeyNameInvalid", JSON.stringify(name))
        }
        assert.deepStrictEqual(yield* keys.list("acme"), [])
        const { record } = yield* keys.create({ ...shop, name: "Kasse München, Tür 2" })
        assert.strictEqual(record.name, "Kasse München, Tür 2")
      })
    )
  })
}

describe("keys of a database that was made before keys could expire", () => {
  it.effect("hold on, and are rotated", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const first = { ...apiKeyMigrations, migrations: apiKeyMigrations.migrations.slice(0, 1) }
      yield* runMigrations([first])
      yield* sql`INSERT INTO paymux_api_keys (id, account, livemode, name, hash, last4, created_at)
        VALUES ('key_old', 'acme', 1, 'shop', 'hash', 'abcd', 1000)`
      yield* runMigrations([apiKeyMigrations])
      const { record } = yield* rotate("key_old")
      assert.deepInclude(record, { ...tenant, name: "shop" })
    }).pipe(
      Effect.provide(Layer.provideMerge(ApiKeys.layer(), SqliteClient.layer({ filename: ":memory:" })), {
        local: true
      })
    )
  )
})
