/** Lists by provider, rail and currency, in every combination, against the same filters in this process. */
import type { Payment } from "@paymux/core"
import { everyPayment, PaymentStore } from "@paymux/core/store"
import type { ListQuery } from "@paymux/core/store"
import { PaymentRecords } from "@paymux/test-suites"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { walksOf } from "../src/lists/listFilters.ts"
import type { Kind } from "../src/lists/kinds.ts"
import { kindsStatement, readKind } from "../src/lists/kinds.ts"
import {
  coreMigrations,
  GroupCommit,
  runMigrations,
  SqliteClient,
  SqliteDatabase,
  SqlitePaymentStore
} from "../src/index.ts"
import { sqliteStatement } from "../src/sqlite/sqliteDialect.ts"
import { postgres, sqlite } from "./databases.ts"

const { aCard, aRecord, currency, paymentId, tenant } = PaymentRecords

const file = SqlitePaymentStore.layer.pipe(
  Layer.provideMerge(Layer.effectDiscard(runMigrations([coreMigrations]))),
  Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" }))
)

const providers = ["acme", "Other", "acme-2"]
const currencies = ["INR", "EUR", "USD"]
const rails = ["upi", "card"] as const
const statuses = ["succeeded", "failed", "pending"] as const

/** The ids of these payments have another time, so a list by time finds them by the index for such payments. */
const createdAt = (n: number): number => 1_790_812_800_000 + n * 1_000

/** Not every combination: no card payment in INR, and none of `acme-2` in EUR. */
const paymentOf = (n: number): Partial<Payment> | null => {
  const of = <A>(values: ReadonlyArray<A>, by: number): A | undefined => values[Math.floor(n / by) % values.length]
  const [provider = "", rail, money = ""] = [of(providers, 1), of(rails, 3), of(currencies, 6)]
  if ((rail === "card" && money === "INR") || (provider === "acme-2" && money === "EUR")) return null
  return {
    provider,
    createdAt: createdAt(n),
    amount: { minorUnits: 1_000 + n, currency: currency(money) },
    ...(rail === "card" && { method: aCard() }),
    ...(n % 7 === 0 && { state: { status: "succeeded", late: false } }),
    ...(n % 11 === 0 && { livemode: true })
  }
}

