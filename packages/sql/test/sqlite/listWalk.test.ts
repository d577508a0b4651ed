import type { Payment, PaymentId } from "@paymux/core"
import { everyPayment } from "@paymux/core/store"
import type { ListQuery } from "@paymux/core/store"
import { PaymentRecords } from "@paymux/test-suites"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import {
  coreMigrations,
  GroupCommit,
  runMigrations,
  SqliteClient,
  SqliteDatabase,
  SqlitePaymentStore
} from "../../src/index.ts"

const { aRecord, paymentId, tenant } = PaymentRecords

const database = Layer.effectDiscard(runMigrations([coreMigrations])).pipe(
  Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" }))
)

const many = 2_600

/** All of one status, every thousandth of another provider. */
const change = (n: number): Partial<Payment> => ({
  state: { status: "succeeded", late: false },
  provider: n % 1_000 === 0 ? "rare" : "acme",
  metadata: { channel: n % 1_000 === 0 ? "fax" : "web" }
})

const rare = [2_000, 1_000, 0].map(paymentId)

/** A store of so many payments, which counts its reads, and takes so long for each. */
const filled = Effect.gen(function* () {
  const database = yield* SqliteDatabase
  const reads = { count: 0, ms: 0 }
  const read: typeof database.read = (work) =>
    Effect.suspend(() => {
      reads.count++
      return Effect.andThen(TestClock.adjust(reads.ms), database.read(work))
    })
  const store = SqlitePaymentStore.make({ ...database, read }, GroupCommit.make({ database }))
  const numbers = Array.from({ length: many }, (_, n) => n)
  yield* Effect.forEach(numbers, (n) => store.begin({ record: aRecord(n, change(n)), binding: null }), {
    concurrency: "unbounded",
    discard: true
  })
  return { store, reads }
})

const ids = (page: { readonly records: ReadonlyArray<{ readonly payment: Payment }> }): ReadonlyArray<PaymentId> =>
  page.records.map(({ payment }) => payment.id)

const byFax: ListQuery = { ...everyPayment, metadata: { channel: ["fax"] } }

describe("a walk past more payments than a stretch has entries", () => {
  it.effect("finds what one statement would find, in both directions and page by page", () =>
    Effect.gen(function* () {
      const { reads, store } = yield* filled
      assert.deepStrictEqual(ids(yield* store.list(tenant, byFax)), rare)
      assert.isAtLeast(reads.count, 5)
      const first = yield* store.list(tenant, { ...byFax, limit: 2 })
      assert.deepStrictEqual([ids(first), first.hasMore], [rare.slice(0, 2), true])
      const position = { side: "after" as const, id: paymentId(1_000) }
      const rest = yield* store.list(tenant, { ...byFax, limit: 2, position })
      assert.deepStrictEqual([ids(rest), rest.hasMore], [rare.slice(2), false])
      const back = { side: "before" as const, id: paymentId(0) }
      const before = yield* store.list(tenant, { ...byFax, limit: 1, position: back })
      assert.deepStrictEqual([ids(before), before.hasMore], [[paymentId(1_000)], true])
      const whole = yield* store.list(tenant, { ...byFax, limit: 9, position: back })
      assert.deepStrictEqual([ids(whole), whole.hasMore], [rare.slice(0, 2), false])
    }).pipe(Effect.provide(database))
  )

  it.effect("lets others have a turn between its stretches", () =>
    Effect.gen(function* () {
      const { reads, store } = yield* filled
      reads.count = 0
      const walking = yield* Effect.forkChild(store.list(tenant, byFax), { startImmediately: true })
      const turns = new Set<number>()
      while (walking.pollUnsafe() === undefined) {
        turns.add(reads.count)
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      }
      assert.isAtLeast(turns.size, 5)
      assert.deepStrictEqual(ids(yield* Fiber.join(walking)), rare)
    }).pipe(Effect.provide(database))
  )

  it.effect("gives up after two seconds, in words, and leaves the store as it was", () =>
    Effect.gen(function* () {
      const { reads, store } = yield* filled
      Object.assign(reads, { count: 0, ms: 1_000 })
      const refused = yield* Effect.flip(store.list(tenant, byFax))
      assert.strictEqual(refused._tag, "ListTimedOut")
      assert.match(refused.message, /longer than two seconds: narrow the filters/)
      assert.strictEqual(reads.count, 2)
      reads.ms = 300
      assert.deepStrictEqual(ids(yield* store.list(tenant, byFax)), rare)
    }).pipe(Effect.provide(database))
  )

  it.effect("goes by the filter that leaves least where it is, whichever that is", () =>
    Effect.gen(function* () {
      const { reads, store } = yield* filled
      reads.count = 0
      const query: ListQuery = { ...everyPayment, status: ["succeeded"], provider: ["rare"], currency: ["INR"] }
      assert.deepStrictEqual(ids(yield* store.list(tenant, query)), rare)
      assert.deepStrictEqual(ids(yield* store.list(tenant, { ...query, limit: 1 })), rare.slice(0, 1))
      // Each list reads the kinds of payments, one stretch, and the kinds again.
      assert.strictEqual(reads.count, 6)
    }).pipe(Effect.provide(database))
  )

  it.effect("ends with its caller", () =>
    Effect.gen(function* () {
      const { reads, store } = yield* filled
      reads.count = 0
      const walking = yield* Effect.forkChild(store.list(tenant, byFax), { startImmediately: true })
      while (reads.count < 2) yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      yield* Fiber.interrupt(walking)
      const count = reads.count
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      assert.strictEqual(reads.count, count)
      assert.isBelow(count, 5)
    }).pipe(Effect.provide(database))
  )
})
