/** Two paid payments of one order number, of a merchant that does not send `order`: an operator hears of it, once. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Ids } from "../../src/domain/Ids.ts"
import type { NewPayment } from "../../src/domain/Payment.ts"
import { DoubleOrders } from "../../src/execution/restore/DoubleOrders.ts"
import { PaymentWriter } from "../../src/execution/conclude/PaymentWriter.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import { MemoryStore } from "@paymux/testkit/memory-store"
import { PaymentStore } from "../../src/store/PaymentStore.ts"
import { card, eventsOf, plain, read, scripted, start, summary, tenant } from "./fixtures.ts"
import type { Store } from "./fixtures.ts"

const server = (store: Store) =>
  Layer.build(
    Layer.fresh(DoubleOrders.layer).pipe(
      Layer.provide(PaymentWriter.layer),
      Layer.provide(Layer.mergeAll(Layer.succeed(PaymentStore, store), Ids.layer))
    )
  ).pipe(Effect.map((built) => Context.get(built, DoubleOrders)))

const environment = Effect.gen(function* () {
  const store = MemoryStore.make()
  let charges = 0
  const provider = scripted("a", {
    create: () => Effect.sync(() => Outcome.succeeded({ reference: `ch_${++charges}` })),
    refund: () => Effect.succeed(Outcome.succeeded())
  })
  const engine = yield* start(store, [provider], { reconciler: { every: 24 * 3_600_000 } })
  // Ids of the same millisecond are in any order.
  const paid = (change: Partial<NewPayment> = {}) =>
    Effect.andThen(
      TestClock.adjust("1 second"),
      engine.create(Effect.map(card, (asked) => ({ ...asked, metadata: { order_id: "1001" }, ...change })))
    )
  return { ...engine, store, paid, doubles: yield* server(store) }
})

describe("an order number that is paid twice", () => {
  it.effect("puts the later payment in review after an hour, with its amount; the earlier one is left alone", () =>
    Effect.gen(function* () {
      const { paid, store } = yield* environment
      const first = yield* paid()
      yield* TestClock.adjust("20 hours")
      const second = yield* paid()
      yield* TestClock.adjust("30 minutes")
      assert.isEmpty((yield* read(store, second)).payment.reviews)
      yield* TestClock.adjust("1 hour")
      const { payment } = yield* read(store, second)
      assert.deepStrictEqual(
        payment.reviews.map(({ minorUnits, reason, reference }) => [reason, minorUnits, reference]),
        [["possible_duplicate", 1200, "ch_2"]]
      )
      assert.isEmpty((yield* read(store, first)).payment.reviews)
      assert.strictEqual(payment.state.status, "succeeded")
      yield* TestClock.adjust("3 days")
      const events = yield* eventsOf(store, second.payment.id)
      assert.deepStrictEqual(events, ["payment.succeeded", "payment.review_opened"])
    })
  )

  it.effect.each([
    ["a day", "2 hours", "10 hours", "15 hours"],
    ["eight days", "5 days", "1 day", "3 days"]
  ] as const)("is found after %s if a payment was open until %s after it was made", ([, paidAfter, notYet, then]) =>
    Effect.gen(function* () {
      const { paid, store } = yield* environment
      yield* paid()
      const second = yield* paid()
      const open = { status: "pending", reason: "processing", nextAction: null } as const
      const asOpen = { ...second, payment: { ...second.payment, state: open, version: second.payment.version + 1 } }
      const asPaid = { ...second, payment: { ...second.payment, version: second.payment.version + 2 } }
      const commit = { events: [], evidence: null, binding: null, answer: null }
      yield* store.advance({ ...commit, before: second, after: asOpen })
      yield* TestClock.adjust(paidAfter)
      yield* store.advance({ ...commit, before: asOpen, after: asPaid })
      yield* TestClock.adjust(notYet)
      assert.isEmpty((yield* read(store, second)).payment.reviews)
      yield* TestClock.adjust(then)
      assert.deepStrictEqual(summary(yield* read(store, second)).reviews, ["possible_duplicate"])
    })
  )

  it.effect("is nothing to look at where the order, the amount, the customer or the day is another one", () =>
    Effect.gen(function* () {
      const { paid, store } = yield* environment
      const asked = yield* card
      yield* paid()
      yield* paid({ metadata: { order_id: "1002" } })
      yield* paid({ metadata: {} })
      yield* paid({ amount: { ...asked.amount, minorUnits: 1300 } })
      yield* paid({ customer: { ...asked.customer, email: "other@example.com" } })
      yield* TestClock.adjust("25 hours")
      yield* paid()
      yield* TestClock.adjust("3 days")
      assert.strictEqual((yield* store.backlog(0)).inReview, 0)
    })
  )

  it.effect("is not asked about once the later payment is refunded, and the review ends with the refund of all", () =>
    Effect.gen(function* () {
      const { paid, payments, store } = yield* environment
      const refund = (record: Effect.Success<ReturnType<typeof paid>>, minorUnits: number | null) =>
        payments.refund(record.payment.id, { minorUnits, reason: null }, plain)
      yield* paid()
      const [second, third] = [yield* paid(), yield* paid()]
      yield* refund(third, null)
      const { version } = (yield* read(store, third)).payment
      yield* TestClock.adjust("2 hours")
      assert.isEmpty((yield* read(store, third)).payment.reviews)
      assert.strictEqual((yield* read(store, third)).payment.version, version)
      yield* refund(second, 500)
      assert.deepStrictEqual(summary(yield* read(store, second)).reviews, ["possible_duplicate"])
      yield* refund(second, null)
      assert.isEmpty((yield* read(store, second)).payment.reviews)
    })
  )

  it.effect("is dismissed for good by an operator, and has no other resolution", () =>
    Effect.gen(function* () {
      const { paid, reviews, store } = yield* environment
      yield* paid()
      const second = yield* paid()
      yield* TestClock.adjust("2 hours")
      const [review] = (yield* read(store, second)).payment.reviews
      const subject = { review: review?.id ?? "" }
      const { fitting } = yield* reviews.get(tenant, second.payment.id)
      assert.deepStrictEqual(
        fitting.get(subject.review)?.map(({ resolution }) => resolution),
        ["dismissed"]
      )
      yield* reviews.resolve(tenant, second.payment.id, { subject, resolution: "dismissed", evidence: "both wanted" })
      yield* TestClock.adjust("3 days")
      assert.isEmpty((yield* read(store, second)).payment.reviews)
    })
  )

  it.effect("is looked for by one of several servers, and by another one when that has gone", () =>
    Effect.gen(function* () {
      const { doubles, paid, store } = yield* environment
      yield* paid()
      yield* paid()
      yield* TestClock.adjust("2 hours")
      const other = yield* server(store)
      yield* paid()
      yield* TestClock.adjust("50 minutes")
      assert.strictEqual(yield* other.pass, 0)
      yield* TestClock.adjust("30 minutes")
      assert.strictEqual((yield* store.backlog(0)).inReview, 2)
      assert.strictEqual(yield* doubles.pass, 0)
    })
  )
})
