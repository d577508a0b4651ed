/** Payments that repeat an order on both databases, against the store in memory. */
import { assert, describe, it } from "@effect/vitest"
import type { Payment, PaymentId, PaymentRecord } from "@paymux/core"
import { firstPaymentId, PaymentStore } from "@paymux/core/store"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { PaymentRecords } from "@paymux/test-suites"
import { Effect, Layer, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import { temporaryDatabase } from "../../../test/support/PostgresDatabases.ts"
import {
  buildMetadataIndexes,
  coreMigrations,
  PostgresClient,
  PostgresPaymentStore,
  runMigrations,
  SqliteClient,
  SqliteDatabase,
  SqlitePaymentStore
} from "../src/index.ts"
import { PostgresDatabase } from "../src/postgres/PostgresClient.ts"
import { statementOf } from "../src/postgres/postgresDialect.ts"
import { sqliteStatement } from "../src/sqlite/sqliteDialect.ts"
import { selectRepeated } from "../src/store/repeatedOrders.ts"

const { aRecord, currency } = PaymentRecords

const hour = 3_600_000
const start = Date.UTC(2026, 9, 1)
const one = <A>(values: readonly [A, ...ReadonlyArray<A>], n: number): A => values[n % values.length] ?? values[0]

/** Orders of a few numbers, amounts and customers, of which some are paid; each twenty minutes after the one before. */
const records = (): ReadonlyArray<PaymentRecord> => {
  let seed = 11
  const below = (limit: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % limit
  }
  return Array.from({ length: 600 }, (_, n): PaymentRecord => {
    const createdAt = start + (n * hour) / 3
    // Boundary: it has the shape of an id; a decimal digit is one of its letters.
    const id = `${firstPaymentId(createdAt).slice(0, -4)}${String(n).padStart(4, "0")}` as PaymentId
    const numbers = [`${below(12)}`, `${below(12)}`, "x".repeat(500), 'quo"te \u0000\ud800'] as const
    const change: Partial<Payment> = {
      id,
      createdAt,
      account: one(["shop", "shop", "shop", "other"], below(4)),
      livemode: below(8) === 0,
      amount: {
        minorUnits: one([1200, 1200, 1500], below(3)),
        currency: currency(one(["INR", "INR", "USD"], below(3)))
      },
      customer: {
        email: one([null, "a@example.com", "A@example.com", "b@example.com"], below(4)),
        phone: one(["+15550100", "+15550101"], below(2)),
        name: "\u0000\ud800",
        address: null
      },
      metadata: below(6) === 0 ? { other: "1" } : { order_id: one(numbers, below(4)), other: '\\u0000"' },
      order: below(3) === 0 ? `order ${n}` : null,
      state: below(4) === 0 ? { status: "canceled" } : { status: "succeeded", late: false }
    }
    const record = aRecord(n, change)
    return { ...record, operations: record.operations.map((operation) => ({ ...operation, paymentId: id })) }
  })
}

const walked = Effect.fnUntraced(function* (store: PaymentStore["Service"], limit: number) {
  const found: Array<PaymentId> = []
  const before = firstPaymentId(start + 190 * hour)
  let after: PaymentId | null = firstPaymentId(start + 5 * hour)
  while (after !== null) {
    const page: { readonly payments: ReadonlyArray<PaymentId>; readonly next: PaymentId | null } =
      yield* store.orders.repeated({ after, before, limit })
    found.push(...page.payments)
    after = page.next
  }
  return found
})

type Services = PaymentStore | SqlClient.SqlClient

/** The store reads which indexes there are when it starts. */
const withIndex = Layer.effectDiscard(
  Effect.andThen(runMigrations([coreMigrations]), buildMetadataIndexes(["order_id"]))
)

const sqlite = SqlitePaymentStore.layer.pipe(
  Layer.provideMerge(withIndex),
  Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" })),
  Layer.orDie
)
const postgres = Layer.unwrap(
  Effect.map(temporaryDatabase([coreMigrations]), (url) =>
    PostgresPaymentStore.layer.pipe(
      Layer.provideMerge(withIndex),
      Layer.provideMerge(PostgresClient.layer({ url: Redacted.make(url) }))
    )
  )
).pipe(Layer.orDie)

const finds = Effect.gen(function* () {
  const [store, memory] = [yield* PaymentStore, MemoryStore.make()]
  for (const record of records()) {
    yield* memory.begin({ record, binding: null })
    yield* store.begin({ record, binding: null })
  }
  const expected = yield* walked(memory, 1000)
  assert.isAbove(expected.length, 30)
  for (const limit of [1, 7, 600]) assert.deepStrictEqual(yield* walked(store, limit), expected, `limit ${limit}`)
})

describe.each<[string, Layer.Layer<Services>]>([
  ["SQLite", sqlite],
  ["PostgreSQL", postgres]
])("payments that repeat an order on %s", (_, database) => {
  it.live("are those that the reference finds, in stretches of any length", () => Effect.provide(finds, database))
})

describe("the index of order numbers", () => {
  const query = { after: firstPaymentId(start), before: firstPaymentId(start + hour), limit: 500 }

  it.live("is walked on SQLite, and the payments by their ids", () =>
    Effect.gen(function* () {
      const { db } = yield* SqliteDatabase
      const { sql, values } = sqliteStatement(selectRepeated(query))
      const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(values)
      const text = plan.map(({ detail }) => String(detail)).join("\n")
      assert.include(text, "SEARCH payments USING INDEX sqlite_autoindex_payments_1 (id>? AND id<?)")
      assert.include(
        text,
        "SEARCH payments USING INDEX payments_by_metadata_order_id (account=? AND livemode=? AND <expr>=?"
      )
      assert.notInclude(text, "SCAN payments")
    }).pipe(Effect.provide(sqlite))
  )

  it.live("is walked on PostgreSQL, and the payments by their ids", () =>
    Effect.gen(function* () {
      const database = yield* PostgresDatabase
      const { params, sql } = statementOf(selectRepeated(query))
      yield* database.query("SET enable_seqscan = off", [])
      const plan = yield* database.query(`EXPLAIN ${sql}`, params)
      const text = JSON.stringify(plan)
      assert.include(text, "payments_by_metadata_order_id")
      assert.include(text, "payments_pkey")
    }).pipe(Effect.provide(postgres))
  )

  it.live("is needed: without it nothing is searched", () =>
    Effect.gen(function* () {
      const store = yield* PaymentStore
      for (const record of records().slice(0, 100)) yield* store.begin({ record, binding: null })
      assert.isEmpty(yield* walked(store, 500))
    }).pipe(
      Effect.provide(
        SqlitePaymentStore.layer.pipe(
          Layer.provideMerge(Layer.effectDiscard(runMigrations([coreMigrations]))),
          Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" })),
          Layer.orDie
        )
      )
    )
  )
})
