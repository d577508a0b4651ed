import type { OperationId } from "@paymux/core"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { bookOf, otherTry, reuseReceipts } from "../src/testing/books.ts"
import { plain } from "@paymux/test-suites"
import { environment, eventually, stateOf } from "./testEnvironment.ts"

const minute = 60_000

describe("the engine over Razorpay", () => {
  it.effect("a crash between an order and its payment makes no second order, and it ends without an operator", () =>
    Effect.gen(function* () {
      const here = yield* environment()
      const { network, store, vendor } = here
      const before = yield* here.start
      yield* network.failNext({ executed: false, reply: "never" }, 1)
      const creating = yield* Effect.forkChild(here.create(before), { startImmediately: true })
      yield* eventually(Effect.map(network.requests, ({ length }) => length === 2))
      yield* before.end
      creating.interruptUnsafe()

      const [order] = yield* vendor.payments
      const record = yield* Effect.orDie(store.findByOperation((order?.reference ?? "") as OperationId))
      if (record === null) return assert.fail("the operation was committed before its first byte")
      assert.deepStrictEqual(
        record.operations.map(({ reference, status }) => ({ reference, status })),
        [{ reference: `order_${order?.id}`, status: "sending" }]
      )
      const after = yield* here.start
      yield* here.untilEnded(record)
      assert.deepStrictEqual(stateOf(yield* here.current(record)), {
        status: "failed",
        code: "provider_unavailable",
        reviews: []
      })
      assert.lengthOf(yield* vendor.payments, 1)
      const sent = (yield* network.requests).filter(({ method }) => method === "POST")
      assert.deepStrictEqual(
        sent.map(({ path }) => path),
        ["/v1/orders", "/v1/payments/create/upi"]
      )
      yield* after.end
    }).pipe(Effect.scoped)
  )

  for (const reuse of ["same_order", "refused", "refused_with_order_id"] as const) {
    it.effect(`a lost reply to the order: its payment is made on it, and succeeds (${reuse})`, () =>
      Effect.gen(function* () {
        const here = yield* environment()
        const engine = yield* here.start
        reuseReceipts(here.vendor.ledger, reuse)
        yield* here.network.failNext({ executed: true, reply: "reset" })
        const creating = yield* Effect.forkChild(here.create(engine), { startImmediately: true })
        yield* eventually(
          Effect.gen(function* () {
            yield* TestClock.adjust(100)
            return creating.pollUnsafe() !== undefined
          })
        )
        const record = yield* Fiber.join(creating)
        const { state } = record.payment
        assert.strictEqual(state.status === "pending" ? state.nextAction?.type : state.status, "upi_intent")
        yield* here.vendor.payersAct
        yield* here.untilEnded(record)
        assert.deepStrictEqual(stateOf(yield* here.current(record)), { status: "succeeded", late: false, reviews: [] })
        assert.lengthOf(yield* here.vendor.payments, 1)
        yield* engine.end
      }).pipe(Effect.scoped)
    )
  }

  it.effect(
    "an account without the S2S API fails an intent with a code of its own, and still takes Payment Links",
    () =>
      Effect.gen(function* () {
        const here = yield* environment()
        const engine = yield* here.start
        yield* here.vendor.decide("wait")
        const description = "The requested URL was not found on the server."
        const error = { code: "BAD_REQUEST_ERROR", description, source: "NA", step: "NA", reason: "NA", metadata: {} }
        yield* here.network.failNext({ executed: false, reply: { status: 400, json: { error } } }, 1)
        const refused = yield* here.create(engine)
        assert.deepStrictEqual(stateOf(refused), { status: "failed", code: "account_not_enabled", reviews: [] })
        for (let more = 0; more < 20; more++) {
          const { payment } = yield* here.createOf(engine, {
            amount: 10_000,
            currency: "INR",
            payment_method: "upi",
            customer: { email: "asha@example.com", phone: "+919812345678" }
          })
          const { state } = payment
          assert.strictEqual(state.status === "pending" ? state.nextAction?.type : state.status, "redirect")
        }
        yield* engine.end
      }).pipe(Effect.scoped)
  )

  it.effect("a lost reply to the payment: it is made again on the same order, and its link is shown", () =>
    Effect.gen(function* () {
      const here = yield* environment()
      const engine = yield* here.start
      yield* here.network.failNext({ executed: true, reply: { status: 502, text: "bad gateway" } }, 1)
      const creating = yield* Effect.forkChild(here.create(engine), { startImmediately: true })
      yield* eventually(Effect.map(here.network.requests, ({ length }) => length === 2))
      yield* eventually(
        Effect.gen(function* () {
          yield* TestClock.adjust(100)
          return creating.pollUnsafe() !== undefined
        })
      )
      const [order] = yield* here.vendor.payments
      const record = yield* Effect.orDie(here.store.findByOperation((order?.reference ?? "") as OperationId))
      const state = record?.payment.state
      assert.strictEqual(state?.status === "pending" ? state.nextAction?.type : state?.status, "upi_intent")
      assert.lengthOf(yield* here.vendor.payments, 1)
      yield* engine.end
    }).pipe(Effect.scoped)
  )

  for (const flow of ["intent", "qr"] as const) {
    it.effect(`a payer who leaves the ${flow} ends failed with customer_timeout, without an operator`, () =>
      Effect.gen(function* () {
        const here = yield* environment()
        const engine = yield* here.start
        yield* here.vendor.decide("wait")
        const record = yield* here.create(engine, flow)
        assert.strictEqual(stateOf(record).status, "pending")
        const from = yield* Clock.currentTimeMillis
        yield* here.untilEnded(record)
        assert.deepStrictEqual(stateOf(yield* here.current(record)), {
          status: "failed",
          code: "customer_timeout",
          reviews: []
        })
        assert.isAtLeast((yield* Clock.currentTimeMillis) - from, 30 * minute)
        assert.deepStrictEqual(yield* here.reported(record), ["payment.pending", "payment.failed"])
        yield* engine.end
      }).pipe(Effect.scoped)
    )
  }

  it.effect("an abandoned QR object is closed at Razorpay", () =>
    Effect.gen(function* () {
      const here = yield* environment({ qr: "qr_code" })
      const engine = yield* here.start
      yield* here.vendor.decide("wait")
      const record = yield* here.create(engine, "qr")
      yield* here.untilEnded(record)
      const { code, status } = { code: null, ...stateOf(yield* here.current(record)) }
      assert.deepStrictEqual({ code, status }, { code: "customer_timeout", status: "failed" })
      assert.deepStrictEqual(
        (yield* here.vendor.payments).map((payment) => payment.status),
        ["canceled"]
      )
      yield* engine.end
    }).pipe(Effect.scoped)
  )

  it.effect("an intent that such an instance cannot close ends all the same", () =>
    Effect.gen(function* () {
      const here = yield* environment({ qr: "qr_code" })
      const engine = yield* here.start
      yield* here.vendor.decide("wait")
      const record = yield* here.create(engine, "intent")
      yield* here.untilEnded(record)
      assert.deepStrictEqual(stateOf(yield* here.current(record)), {
        status: "failed",
        code: "customer_timeout",
        reviews: []
      })
      yield* engine.end
    }).pipe(Effect.scoped)
  )

  it.effect("failed, and captured three days later: the payment succeeds late", () =>
    Effect.gen(function* () {
      const here = yield* environment()
      const before = yield* here.start
      yield* here.vendor.decide({ decline: "payment_declined" })
      const record = yield* here.create(before)
      yield* here.vendor.payersAct
      const [failed] = here.vendor.ledger.events()
      if (failed === undefined) return assert.fail("the payer was declined")
      assert.strictEqual(yield* here.post(before, failed), "applied")
      assert.strictEqual(stateOf(yield* here.current(record)).status, "pending")
      yield* here.nextLook(record)
      assert.deepStrictEqual(stateOf(yield* here.current(record)), {
        status: "failed",
        code: "do_not_honor",
        reviews: []
      })

      yield* before.end
      yield* TestClock.adjust("3 days")
      const engine = yield* here.start
      const captured = { ...failed.payment, status: "captured", code: null, captured: 10_000 } as const
      const occurredAt = yield* Clock.currentTimeMillis
      assert.strictEqual(
        yield* here.post(engine, { id: "evt_late", type: "captured", payment: captured, refund: null, occurredAt }),
        "applied"
      )
      const now = yield* here.current(record)
      assert.deepStrictEqual(stateOf(now), { status: "succeeded", late: true, reviews: [] })
      assert.strictEqual(now.payment.amountCaptured, 10_000)
      assert.deepStrictEqual(yield* here.reported(record), ["payment.pending", "payment.failed", "payment.succeeded"])
      yield* engine.end
    }).pipe(Effect.scoped)
  )

  it.effect("authorized after it failed, with automatic capture: nothing is refunded, the capture counts", () =>
    Effect.gen(function* () {
      const here = yield* environment()
      const engine = yield* here.start
      yield* here.vendor.decide({ decline: "payment_timed_out" })
      const record = yield* here.create(engine)
      yield* here.vendor.payersAct
      const [failed] = here.vendor.ledger.events()
      if (failed === undefined) return assert.fail("the payer was declined")
      yield* here.nextLook(record)
      const reported = { refund: null, occurredAt: yield* Clock.currentTimeMillis }
      const authorized = { ...failed.payment, status: "authorized", code: null } as const
      yield* here.post(engine, { ...reported, id: "evt_auth", type: "authorized", payment: authorized })
      assert.strictEqual(stateOf(yield* here.current(record)).status, "failed")
      const captured = { ...authorized, status: "captured", captured: 10_000 } as const
      yield* here.post(engine, { ...reported, id: "evt_capt", type: "captured", payment: captured })
      assert.deepStrictEqual(stateOf(yield* here.current(record)), {
        status: "succeeded",
        late: true,
        reviews: []
      })
      yield* engine.end
    }).pipe(Effect.scoped)
  )

  for (const [what, reported] of [
    ["authorized", { status: "authorized" }],
    ["deemed to have succeeded", { status: "failed", error_reason: "deemed_transaction" }]
  ] as const) {
    it.effect(`a payment that is ${what} is not given up, whatever time it takes, and succeeds`, () =>
      Effect.gen(function* () {
        const here = yield* environment()
        const engine = yield* here.start
        yield* here.vendor.decide("wait")
        const record = yield* here.create(engine)
        const tried = yield* triesOf(here)
        const [first] = tried
        if (first === undefined) return assert.fail("a payment was made")
        first.reported = reported
        const from = yield* Clock.currentTimeMillis
        while ((yield* Clock.currentTimeMillis) - from < 65 * minute) {
          yield* here.nextLook(record)
          assert.deepStrictEqual(stateOf(yield* here.current(record)), { status: "pending", reviews: [] })
        }
        first.reported = { status: "captured", captured: true }
        yield* here.untilEnded(record)
        assert.deepStrictEqual(stateOf(yield* here.current(record)), {
          status: "succeeded",
          late: false,
          reviews: []
        })
        yield* engine.end
      }).pipe(Effect.scoped)
    )
  }

  it.effect("a hold that lapsed at Razorpay ends as authorization_expired, with nothing captured", () =>
    Effect.gen(function* () {
      const here = yield* environment()
      const engine = yield* here.start
      const record = yield* here.create(engine, "intent", "manual")
      yield* here.vendor.payersAct
      yield* here.untilEnded(record)
      assert.strictEqual(stateOf(yield* here.current(record)).status, "authorized")
      const [order] = yield* here.vendor.payments
      here.vendor.ledger.cancel(order?.id ?? "")
      while (stateOf(yield* here.current(record)).status === "authorized") {
        yield* here.nextLook(record)
      }
      const now = yield* here.current(record)
      assert.deepStrictEqual(stateOf(now), { status: "failed", code: "authorization_expired", reviews: [] })
      assert.strictEqual(now.payment.amountCaptured, 0)
      yield* engine.end
    }).pipe(Effect.scoped)
  )

  it.effect("the failure of an unseen attempt leaves open the one in the payer's hand, which then pays", () =>
    Effect.gen(function* () {
      const here = yield* environment()
      const engine = yield* here.start
      yield* here.vendor.decide("wait")
      yield* here.network.failNext({ executed: true, reply: { status: 502, text: "bad gateway" } }, 1)
      const creating = yield* Effect.forkChild(here.create(engine), { startImmediately: true })
      yield* eventually(
        Effect.gen(function* () {
          yield* TestClock.adjust(100)
          return creating.pollUnsafe() !== undefined
        })
      )
      const record = yield* Fiber.join(creating)
      const [unseen, ...more] = yield* triesOf(here)
      if (unseen === undefined) return assert.fail("a payment was made")
      assert.lengthOf(more, 1)
      unseen.reported = { status: "failed", error_reason: "gateway_technical_error" }
      const of = { id: unseen.id, amount: 10_000, currency: "INR", order_id: record.operations[0]?.reference }
      yield* here.postOf(engine, "payment.failed", { ...of, ...unseen.reported })
      yield* here.nextLook(record)
      assert.strictEqual(stateOf(yield* here.current(record)).status, "pending")
      yield* here.postOf(engine, "payment.captured", { ...of, id: more[0]?.id, status: "captured", captured: true })
      assert.deepStrictEqual(stateOf(yield* here.current(record)), {
        status: "succeeded",
        late: false,
        reviews: []
      })
      yield* engine.end
    }).pipe(Effect.scoped)
  )

  it.effect("a duplicate that Razorpay gave back is no refund: what was captured is refunded", () =>
    Effect.gen(function* () {
      const here = yield* environment()
      const engine = yield* here.start
      const record = yield* here.create(engine)
      yield* here.vendor.payersAct
      yield* here.untilEnded(record)
      const [order] = yield* here.vendor.payments
      if (order === undefined) return assert.fail("an order was made")
      otherTry(here.vendor.ledger, order, { status: "refunded", captured: false, amount_refunded: 10_000 })
      yield* engine.payments.refund(record.payment.id, { minorUnits: null, reason: null }, plain)
      const now = yield* here.current(record)
      assert.strictEqual(now.payment.amountRefunded, 10_000)
      assert.deepStrictEqual(
        (yield* here.vendor.payments).map(({ refunds }) => refunds.map(({ minorUnits }) => minorUnits)),
        [[10_000]]
      )
      yield* engine.end
    }).pipe(Effect.scoped)
  )
})

const triesOf = ({ vendor }: Effect.Success<ReturnType<typeof environment>>) =>
  Effect.map(vendor.payments, ([order]) => (order === undefined ? [] : bookOf(vendor.ledger, order).tries))
