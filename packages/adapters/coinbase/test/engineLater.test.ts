import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { summaryOf } from "../src/testing/objects.ts"
import { plain, settled, stateOf } from "@paymux/test-suites"
import { days, environment, environmentOf, minutes, operationOf } from "./testEnvironment.ts"

describe("a hold at Coinbase", () => {
  const holding = Effect.fnUntraced(function* (every?: number) {
    const found = yield* environmentOf(every === undefined ? {} : { every })
    const engine = yield* found.start
    const record = yield* found.create(engine, { capture_method: "manual" })
    yield* found.vendor.payersAct
    yield* found.pass(every ?? 1 * minutes)
    assert.deepStrictEqual(stateOf(yield* found.current(record)), settled("authorized"))
    return { ...found, ...engine, record, id: record.payment.id }
  })
  const held = holding()

  it.effect("that is not captured within a week is voided, and its payment fails as lapsed", () =>
    Effect.gen(function* () {
      const { current, nextLook, record, sent, reported, vendor } = yield* holding(20 * minutes)
      for (let day = 1; day <= 6; day++) yield* nextLook(record)
      assert.deepStrictEqual(yield* sent, ["create"])
      for (let day = 7; day <= 9; day++)
        if (stateOf(yield* current(record)).status !== "failed") yield* nextLook(record)
      assert.deepStrictEqual(yield* sent, ["create", "/voids"])
      assert.deepStrictEqual(
        (yield* vendor.payments).map(({ status }) => status),
        ["canceled"]
      )
      assert.deepStrictEqual(stateOf(yield* current(record)), {
        status: "failed",
        code: "authorization_expired",
        reviews: []
      })
      assert.deepStrictEqual(yield* reported(record), ["payment.pending", "payment.authorized", "payment.failed"])
    }).pipe(Effect.scoped)
  )

  it.effect("is released by a void that no webhook reports: it is inquired about until it is done", () =>
    Effect.gen(function* () {
      const { book, books, current, id, pass, payments, record, vendor } = yield* held
      books.voids = "pend"
      const { operation } = yield* payments.cancel(id, plain)
      assert.strictEqual(operation.status, "pending")
      yield* pass(1 * minutes)
      assert.deepStrictEqual(stateOf(yield* current(record)), settled("authorized"))
      const { release } = yield* book
      if (release === undefined) return assert.fail("it was asked for")
      release.status = "succeeded"
      const [payment] = yield* vendor.payments
      vendor.ledger.cancel(payment?.id ?? "")
      yield* pass(1 * minutes)
      assert.deepStrictEqual(stateOf(yield* current(record)), settled("canceled"))
    }).pipe(Effect.scoped)
  )

  it.effect("stands when its capture was taken on and failed, and can be captured again", () =>
    Effect.gen(function* () {
      const { book, books, current, id, pass, payments, record, reported } = yield* held
      books.captures = "pend"
      const { operation } = yield* payments.capture(id, { minorUnits: null }, plain)
      assert.strictEqual(operation.status, "pending")
      yield* pass(1 * minutes)
      const { capture } = yield* book
      if (capture === undefined) return assert.fail("it was asked for")
      capture.status = "failed"
      yield* pass(1 * minutes)
      const failed = yield* current(record)
      assert.deepStrictEqual(stateOf(failed), settled("authorized"))
      assert.strictEqual(operationOf(failed, "capture")?.status, "declined")
      assert.include(yield* reported(record), "payment.capture_failed")
      books.captures = "settle"
      yield* payments.capture(id, { minorUnits: 10_000 }, plain)
      yield* pass(1 * minutes)
      const paid = yield* current(record)
      assert.deepStrictEqual(stateOf(paid), settled("succeeded"))
      assert.strictEqual(paid.payment.amountCaptured, 10_000)
    }).pipe(Effect.scoped)
  )

  it.effect("is captured once, though no answer to its capture came: the same request is answered with it", () =>
    Effect.gen(function* () {
      const { current, id, keysOf, network, pass, payments, record, vendor } = yield* held
      for (let send = 0; send < 3; send++) yield* network.failNext({ executed: true, reply: "reset" }, send)
      const asking = yield* Effect.forkChild(payments.capture(id, { minorUnits: null }, plain), {
        startImmediately: true
      })
      yield* pass(2 * minutes)
      yield* Fiber.join(asking)
      assert.deepStrictEqual(stateOf(yield* current(record)), settled("succeeded"))
      assert.strictEqual((yield* keysOf("/captures")).size, 1)
      assert.deepStrictEqual(
        (yield* vendor.payments).map(({ captured }) => captured),
        [17_050]
      )
    }).pipe(Effect.scoped)
  )
})

describe("captures that were made by hand", () => {
  it.effect("in parts are the payment's when the last one is done", () =>
    Effect.gen(function* () {
      const { create, current, pass, start, postOf, vendor } = yield* environment
      const engine = yield* start
      const record = yield* create(engine, { capture_method: "manual" })
      yield* vendor.payersAct
      yield* pass(1 * minutes)
      const [payment] = yield* vendor.payments
      if (payment === undefined) return assert.fail("there is a session")
      const summary = summaryOf(vendor.ledger, payment)
      const capture = (captureId: string, amount: string, captured: string) =>
        postOf(
          engine,
          "capture_succeeded",
          {
            paymentSession: { ...summary, balances: { ...summary.balances, captured } },
            capture: { captureId, status: "succeeded", amount }
          },
          captureId
        )
      yield* capture("capture_1", "100", "100")
      assert.deepStrictEqual(stateOf(yield* current(record)), { status: "authorized", reviews: ["amount_mismatch"] })
      yield* capture("capture_2", "70.50", "170.50")
      const paid = yield* current(record)
      assert.deepStrictEqual(stateOf(paid), { status: "succeeded", reviews: [] })
      assert.strictEqual(paid.payment.amountCaptured, 17_050)
    }).pipe(Effect.scoped)
  )
})

