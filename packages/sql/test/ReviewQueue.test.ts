/** The queue of open reviews on both databases, against the reviews of all payments. */
import { assert, describe, it } from "@effect/vitest"
import type { Tenant } from "@paymux/core"
import { PaymentStore } from "@paymux/core/store"
import type { Review, ReviewReason } from "@paymux/core/store"
import { PaymentRecords } from "@paymux/test-suites"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { temporaryDatabase } from "../../../test/support/PostgresDatabases.ts"
import {
  coreMigrations,
  listReviews,
  PostgresClient,
  PostgresPaymentStore,
  runMigrations,
  SqliteClient,
  SqlitePaymentStore
} from "../src/index.ts"
import { openReviews } from "../src/migrations/openReviews.ts"
import { reviewsStatement } from "../src/queries/ReviewQueue.ts"
import type { ReviewQuery } from "../src/queries/ReviewQueue.ts"
import { onEarlierTables } from "./onEarlierTables.ts"

const sqlite = (sets = [coreMigrations]): Layer.Layer<PaymentStore | SqlClient.SqlClient> =>
  SqlitePaymentStore.layer.pipe(
    Layer.provideMerge(Layer.effectDiscard(runMigrations(sets))),
    Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" })),
    Layer.orDie
  )

const postgres = (sets = [coreMigrations]): Layer.Layer<PaymentStore | SqlClient.SqlClient> =>
  Layer.unwrap(
    Effect.map(temporaryDatabase(sets), (url) =>
      PostgresPaymentStore.layer.pipe(Layer.provideMerge(PostgresClient.layer({ url: Redacted.make(url) })))
    )
  ).pipe(Layer.orDie)

const former = { ...coreMigrations, migrations: coreMigrations.migrations.slice(0, openReviews.id - 1) }

const mine = { account: "shop", livemode: true }
const others: ReadonlyArray<Tenant> = [
  { account: "shop", livemode: false },
  { account: "other", livemode: true }
]
const reasons: ReadonlyArray<ReviewReason> = ["duplicate_capture", "inquiries_exhausted", "late_success"]

const reviewOf = (n: number, place: number): Review => ({
  id: `rev_${n}_${place}`,
  reason: reasons[(n + place) % reasons.length] ?? "contradiction",
  attemptSeq: 1,
  operationId: null,
  provider: n % 3 === 0 ? "b" : "a",
  reference: n % 2 === 0 ? null : `pi_"${n}'`,
  minorUnits: ((n * 7919) % 13) * 100,
  currency: n % 5 === 0 ? "INR" : "EUR",
  since: 1_700_000_000_000 + ((n * 37) % 20),
  ...(n % 2 === 0 && { source: "webhook" })
})

const opened = Effect.fnUntraced(function* (n: number, tenant: Tenant, reviews: ReadonlyArray<Review>) {
  const store = yield* PaymentStore
  const first = PaymentRecords.aRecord(n)
  const record = { ...first, payment: { ...first.payment, ...tenant } }
  yield* store.begin({ record, binding: null })
  return yield* changed(record, reviews)
})

const changed = Effect.fnUntraced(function* (
  before: ReturnType<typeof PaymentRecords.aRecord>,
  reviews: ReadonlyArray<Review>
) {
  const { payment } = before
  const after = {
    ...before,
    payment: { ...payment, reviews, version: payment.version + 1, updatedAt: payment.updatedAt + 1 }
  }
  const result = yield* PaymentStore.use((store) =>
    store.advance({ before, after, events: [], evidence: null, binding: null, answer: null })
  )
  assert.strictEqual(result._tag, "Advanced")
  return after
})

const read = Effect.fnUntraced(function* (tenant: Tenant, query: Omit<ReviewQuery, "limit">, limit: number) {
  const found: Array<string> = []
  let page = yield* listReviews(tenant, { ...query, limit })
  for (; page.next !== null; page = yield* listReviews(tenant, { ...query, limit, after: page.next })) {
    assert.strictEqual(page.data.length, limit)
    found.push(...page.data.map(({ id }) => id))
  }
  return [...found, ...page.data.map(({ id }) => id)]
})

