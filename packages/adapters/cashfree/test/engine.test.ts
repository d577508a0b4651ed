/** What becomes of a payment at Cashfree, by the real engine in virtual time. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { plain } from "@paymux/test-suites"
import { days, environment, minutes, stateOf } from "./testEnvironment.ts"

describe("a payment at Cashfree", () => {
  it.effect("is shown, approved, reported by webhook, and refunded in part", () =>
    Effect.gen(function* () {
      const { create, current, post, start, reported, vendor, webhooks } = yield* environment()
      const engine = yield* start
      const record = yield* create(engine)
      const { state } = (yield* current(record)).payment
      assert.strictEqual(state.status === "pending" && state.nextAction?.type, "redirect")
      yield* vendor.payersAct
      assert.strictEqual(yield* post(engine.inbox, (yield* webhooks.events).at(-1)), "applied")
      assert.deepStrictEqual(stateOf(yield* current(record)), { status: "succeeded", late: false, reviews: [] })
      const asked = engine.payments.refund(record.payment.id, { minorUnits: 1_005, reason: "One ticket" }, plain)
      const { operation } = yield* asked
      assert.deepStrictEqual([operation.status, operation.minorUnits], ["succeeded", 1_005])
      const [payment] = vendor.ledger.payments()
      assert.deepStrictEqual(
        payment?.refunds.map(({ minorUnits }) => minorUnits),
        [1_005]
      )
      // The webhook repeats what the answer reported.
      assert.strictEqual(yield* post(engine.inbox, (yield* webhooks.events).at(-1)), "applied")
      assert.strictEqual((yield* current(record)).payment.amountRefunded, 1_005)
      assert.deepStrictEqual(yield* reported(record), ["payment.pending", "payment.succeeded", "refund.succeeded"])
    }).pipe(Effect.scoped)
  )

  it.effect("whose webhook comes before the create was answered is paid", () =>
    Effect.gen(function* () {
      const { create, current, network, post, start, vendor, webhooks } = yield* environment()
      const engine = yield* start
      // The session is opened and its answer is lost: the vendor knows of a payment that we know nothing of yet.
      yield* network.failNext({ executed: true, reply: "never" }, 1)
      const creating = yield* Effect.forkChild(create(engine), { startImmediately: true })
      while ((yield* network.requests).length < 2) yield* Effect.promise(() => new Promise(setImmediate))
      yield* vendor.payersAct
      assert.strictEqual(yield* post(engine.inbox, (yield* webhooks.events).at(-1)), "applied")
      yield* TestClock.adjust(20_000)
      const record = yield* Fiber.join(creating)
      assert.deepStrictEqual(stateOf(yield* current(record)), { status: "succeeded", late: false, reviews: [] })
    }).pipe(Effect.scoped)
  )

  it.effect("whose process dies between the order and the session has one order, and no second one is made", () =>
    Effect.gen(function* () {
      const { create, current, network, only, orders, pass, sent, start } = yield* environment()
      const first = yield* start
      yield* network.failNext({ executed: false, reply: "never" }, 1)
      const creating = yield* Effect.forkChild(create(first), { startImmediately: true })
      while ((yield* network.requests).length < 2) yield* Effect.promise(() => new Promise(setImmediate))
      yield* first.end
      yield* Fiber.interrupt(creating)

      const second = yield* start
      yield* pass(2 * minutes)
      const record = yield* only(second)
      assert.strictEqual(stateOf(yield* current(record)).status, "pending")
      yield* pass(50 * minutes)
      assert.strictEqual(yield* orders, 1)
      assert.strictEqual(yield* sent(/^POST \/orders$/), 1)
      // The payer was not shown how to pay: after the order's expiry that is proof that nothing was done.
      assert.deepStrictEqual(stateOf(yield* current(record)), {
        status: "failed",
        code: "provider_unavailable",
        reviews: []
      })
    }).pipe(Effect.scoped)
  )

  it.effect(
    "whose order was made and its answer lost resumes at once: one order, and the payer is shown the link",
    () =>
      Effect.gen(function* () {
        const { create, current, network, orders, pass, start } = yield* environment()
        const engine = yield* start
        yield* network.failNext({ executed: true, reply: "reset" })
        const creating = yield* Effect.forkChild(create(engine), { startImmediately: true })
        yield* pass(8_000)
        const record = yield* Fiber.join(creating)
        assert.strictEqual(yield* orders, 1)
        const { state } = (yield* current(record)).payment
        assert.strictEqual(state.status === "pending" && state.nextAction?.type, "redirect")
      }).pipe(Effect.scoped)
  )

  it.effect("that its payer leaves is closed at the vendor, and fails with customer_timeout without an operator", () =>
    Effect.gen(function* () {
      const { create, current, pass, sent, start, reported } = yield* environment()
      const engine = yield* start
      const record = yield* create(engine)
      yield* pass(19 * minutes)
      assert.strictEqual(stateOf(yield* current(record)).status, "pending")
      yield* pass(2 * minutes)
      assert.deepStrictEqual(stateOf(yield* current(record)), {
        status: "failed",
        code: "customer_timeout",
        reviews: []
      })
      assert.strictEqual(yield* sent(/^PATCH /), 1)
      assert.deepStrictEqual(yield* reported(record), ["payment.pending", "payment.failed"])
    }).pipe(Effect.scoped)
  )

  it.effect("that the vendor itself ends fails with customer_timeout, and nothing is closed", () =>
    Effect.gen(function* () {
      const { create, current, pass, sent, start, vendor } = yield* environment()
      const engine = yield* start
      const record = yield* create(engine)
      yield* pass(5 * minutes)
      yield* vendor.expire ?? Effect.void
      yield* pass(16 * minutes)
      const { code, status } = { code: null, ...stateOf(yield* current(record)) }
      assert.deepStrictEqual({ code, status }, { code: "customer_timeout", status: "failed" })
      assert.strictEqual(yield* sent(/^PATCH /), 0)
    }).pipe(Effect.scoped)
  )

  it.effect("that failed, and is reported as paid three days later, succeeds late", () =>
    Effect.gen(function* () {
      const { create, current, pass, post, start, reported, vendor, webhooks } = yield* environment()
      const engine = yield* start
      yield* vendor.decide({ decline: "Z9" })
      const record = yield* create(engine)
      yield* vendor.payersAct
      const failure = (yield* webhooks.events).at(-1)
      yield* post(engine.inbox, failure)
      // The webhook reports one attempt, the inquiry the order.
      assert.strictEqual(stateOf(yield* current(record)).status, "pending")
      yield* pass(2 * minutes)
      assert.deepStrictEqual(stateOf(yield* current(record)), {
        status: "failed",
        code: "insufficient_funds",
        reviews: []
      })
      yield* TestClock.adjust(3 * days)
      if (failure === undefined) return assert.fail("it failed")
      const { payment } = failure
      const paid = { ...payment, status: "captured", captured: payment.amount.minorUnits, code: null } as const
      yield* post(engine.inbox, { ...failure, id: "evt_late", type: "captured", payment: paid })
      assert.deepStrictEqual(stateOf(yield* current(record)), { status: "succeeded", late: true, reviews: [] })
      assert.deepStrictEqual(yield* reported(record), ["payment.pending", "payment.failed", "payment.succeeded"])
    }).pipe(Effect.scoped)
  )

  it.effect("that is held first is captured when the merchant asks for it", () =>
    Effect.gen(function* () {
      const { create, current, post, start, vendor, webhooks } = yield* environment({ preauthorization: true })
      const engine = yield* start
      const record = yield* create(engine, "manual")
      yield* vendor.payersAct
      yield* post(engine.inbox, (yield* webhooks.events).at(-1))
      assert.strictEqual(stateOf(yield* current(record)).status, "authorized")
      yield* engine.payments.capture(record.payment.id, { minorUnits: null }, plain)
      assert.deepStrictEqual(stateOf(yield* current(record)), { status: "succeeded", late: false, reviews: [] })
      yield* post(engine.inbox, (yield* webhooks.events).at(-1))
      assert.strictEqual((yield* current(record)).payment.amountCaptured, 17_050)
    }).pipe(Effect.scoped)
  )

  it.effect("that is held first and canceled lets the funds go", () =>
    Effect.gen(function* () {
      const { create, current, post, start, vendor, webhooks } = yield* environment({ preauthorization: true })
      const engine = yield* start
      const record = yield* create(engine, "manual")
      yield* vendor.payersAct
      yield* post(engine.inbox, (yield* webhooks.events).at(-1))
      yield* engine.payments.cancel(record.payment.id, plain)
      assert.strictEqual(stateOf(yield* current(record)).status, "canceled")
      assert.strictEqual(vendor.ledger.payments()[0]?.status, "canceled")
    }).pipe(Effect.scoped)
  )
})
