import { assert, describe, it } from "@effect/vitest"
import { everyPayment, PaymentStore } from "@paymux/core"
import type { MigrationSet } from "@paymux/core"
import { PaymentRecords } from "@paymux/testkit"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { temporaryDatabase } from "../../../test/support/PostgresDatabases.ts"
import {
  coreMigrations,
  PostgresClient,
  PostgresPaymentStore,
  runMigrations,
  SqliteClient,
  SqlitePaymentStore
} from "../src/index.ts"
import { pendingIndexes } from "../src/postgres/pendingIndexes.ts"

const { aCard, aRecord, anAttempt, currency, nextVersion, operationId, paymentId, tenant } = PaymentRecords

const upTo = (id: number): MigrationSet => ({ ...coreMigrations, migrations: coreMigrations.migrations.slice(0, id) })

/** A payment in review, its attempt and its operation, as the first version of the tables had them. */
const written = (yes: string, no: string) => [
  `INSERT INTO payments (id, account, livemode, status, state, rail, method, minor_units, currency, capture_method,
    customer, customer_email, metadata, amount_captured, amount_refunded, review, provider, routing, pending_announced,
    event_sequence, deadline_at, version, created_at, updated_at)
  VALUES ('${paymentId(1)}', 'default', ${no}, 'pending', '{"status":"pending","reason":"processing","nextAction":null}',
    'upi', '{"rail":"upi","flow":"intent","vpa":null}', 10000, 'INR', 'automatic',
    '{"email":"payer@example.com","phone":"+919999999999","name":null}', 'payer@example.com', '{}', 0, 0,
    'late_success_after_cancel', 'acme',
    '{"rule":"default","ruleset":"sha256:00","reason":"priority","candidates":[],"dropped":[]}', ${no}, 0, 46000, 1,
    1001, 1001)`,
  `INSERT INTO attempts (payment_id, seq, provider, status, reason, action_shown, late, started_at)
    VALUES ('${paymentId(1)}', 1, 'acme', 'sending', 'priority', ${no}, ${yes}, 1000)`,
  `INSERT INTO operations (payment_id, position, id, attempt_seq, provider, kind, minor_units, status, key, owner,
    unsettled, checks, deadline_at, next_check_at, created_at)
  VALUES ('${paymentId(1)}', 0, '${operationId(1)}', 1, 'acme', 'create', 10000, 'sending', 'key-1-1', 'engine-1',
    ${no}, 0, 31000, 36000, 1000)`
]

const upgraded = Effect.gen(function* () {
  yield* runMigrations([coreMigrations])
  const store = yield* PaymentStore
  const fresh = aRecord(1, { amount: { minorUnits: 10_000, currency: currency("INR") } })
  const before = {
    ...fresh,
    payment: { ...fresh.payment, review: { reason: "late_success" as const } },
    attempts: fresh.attempts.map((attempt) => ({ ...attempt, late: true }))
  }
  assert.deepStrictEqual(yield* store.get(paymentId(1)), before)
  assert.deepStrictEqual((yield* store.list(tenant, { ...everyPayment, inReview: true })).records, [before])
  const after = nextVersion(before, { review: null, disputedAt: 9_000 })
  yield* store.advance({ before, after, event: null, evidence: null, binding: null, answer: null })
  assert.deepStrictEqual(yield* store.get(paymentId(1)), after)
})

const asFirstVersion = Effect.fnUntraced(function* (yes: string, no: string) {
  const sql = yield* SqlClient.SqlClient
  yield* runMigrations([upTo(1)])
  for (const statement of written(yes, no)) yield* sql.unsafe(statement)
})

describe("a payment that the first version of the tables holds is read and written by this one", () => {
  it.effect("on SQLite", () =>
    Effect.andThen(asFirstVersion("1", "0"), upgraded).pipe(
      Effect.provide(SqlitePaymentStore.layer.pipe(Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" }))))
    )
  )

  it.live("on PostgreSQL", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase([])
      const client = PostgresClient.layer({ url: Redacted.make(url) })
      yield* Effect.andThen(asFirstVersion("true", "false"), upgraded).pipe(
        Effect.provide(PostgresPaymentStore.layer.pipe(Layer.provideMerge(client)))
      )
    })
  )
})