describe.each([
  ["SQLite", sqlite],
  ["PostgreSQL", postgres]
] as const)("the queue of reviews on %s", (_, database) => {
  it.live("has each open review of its account and mode once, by age or amount, under every filter and page size", () =>
    Effect.gen(function* () {
      const open: Array<{ readonly tenant: Tenant; readonly review: Review }> = []
      for (let n = 1; n <= 40; n++) {
        const tenant = n % 4 === 0 ? (others[n % 8 === 0 ? 0 : 1] ?? mine) : mine
        const reviews = [reviewOf(n, 0), reviewOf(n, 1)]
        const record = yield* opened(n, tenant, reviews)
        // Closed, grown, or open as it was.
        const kept = n % 3 === 0 ? [] : n % 3 === 1 ? [{ ...reviewOf(n, 1), minorUnits: 4 }] : reviews
        if (n % 3 !== 2) yield* changed(record, kept)
        open.push(...kept.map((review) => ({ tenant, review })))
      }
      const start = 1_700_000_000_000
      const queries: ReadonlyArray<Omit<ReviewQuery, "limit">> = [
        {},
        { reason: "late_success" },
        { provider: "a", currency: "INR" },
        { from: start + 5, until: start + 11 },
        { order: "amount", currency: "EUR" },
        { order: "amount", currency: "EUR", reason: "duplicate_capture", provider: "a", from: start + 3 },
        { reason: "capture_failed" }
      ]
      for (const tenant of [mine, ...others]) {
        for (const query of queries) {
          const { currency, from = 0, order, provider, reason, until = Infinity } = query
          const expected = open
            .filter((each) => each.tenant === tenant)
            .map(({ review }) => review)
            .filter((review) => reason === undefined || review.reason === reason)
            .filter((review) => provider === undefined || review.provider === provider)
            .filter((review) => currency === undefined || review.currency === currency)
            .filter(({ since }) => since >= from && since < until)
          const ordered = order === "amount" ? amountsOf(expected) : agesOf(expected)
          for (const limit of [1, 7, 1000]) {
            const ids = yield* read(tenant, query, limit)
            assert.deepStrictEqual(ids.toSorted(), expected.map(({ id }) => id).toSorted())
            const found = ids.flatMap((id) => expected.filter((review) => review.id === id))
            assert.deepStrictEqual(order === "amount" ? found.map(amountOf) : found.map(ageOf), ordered)
          }
        }
      }
    }).pipe(Effect.provide(database()))
  )

  it.live("has every field of the review as the payment has it", () =>
    Effect.gen(function* () {
      const review = reviewOf(2, 0)
      const record = yield* opened(1, mine, [review])
      const { attemptSeq: _attempt, minorUnits: amount, ...fields } = review
      assert.deepStrictEqual((yield* listReviews(mine, { limit: 5 })).data, [
        { source: null, ...fields, amount, paymentId: record.payment.id }
      ])
    }).pipe(Effect.provide(database()))
  )

  it.live("lists a review whose reference PostgreSQL cannot hold, and keeps the payment", () =>
    Effect.gen(function* () {
      const odd = ["a\u0000b", "a\ud800", "a\\u0000", "\\", '"']
      const reviews = odd.map((reference, place) => ({ ...reviewOf(1, place), reference }))
      const record = yield* opened(1, mine, reviews)
      assert.strictEqual((yield* listReviews(mine, { limit: 9 })).data.length, odd.length)
      const stored = yield* PaymentStore.use((store) => store.get(record.payment.id))
      assert.deepStrictEqual(
        stored?.payment.reviews.map(({ reference }) => reference),
        odd
      )
    }).pipe(Effect.provide(database()))
  )

  it.live("has the reviews that were open before it was added", () =>
    Effect.gen(function* () {
      yield* onEarlierTables(Effect.andThen(opened(1, mine, [reviewOf(2, 0), reviewOf(2, 1)]), opened(2, mine, [])))
      yield* runMigrations([coreMigrations])
      const { data: reviews } = yield* listReviews(mine, { limit: 5 })
      assert.deepStrictEqual(reviews.map(({ id }) => id).toSorted(), ["rev_2_0", "rev_2_1"])
    }).pipe(Effect.provide(database([former])))
  )

  it.live("refuses a cursor of another kind, and an order by amounts of different currencies", () =>
    Effect.gen(function* () {
      for (const after of ["", "x", "1", "1.99999999999999999", "-1.1"]) {
        assert.include((yield* Effect.flip(listReviews(mine, { limit: 1, after }))).message, "cursor")
      }
      assert.include((yield* Effect.flip(listReviews(mine, { limit: 1, order: "amount" }))).message, "currency")
    }).pipe(Effect.provide(database()))
  )
})

const ageOf = ({ since }: Review) => since
const amountOf = ({ minorUnits }: Review) => minorUnits
const agesOf = (reviews: ReadonlyArray<Review>) => reviews.map(ageOf).toSorted((a, b) => a - b)
const amountsOf = (reviews: ReadonlyArray<Review>) => reviews.map(amountOf).toSorted((a, b) => b - a)

it.effect("walks an index in the order of the page, on SQLite", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const plan = Effect.fnUntraced(function* (query: Omit<ReviewQuery, "limit">) {
      const [text, parameters] = reviewsStatement(sql, mine, { ...query, limit: 20 }, { at: 5, row: 5 }).compile()
      const steps = yield* sql.unsafe<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, parameters)
      return steps.map(({ detail }) => detail).join("; ")
    })
    assert.match(
      yield* plan({ reason: "late_success", provider: "a" }),
      /^SEARCH open_reviews USING INDEX open_reviews_by_age \(account=\? AND livemode=\? AND since>\?\)$/
    )
    assert.match(
      yield* plan({ order: "amount", currency: "EUR" }),
      /^SEARCH open_reviews USING INDEX open_reviews_by_amount \(account=\? AND livemode=\? AND currency=\? AND minor_units<\?\)$/
    )
  }).pipe(Effect.provide(sqlite()))
)
