/** What Cashfree may do between the pages of its documentation, by the real engine in virtual time. */
import { assert, describe, it } from "@effect/vitest"
import type { LedgerEvent } from "@paymux/testkit"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { booksOf } from "../src/testing/books.ts"
import { plain } from "@paymux/test-suites"
import { days, environment, minutes, stateOf } from "./testEnvironment.ts"

type TestEnvironment = Effect.Success<ReturnType<typeof environment>>

const orderOf = ({ vendor }: TestEnvironment) =>
  Effect.suspend(() => {
    const [order] = booksOf(vendor.ledger).orders.values()
    return order === undefined ? Effect.die(new Error("no order was made")) : Effect.succeed(order)
  })

const declineOf = ({ vendor }: TestEnvironment, code: string): LedgerEvent | undefined => {
  const [payment] = vendor.ledger.payments()
  return (
    payment && {
      id: "evt_failed",
      type: "declined",
      payment: { ...payment, status: "declined", code },
      refund: null,
      occurredAt: 0
    }
  )
}

describe("a payment at an unkind Cashfree", () => {
  it.effect("that is at a bank when its order ends is not given up, and nothing is closed", () =>
    Effect.gen(function* () {
      const here = yield* environment()
      const { create, current, pass, post, sent, start, vendor, webhooks } = here
      const engine = yield* start
      const record = yield* create(engine)
      const order = yield* orderOf(here)
      order.isAtBank = true
      yield* pass(35 * minutes)
      assert.strictEqual(stateOf(yield* current(record)).status, "pending")
      assert.strictEqual(yield* sent(/^PATCH /), 0)
      yield* vendor.payersAct
      yield* post(engine.inbox, (yield* webhooks.events).at(-1))
      assert.deepStrictEqual(stateOf(yield* current(record)), { status: "succeeded", late: false, reviews: [] })
    }).pipe(Effect.scoped)
  )

  it.effect("one of whose links failed, while another is in the payer's hand, is still to be paid", () =>
    Effect.gen(function* () {
      const here = yield* environment()
      const { create, current, network, pass, post, start, vendor, webhooks } = here
      const engine = yield* start
      // The first session is opened and its link is not shown; a second one is.
      yield* network.failNext({ executed: true, reply: "reset" }, 1)
      const creating = yield* Effect.forkChild(create(engine), { startImmediately: true })
      yield* pass(8_000)
      const record = yield* Fiber.join(creating)
      const order = yield* orderOf(here)
      const [first, ...others] = order.sessions
      assert.lengthOf(others, 1)
      if (first === undefined) return assert.fail("two sessions")
      order.sessions.splice(0, 1, { ...first, code: "Z9" })
      yield* post(engine.inbox, declineOf(here, "Z9"))
      yield* pass(3 * minutes)
      assert.strictEqual(stateOf(yield* current(record)).status, "pending")
      yield* vendor.payersAct
      yield* post(engine.inbox, (yield* webhooks.events).at(-1))
      assert.deepStrictEqual(stateOf(yield* current(record)), { status: "succeeded", late: false, reviews: [] })
    }).pipe(Effect.scoped)
  )

  it.effect("of an account that holds funds succeeds late, though no webhook says that it was captured", () =>
    Effect.gen(function* () {
      const here = yield* environment({ preauthorization: true })
      const { create, current, pass, post, start, vendor, webhooks } = here
      const engine = yield* start
      yield* vendor.decide({ decline: "Z9" })
      const record = yield* create(engine)
      yield* vendor.payersAct
      yield* pass(2 * minutes)
      assert.strictEqual(stateOf(yield* current(record)).status, "failed")
      yield* TestClock.adjust(days)
      const failure = (yield* webhooks.events).at(-1)
      if (failure === undefined) return assert.fail("it failed")
      const { payment } = failure
      const paid = { ...payment, status: "captured", captured: payment.amount.minorUnits, code: null } as const
      yield* post(engine.inbox, { ...failure, id: "evt_late", type: "captured", payment: paid })
      assert.deepStrictEqual(stateOf(yield* current(record)), { status: "succeeded", late: true, reviews: [] })
    }).pipe(Effect.scoped)
  )

  it.effect("whose payer bears a surcharge is paid in full, by its webhook and by the inquiry", () =>
    Effect.gen(function* () {
      const { create, current, pass, post, start, vendor, webhooks } = yield* environment()
      booksOf(vendor.ledger).surcharge = { charge: 200, tax: 36 }
      const engine = yield* start
      const reported = yield* create(engine)
      yield* vendor.payersAct
      yield* post(engine.inbox, (yield* webhooks.events).at(-1))
      assert.deepStrictEqual(stateOf(yield* current(reported)), { status: "succeeded", late: false, reviews: [] })
      const asked = yield* create(engine)
      yield* vendor.payersAct
      yield* pass(2 * minutes)
      assert.deepStrictEqual(stateOf(yield* current(asked)), { status: "succeeded", late: false, reviews: [] })
      assert.strictEqual((yield* current(asked)).payment.amountCaptured, 17_050)
    }).pipe(Effect.scoped)
  )

  it.effect("that is canceled while it is at a bank waits for the bank's word", () =>
    Effect.gen(function* () {
      const here = yield* environment()
      const { create, current, pass, post, sent, start, vendor, webhooks } = here
      const engine = yield* start
      const record = yield* create(engine)
      const order = yield* orderOf(here)
      order.isAtBank = true
      yield* engine.payments.cancel(record.payment.id, plain)
      yield* pass(3 * minutes)
      assert.isTrue(order.isTerminated)
      assert.strictEqual(yield* sent(/^PATCH /), 1)
      assert.strictEqual(stateOf(yield* current(record)).status, "pending")
      yield* vendor.payersAct
      yield* post(engine.inbox, (yield* webhooks.events).at(-1))
      assert.deepStrictEqual(stateOf(yield* current(record)), { status: "succeeded", late: false, reviews: [] })
      assert.deepStrictEqual(vendor.ledger.payments()[0]?.refunds, [])
    }).pipe(Effect.scoped)
  )

  it.effect("whose order cannot be closed is put before an operator, and never given up", () =>
    Effect.gen(function* () {
      const { create, current, pass, start, vendor } = yield* environment()
      booksOf(vendor.ledger).refusesTermination = true
      const engine = yield* start
      const record = yield* create(engine)
      yield* pass(25 * minutes)
      assert.deepStrictEqual(stateOf(yield* current(record)), { status: "pending", reviews: ["close_failed"] })
    }).pipe(Effect.scoped)
  )
})