describe("the card of a payment that the third version of the tables holds is found by this one", () => {
  it.effect("on SQLite", () =>
    paidByCard.pipe(
      Effect.provide(SqlitePaymentStore.layer.pipe(Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" }))))
    )
  )

  it.live("on PostgreSQL", () =>
    Effect.gen(function* () {
      const client = PostgresClient.layer({ url: Redacted.make(yield* temporaryDatabase([])) })
      yield* paidByCard.pipe(Effect.provide(PostgresPaymentStore.layer.pipe(Layer.provideMerge(client))))
    })
  )
})

const paidByCard = Effect.gen(function* () {
  yield* runMigrations([upTo(3)])
  const store = yield* PaymentStore
  const fingerprint = 'quo"te \\u0000 \u0000'
  const methods = [
    aCard({ fingerprint, tokens: { acme: { odd: "\ud800" } } }),
    aCard({ fingerprint: "fp_1" }),
    aCard(),
    { rail: "upi", flow: "intent", vpa: null } as const
  ]
  const attempt = anAttempt(1, { status: "declined", code: "do_not_honor", endedAt: 9_000 })
  yield* Effect.forEach(methods, (method, index) =>
    store.begin({ record: { ...aRecord(index + 1, { method }), attempts: [attempt] }, binding: null })
  )
  const applied = yield* runMigrations([coreMigrations])
  assert.deepStrictEqual(
    applied.map(({ migration }) => migration.id),
    coreMigrations.migrations.slice(3).map(({ id }) => id)
  )
  for (const known of [fingerprint, "fp_1"]) {
    assert.deepStrictEqual(yield* store.cardDeclines(tenant, { fingerprint: known, since: 0, limit: 9 }), [
      { code: "do_not_honor", isFinal: false, endedAt: 9_000 }
    ])
  }
})

describe("on PostgreSQL an index of a table that is there", () => {
  const indexes = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return yield* sql`SELECT indexname AS name, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`
  })
  const at = (url: string) => PostgresClient.layer({ url: Redacted.make(url) })

  it.live("is built before the step that asks for it, while others write, and is the one that a new database has", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase([])
      const fresh = yield* Effect.provide(indexes, at(yield* temporaryDatabase([coreMigrations])))
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* runMigrations([upTo(2)])
        // The steps themselves fail here: what is there afterwards was built before them.
        yield* sql`CREATE TABLE stop (id integer)`
        const last = coreMigrations.migrations.length + 1
        const stop = { id: last, name: "stop", sqlite: [], pg: ["CREATE TABLE stop (id integer)"] }
        const stopped = { ...coreMigrations, migrations: [...coreMigrations.migrations, stop] }
        assert.strictEqual((yield* Effect.flip(runMigrations([stopped])))._tag, "MigrationError")
        const built = yield* indexes
        yield* sql`DROP TABLE stop`
        yield* runMigrations([coreMigrations])
        assert.deepStrictEqual(
          built.filter(({ name }) => name !== "stop"),
          yield* indexes
        )
        assert.deepStrictEqual(yield* indexes, fresh)
      }).pipe(Effect.provide(at(url)))
    })
  )

  it.live("and whose building failed is built again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* runMigrations([upTo(4)])
      // What is left behind on the way.
      yield* sql`CREATE INDEX payments_out_of_order ON payments (account)`
      yield* sql`UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'payments_out_of_order'::regclass`
      yield* runMigrations([coreMigrations])
      const found = yield* sql`SELECT indisvalid, pg_get_indexdef(indexrelid) LIKE '%WHERE%' AS partial FROM pg_index
        WHERE indexrelid = 'payments_out_of_order'::regclass`
      assert.deepStrictEqual(found, [{ indisvalid: true, partial: true }])
    }).pipe(Effect.provide(Layer.unwrap(Effect.map(temporaryDatabase([]), at))))
  )

  it("is not built before a step that makes or changes its table", () => {
    const index = (name: string, table: string) => `CREATE INDEX IF NOT EXISTS ${name} ON ${table} (id) WHERE id > 1`
    const statements = [
      index("a", "old"),
      "ALTER TABLE changed ADD COLUMN id integer",
      index("b", "changed"),
      index("c", "old"),
      "CREATE TABLE made (id integer)",
      index("d", "made"),
      "CREATE INDEX e ON old (id)",
      "CREATE UNIQUE INDEX IF NOT EXISTS f ON old (id)"
    ]
    assert.deepStrictEqual(
      pendingIndexes(statements).map(({ name }) => name),
      ["a", "c"]
    )
  })
})
