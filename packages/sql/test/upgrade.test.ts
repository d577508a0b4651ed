import { assert, describe, it } from "@effect/vitest"
import { everyPayment, PaymentStore } from "@paymux/core"
import type { MigrationSet } from "@paymux/core"
import { PaymentRecords } from "@paymux/testkit"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { readFileSync } from "node:fs"
import { temporaryDatabase } from "../../../test/support/PostgresDatabases.ts"
import {
  coreMigrations,
  PostgresClient,
  PostgresPaymentStore,
  runMigrations,
  SqliteClient,
  SqlitePaymentStore
} from "../src/index.ts"

const { aRecord, currency, nextVersion, operationId, paymentId, tenant } = PaymentRecords

const first: MigrationSet = { ...coreMigrations, migrations: coreMigrations.migrations.slice(0, 1) }

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
  yield* runMigrations([first])
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

it.live("an index that was built on PostgreSQL while servers ran is taken as it is", () =>
  Effect.gen(function* () {
    const url = yield* temporaryDatabase([])
    const guide = readFileSync(new URL("../../../docs/guide/scale.md", import.meta.url), "utf8")
    const [built = "none"] = /CREATE INDEX CONCURRENTLY [^;]*/.exec(guide) ?? []
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const index = sql<{ oid: number; indexdef: string }>`SELECT 'attempts_ended'::regclass::oid AS oid, indexdef
        FROM pg_indexes WHERE indexname = 'attempts_ended'`
      yield* runMigrations([{ ...coreMigrations, migrations: coreMigrations.migrations.slice(0, 2) }])
      yield* sql.unsafe(built)
      const before = yield* index
      yield* runMigrations([coreMigrations])
      assert.deepStrictEqual(yield* index, before)
      yield* sql`DROP INDEX attempts_ended`
      for (const statement of coreMigrations.migrations[2]?.pg ?? []) yield* sql.unsafe(statement)
      assert.deepStrictEqual(
        (yield* index).map(({ indexdef }) => indexdef),
        before.map(({ indexdef }) => indexdef)
      )
    }).pipe(Effect.provide(PostgresClient.layer({ url: Redacted.make(url) })))
  })
)
