import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { minutes, stateOf, environment } from "./testEnvironment.ts"
import { plain } from "@paymux/test-suites"

const tokens = { stripe: "pm_card_visa", stripe_b: "pm_card_mastercard" }

describe("captures, cancels and refunds at Stripe, by the engine", () => {
  it.effect("a refund that never arrived is not executed within two hours, and the next one is taken", () =>
    Effect.gen(function* () {
      const { create, current, first, network, nextLook, pass, payments } = yield* environment
      const record = yield* create({ tokens })
      for (let send = 0; send < 3; send++) yield* network.failNext({ executed: false, reply: "reset" }, send)
      const refunding = yield* Effect.forkChild(
        payments.refund(record.payment.id, { minorUnits: 17_050, reason: null }, plain),
        { startImmediately: true }
      )
      yield* pass(1 * minutes)
      yield* Fiber.join(refunding)
      const refund = Effect.map(current(record), ({ operations }) => operations.find(({ kind }) => kind === "refund"))
      assert.strictEqual((yield* refund)?.status, "unknown")
      const began = yield* Clock.currentTimeMillis
      while ((yield* refund)?.status === "unknown") yield* nextLook(record)
      assert.strictEqual((yield* refund)?.status, "not_executed")
      assert.isBelow((yield* Clock.currentTimeMillis) - began, 120 * minutes)
      assert.deepStrictEqual(stateOf(yield* current(record)).reviews, [])
      yield* payments.refund(record.payment.id, { minorUnits: 17_050, reason: null }, plain)
      assert.strictEqual((yield* current(record)).payment.amountRefunded, 17_050)
      assert.deepStrictEqual(
        (yield* first.payments).map(({ refunds }) => refunds.length),
        [1]
      )
    }).pipe(Effect.scoped)
  )

  for (const kind of ["capture", "cancel"] as const) {
    it.effect(`a ${kind} that never arrived is not executed within two hours, while the hold stands`, () =>
      Effect.gen(function* () {
        const { create, current, network, nextLook, pass, payments } = yield* environment
        const record = yield* create({ tokens }, 0, { capture_method: "manual" })
        for (let send = 0; send < 3; send++) yield* network.failNext({ executed: false, reply: "reset" }, send)
        const { id } = record.payment
        const ask = kind === "capture" ? payments.capture(id, { minorUnits: null }, plain) : payments.cancel(id, plain)
        const asking = yield* Effect.forkChild(ask, { startImmediately: true })
        yield* pass(1 * minutes)
        yield* Fiber.join(asking)
        const asked = Effect.map(current(record), ({ operations }) => operations.find((each) => each.kind === kind))
        assert.strictEqual((yield* asked)?.status, "unknown")
        const began = yield* Clock.currentTimeMillis
        while ((yield* asked)?.status === "unknown") yield* nextLook(record)
        assert.strictEqual((yield* asked)?.status, "not_executed")
        assert.isBelow((yield* Clock.currentTimeMillis) - began, 120 * minutes)
        assert.deepStrictEqual(stateOf(yield* current(record)), { status: "authorized", reviews: [] })
        yield* ask
        const { status } = stateOf(yield* current(record))
        assert.strictEqual(status, kind === "capture" ? "succeeded" : "canceled")
      }).pipe(Effect.scoped)
    )
  }

  it.effect("a refund that failed, and whose beginning is reported last, needs no operator", () =>
    Effect.gen(function* () {
      const { create, current, payments, postOf } = yield* environment
      const record = yield* create({ tokens })
      yield* payments.refund(record.payment.id, { minorUnits: 1_005, reason: null }, plain)
      const operation = (yield* current(record)).operations.find(({ kind }) => kind === "refund")
      const metadata = { paymux_operation: operation?.id }
      const refund = { id: operation?.reference, amount: 1_005, currency: "eur", metadata }
      yield* postOf("refund.failed", { ...refund, status: "failed" })
      yield* postOf("refund.created", { ...refund, status: "succeeded" })
      const { operations, payment } = yield* current(record)
      assert.deepStrictEqual(payment.reviews, [])
      assert.strictEqual(payment.amountRefunded, 0)
      assert.strictEqual(operations.find(({ kind }) => kind === "refund")?.status, "declined")
    }).pipe(Effect.scoped)
  )
})