const oneOf = <A>(values: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> => [
  [],
  ...values.map((value) => [value]),
  values.slice(0, 2)
]

const everyFilter: ReadonlyArray<Partial<ListQuery>> = [...oneOf(providers), ["nobody"]].flatMap((provider) =>
  oneOf(rails).flatMap((rail) =>
    [...oneOf(currencies), ["JPY"]].flatMap((money) => [
      { provider, rail, currency: money },
      { provider, rail, currency: money, status: statuses.slice(0, 1) },
      { provider, rail, currency: money, status: statuses.slice(1) },
      { provider, rail, currency: money, createdAfter: createdAt(50), createdBefore: createdAt(150) }
    ])
  )
)

const everyList = Effect.gen(function* () {
  const store = yield* PaymentStore
  const kept: Array<Payment> = []
  for (let n = 0; n < 200; n++) {
    const payment = paymentOf(n)
    if (payment === null) continue
    const record = aRecord(n, payment)
    yield* store.begin({ record, binding: null })
    if (!record.payment.livemode) kept.push(record.payment)
  }
  const newest = kept.toReversed()
  for (const filter of everyFilter) {
    const isAny = (values: ReadonlyArray<string> = [], value: string) => values.length === 0 || values.includes(value)
    const expected = newest.filter(
      (payment) =>
        isAny(filter.provider, payment.provider) &&
        isAny(filter.rail, payment.method.rail) &&
        isAny(filter.currency, payment.amount.currency) &&
        isAny(filter.status, payment.state.status) &&
        payment.createdAt > (filter.createdAfter ?? 0) &&
        payment.createdAt < (filter.createdBefore ?? Number.POSITIVE_INFINITY)
    )
    const ids = expected.map(({ id }) => id)
    const query = { ...everyPayment, ...filter, limit: 5 }
    const first = yield* store.list(tenant, query)
    assert.deepStrictEqual(
      [first.records.map(({ payment }) => payment.id), first.hasMore],
      [ids.slice(0, 5), ids.length > 5],
      JSON.stringify(filter)
    )
    const fromMiddle = { id: paymentId(100), side: "before" as const }
    const newer = ids.filter((id) => id > fromMiddle.id).slice(-5)
    const second = yield* store.list(tenant, { ...query, position: fromMiddle })
    assert.deepStrictEqual(
      second.records.map(({ payment }) => payment.id),
      newer,
      JSON.stringify(filter)
    )
  }
})

/** A kind for each payment: some providers have more kinds than a list scans, and then more than it looks up. */
const manyKinds = Effect.gen(function* () {
  const store = yield* PaymentStore
  const listed = (filter: Partial<ListQuery>) =>
    Effect.map(store.list(tenant, { ...everyPayment, ...filter, limit: 3 }), ({ records }) =>
      records.map(({ payment }) => payment.provider)
    )
  const begin = (n: number) =>
    store.begin({ record: aRecord(n, { provider: `p${String(n).padStart(4, "0")}` }), binding: null })
  yield* Effect.forEach(
    Array.from({ length: 120 }, (_, n) => n),
    begin
  )
  assert.deepStrictEqual(yield* listed({ rail: ["upi"] }), ["p0119", "p0118", "p0117"], "120 kinds match")
  assert.deepStrictEqual(yield* listed({ rail: ["upi"], provider: ["p0007"] }), ["p0007"])
  assert.deepStrictEqual(yield* listed({ rail: ["card"] }), [])
  yield* Effect.forEach(
    Array.from({ length: 400 }, (_, n) => n + 120),
    begin
  )
  assert.deepStrictEqual(yield* listed({ provider: ["p0007", "p0519"] }), ["p0519", "p0007"], "520 kinds")
  assert.deepStrictEqual(yield* listed({ rail: ["card"] }), [])
})

describe("lists by provider, rail and currency", () => {
  it.effect("have what meets the filters, in every combination, on SQLite", () => Effect.provide(everyList, sqlite))

  it.live("and on PostgreSQL", () => Effect.provide(everyList, postgres))

  it.effect("are complete with more kinds than are scanned or looked up, on SQLite", () =>
    Effect.provide(manyKinds, sqlite)
  )

  it.live("and on PostgreSQL", () => Effect.provide(manyKinds, postgres))

  it.effect("have a payment that goes on to a new provider between the reads of a list", () =>
    Effect.gen(function* () {
      const database = yield* SqliteDatabase
      let reads = 0
      const read: typeof database.read = (work) =>
        Effect.suspend(() => {
          reads++
          if (reads === 2) database.db.exec(`UPDATE payments SET provider = 'beta' WHERE id = '${paymentId(2)}'`)
          return database.read(work)
        })
      const store = SqlitePaymentStore.make({ ...database, read }, GroupCommit.make({ database }))
      for (const n of [0, 1, 2, 3]) yield* store.begin({ record: aRecord(n, { provider: "acme" }), binding: null })
      reads = 0
      const { records } = yield* store.list(tenant, { ...everyPayment, currency: ["INR"] })
      assert.deepStrictEqual(
        records.map(({ payment }) => payment.id),
        [3, 2, 1, 0].map(paymentId)
      )
    }).pipe(Effect.provide(file))
  )

  it.effect("find the kinds of the tenant by jumps through the index", () =>
    Effect.gen(function* () {
      const store = yield* PaymentStore
      const { db } = yield* SqliteDatabase
      for (const n of [1, 2, 9, 13, 15, 66]) {
        const payment = paymentOf(n)
        if (payment !== null) yield* store.begin({ record: aRecord(n, payment), binding: null })
      }
      const { sql, values } = sqliteStatement(kindsStatement(tenant, 10))
      const kinds: ReadonlyArray<Kind> = db.prepare(sql).all(values).map(readKind)
      assert.deepStrictEqual(
        kinds.map(({ currency, provider, rail }) => [provider, rail, currency].join(" ")),
        ["Other upi INR", "Other upi USD", "acme card EUR", "acme card USD", "acme-2 upi INR"]
      )
      const [walk] = walksOf({ ...everyPayment, provider: ["acme"], ids: null, kinds }, new Set())
      assert.deepStrictEqual(walk.tested, [], "the index serves the filter")
      const plan = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(values)
      const jumps = plan.flatMap(({ detail }) => /COVERING INDEX payments_by_kind (.*)/.exec(String(detail))?.[1] ?? [])
      assert.deepStrictEqual(jumps.toSorted(), [
        "(account=? AND livemode=? AND provider=? AND rail=? AND currency>?)",
        "(account=? AND livemode=? AND provider=? AND rail>?)",
        "(account=? AND livemode=? AND provider>?)",
        "(account=? AND livemode=?)"
      ])
    }).pipe(Effect.provide(file))
  )
})