describe("a payment with automatic capture", () => {
  it.effect("is held where that failed, and ours to capture", () =>
    Effect.gen(function* () {
      const { books, create, current, pass, start, reported, vendor } = yield* environment
      books.captures = "fail"
      const engine = yield* start
      const record = yield* create(engine)
      yield* vendor.payersAct
      yield* pass(1 * minutes)
      assert.deepStrictEqual(stateOf(yield* current(record)), settled("authorized"))
      books.captures = "settle"
      yield* engine.payments.capture(record.payment.id, { minorUnits: null }, plain)
      yield* pass(1 * minutes)
      assert.deepStrictEqual(stateOf(yield* current(record)), settled("succeeded"))
      assert.deepStrictEqual(yield* reported(record), ["payment.pending", "payment.authorized", "payment.succeeded"])
    }).pipe(Effect.scoped)
  )
})

describe("a refund at Coinbase", () => {
  const paid = Effect.gen(function* () {
    const found = yield* environment
    const engine = yield* found.start
    const record = yield* found.create(engine)
    yield* found.vendor.payersAct
    yield* found.pass(1 * minutes)
    assert.deepStrictEqual(stateOf(yield* found.current(record)), settled("succeeded"))
    const asked = engine.payments.refund(record.payment.id, { minorUnits: 1_005, reason: null }, plain)
    return { ...found, ...engine, record, asked }
  })

  it.effect("that was taken on and failed gives nothing back, and may be asked for again", () =>
    Effect.gen(function* () {
      const { asked, current, pass, record, reported, vendor } = yield* paid
      vendor.ledger.decideRefund("pend")
      assert.strictEqual((yield* asked).operation.status, "pending")
      yield* pass(1 * minutes)
      assert.strictEqual((yield* current(record)).payment.amountRefunded, 0)
      vendor.ledger.decideRefund("fail")
      yield* vendor.payersAct
      yield* pass(1 * minutes)
      const failed = yield* current(record)
      assert.strictEqual(operationOf(failed, "refund")?.status, "declined")
      assert.deepStrictEqual(failed.payment.reviews, [])
      vendor.ledger.decideRefund("settle")
      yield* asked
      yield* pass(1 * minutes)
      assert.strictEqual((yield* current(record)).payment.amountRefunded, 1_005)
      const events = (yield* reported(record)).filter((type) => type.startsWith("refund."))
      assert.deepStrictEqual(events, ["refund.pending", "refund.failed", "refund.pending", "refund.succeeded"])
    }).pipe(Effect.scoped)
  )

  it.effect("whose answer never came is given back once", () =>
    Effect.gen(function* () {
      const { asked, current, keysOf, network, pass, record, vendor } = yield* paid
      for (let send = 0; send < 3; send++) yield* network.failNext({ executed: true, reply: "reset" }, send)
      const asking = yield* Effect.forkChild(asked, { startImmediately: true })
      yield* pass(2 * minutes)
      yield* Fiber.join(asking)
      assert.strictEqual((yield* current(record)).payment.amountRefunded, 1_005)
      assert.strictEqual((yield* keysOf("/refunds")).size, 1)
      assert.deepStrictEqual(
        (yield* vendor.payments).map(({ refunds }) => refunds.length),
        [1]
      )
    }).pipe(Effect.scoped)
  )

  it.effect("that meets another action in progress is sent again automatically, under its key", () =>
    Effect.gen(function* () {
      const { asked, current, keysOf, network, pass, record, vendor } = yield* paid
      const busy = { status: 400, json: { errorType: "payment_session_action_pending", errorMessage: "wait" } }
      yield* network.failNext({ executed: false, reply: busy })
      const asking = yield* Effect.forkChild(asked, { startImmediately: true })
      yield* pass(1 * minutes)
      yield* Fiber.join(asking)
      yield* pass(1 * minutes)
      assert.strictEqual((yield* current(record)).payment.amountRefunded, 1_005)
      assert.strictEqual((yield* keysOf("/refunds")).size, 1)
      assert.deepStrictEqual(
        (yield* vendor.payments).map(({ refunds }) => refunds.length),
        [1]
      )
    }).pipe(Effect.scoped)
  )

  it.effect("is refused after Coinbase's time for it, and needs no operator", () =>
    Effect.gen(function* () {
      const { asked, book, books, current, record, vendor } = yield* paid
      const [payment] = yield* vendor.payments
      const kept = yield* book
      books.sessions.set(payment?.id ?? "", { ...kept, createdAt: kept.createdAt - 31 * days })
      const { operation } = yield* asked
      assert.strictEqual(operation.status, "declined")
      assert.strictEqual(operation.vendorCode, "refund_expired")
      assert.deepStrictEqual((yield* current(record)).payment.reviews, [])
    }).pipe(Effect.scoped)
  )
})
