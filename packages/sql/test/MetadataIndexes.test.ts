import { everyPayment, PaymentStore } from "@paymux/core/store"
import { PaymentRecords } from "@paymux/test-suites"
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { temporaryDatabase } from "../../../test/support/PostgresDatabases.ts"
import {
  buildMetadataIndexes,
  coreMigrations,
  missingMetadataIndexes,
  PostgresClient,
  PostgresPaymentStore,
  runMigrations,
  SqliteClient,
  SqlitePaymentStore
} from "../src/index.ts"

const { aRecord, paymentId, tenant } = PaymentRecords

const migrated = Layer.effectDiscard(runMigrations([coreMigrations]))
const onSqlite = migrated.pipe(Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" })))
const onPostgres = Layer.unwrap(
  Effect.map(temporaryDatabase([coreMigrations]), (url) => PostgresClient.layer({ url: Redacted.make(url) }))
)

/** Keys that differ in the case of a letter alone, the longest there is, and every character that one may have. */
const keys = ["order_id", "Order_id", "ORDER_ID", "a.b-c", "9", "K".repeat(40)]

/** The longest values, of characters that take most bytes, that JSON escapes, and that PostgreSQL cannot hold. */
const values = [
  "",
  "42",
  'quo"te \\u0000 \\ /',
  "\u0000".repeat(500),
  "\ud800".repeat(500),
  "\u001a".repeat(500),
  "\u0001".repeat(500),
  "😀".repeat(250),
  "漢".repeat(500),
  `${"x".repeat(400)}1`,
  `${"x".repeat(400)}2`
]

const suite = Effect.gen(function* () {
  assert.deepStrictEqual(yield* missingMetadataIndexes(keys), keys)
  assert.deepStrictEqual(yield* buildMetadataIndexes(keys.slice(0, 2)), keys.slice(0, 2))
  assert.deepStrictEqual(yield* buildMetadataIndexes(keys), keys.slice(2))
  assert.deepStrictEqual(yield* buildMetadataIndexes(keys), [])
  assert.deepStrictEqual(yield* missingMetadataIndexes([...keys, "more"]), ["more"])
})

const unfit = ["", "a b", 'a"', "a'", "ä", "k".repeat(41)]

const refuses = Effect.forEach(unfit, (key) =>
  Effect.map(Effect.exit(buildMetadataIndexes([key])), (exit) => assert.isTrue(Exit.isFailure(exit), key))
)

const found = Effect.gen(function* () {
  const store = yield* PaymentStore
  for (const [n, value] of values.entries()) {
    yield* store.begin({ record: aRecord(n, { metadata: { order_id: value, other: "x" } }), binding: null })
  }
  yield* store.begin({ record: aRecord(90, { metadata: { other: "42" } }), binding: null })
  const listed = (asked: ReadonlyArray<string>) =>
    Effect.map(store.list(tenant, { ...everyPayment, metadata: { order_id: asked } }), ({ records }) =>
      records.map(({ payment }) => payment.id)
    )
  for (const [n, value] of values.entries()) assert.deepStrictEqual(yield* listed([value]), [paymentId(n)], value)
  assert.deepStrictEqual(yield* listed(values), values.map((_, n) => paymentId(n)).toReversed())
  assert.deepStrictEqual(yield* listed(["42", "43"]), [paymentId(1)])
  assert.deepStrictEqual(yield* listed(["43"]), [])
})

describe("indexes of metadata on SQLite", () => {
  it.effect("are made for the keys that have none, each once", () => Effect.provide(suite, onSqlite))

  it.effect("are refused for a key that could not stand in SQL", () => Effect.provide(refuses, onSqlite))

  it.effect("refuse no payment, find every value, and hold only payments that have the key", () =>
    Effect.gen(function* () {
      yield* buildMetadataIndexes(["order_id"])
      yield* Effect.provide(found, SqlitePaymentStore.layer)
      const sql = yield* SqlClient.SqlClient
      yield* sql`ANALYZE`
      const [entries] = yield* sql`SELECT stat FROM sqlite_stat1 WHERE idx = 'payments_by_metadata_order_id'`
      assert.match(String(entries?.["stat"]), new RegExp(`^${values.length} `))
    }).pipe(Effect.provide(onSqlite))
  )
})

describe("indexes of metadata on PostgreSQL", () => {
  it.live("are made for the keys that have none, each once", () => Effect.provide(suite, onPostgres))

  it.live("are refused for a key that could not stand in SQL", () => Effect.provide(refuses, onPostgres))

  it.live("refuse no payment, find every value, and hold only payments that have the key", () =>
    Effect.gen(function* () {
      yield* buildMetadataIndexes(["order_id"])
      yield* Effect.provide(found, PostgresPaymentStore.layer)
      const sql = yield* SqlClient.SqlClient
      yield* sql`REINDEX INDEX payments_by_metadata_order_id`
      const entries = yield* sql`SELECT reltuples FROM pg_class WHERE relname = 'payments_by_metadata_order_id'`
      assert.deepStrictEqual(entries, [{ reltuples: values.length }])
    }).pipe(Effect.provide(onPostgres))
  )

  it.live("are built while payments are written, by one of many at once; one whose build failed is built again", () =>
    Effect.gen(function* () {
      const url = Redacted.make(yield* temporaryDatabase([coreMigrations]))
      const sessions = yield* Effect.forEach([1, 2, 3], () => Layer.build(Layer.fresh(PostgresClient.layer({ url }))))
      const [sql] = sessions.map((context) => Context.get(context, SqlClient.SqlClient))
      if (sql === undefined) return assert.fail()
      yield* Effect.provide(
        PaymentStore.use((store) =>
          store.begin({ record: aRecord(1, { metadata: { order_id: "1" } }), binding: null })
        ),
        PostgresPaymentStore.layer.pipe(Layer.provide(PostgresClient.layer({ url })))
      )
      // What an index that failed on the way leaves behind.
      yield* sql`CREATE INDEX payments_by_metadata_order_id ON payments (account)`
      yield* sql`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'payments_by_metadata_order_id'::regclass`
      const built = yield* Effect.forEach(
        sessions,
        (context) => Effect.provideContext(buildMetadataIndexes(["order_id", "sku"]), context),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(built[0], ["order_id", "sku"])
      const indexes = yield* sql`SELECT indexrelid::regclass::text AS name, indisvalid FROM pg_index
        WHERE indexrelid::regclass::text LIKE 'payments_by_metadata%' ORDER BY 1`
      assert.deepStrictEqual(indexes, [
        { name: "payments_by_metadata_order_id", indisvalid: true },
        { name: "payments_by_metadata_sku", indisvalid: true }
      ])
      const [settings] = yield* sql`SELECT current_setting('statement_timeout') AS statement_timeout,
        (SELECT count(*)::integer FROM pg_locks JOIN pg_database d ON d.oid = database
          WHERE locktype = 'advisory' AND datname = current_database()) AS locks`
      assert.deepStrictEqual(settings, { statement_timeout: "5333ms", locks: 0 })
    })
  )
})
