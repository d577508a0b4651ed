import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { coinbase } from "../src/index.ts"
import { fake } from "../src/testing/fake.ts"
import { optionsOf } from "../src/testing/options.ts"
import { summaryOf } from "../src/testing/objects.ts"
import { settled, stateOf } from "@paymux/test-suites"
import { environment, environmentOf, minutes } from "./testEnvironment.ts"

describe("a payment at Coinbase", () => {
  it.effect("is shown as Coinbase's page, and paid when its capture is done", () =>
    Effect.gen(function* () {
      const { create, current, pass, sent, start, reported, vendor } = yield* environment
      const engine = yield* start
      const record = yield* create(engine)
      const { state } = record.payment
      assert.strictEqual(state.status === "pending" ? state.nextAction?.type : state.status, "redirect")
      yield* pass(5 * minutes)
      assert.deepStrictEqual(stateOf(yield* current(record)), settled("pending"))
      yield* vendor.payersAct
      yield* pass(1 * minutes)
      assert.deepStrictEqual(stateOf(yield* current(record)), settled("succeeded"))
      assert.deepStrictEqual(yield* reported(record), ["payment.pending", "payment.succeeded"])
      assert.deepStrictEqual(yield* sent, ["create"])
    }).pipe(Effect.scoped)
  )

  it.effect("is waited for while the chain has not confirmed: neither closed nor failed after its time", () =>
    Effect.gen(function* () {
      const { book, create, current, pass, post, sent, start, vendor } = yield* environment
      const engine = yield* start
      const record = yield* create(engine)
      const kept = yield* book
      kept.isMoving = true
      yield* pass(80 * minutes)
      const moving = yield* current(record)
      assert.deepStrictEqual(stateOf(moving), settled("pending"))
      const { state } = moving.payment
      assert.strictEqual(state.status === "pending" ? state.reason : state.status, "awaiting_finality")
      yield* vendor.payersAct
      yield* post(engine, vendor.ledger.events()[0])
      assert.deepStrictEqual(stateOf(yield* current(record)), settled("succeeded"))
      assert.deepStrictEqual(yield* sent, ["create"])
    }).pipe(Effect.scoped)
  )

  it.effect("that is not paid is canceled at Coinbase after its time, and ends without an operator", () =>
    Effect.gen(function* () {
      const { create, current, pass, sent, start, reported, vendor } = yield* environment
      const record = yield* create(yield* start)
      yield* pass(59 * minutes)
      assert.deepStrictEqual(yield* sent, ["create"])
      yield* pass(3 * minutes)
      assert.deepStrictEqual(stateOf(yield* current(record)), {
        status: "failed",
        code: "customer_timeout",
        reviews: []
      })
      assert.deepStrictEqual(yield* sent, ["create", "/cancel"])
      assert.deepStrictEqual(
        (yield* vendor.payments).map(({ status }) => status),
        ["canceled"]
      )
      assert.deepStrictEqual(yield* reported(record), ["payment.pending", "payment.failed"])
    }).pipe(Effect.scoped)
  )

  it.effect("begun in the last moment is not closed: the refused cancel changes nothing", () =>
    Effect.gen(function* () {
      const { book, create, current, network, pass, sent, start, vendor } = yield* environment
      const record = yield* create(yield* start)
      yield* pass(59 * minutes)
      // The cancel finds it moving, though it was looked at just before.
      const kept = yield* book
      const stale = (yield* network.requests).findLast(({ method }) => method === "GET")?.answer ?? ""
      const looks = Effect.map(network.requests, (all) => all.filter(({ method }) => method === "GET").length)
      const before = yield* looks
      while ((yield* looks) === before) yield* pass(4_000)
      kept.isMoving = true
      for (const after of [0, 1]) {
        yield* network.failNext({ executed: false, reply: { status: 200, json: JSON.parse(stale) } }, after)
      }
      yield* pass(4 * minutes)
      assert.deepStrictEqual(stateOf(yield* current(record)), settled("pending"))
      yield* vendor.payersAct
      yield* pass(5 * minutes)
      assert.deepStrictEqual(stateOf(yield* current(record)), settled("succeeded"))
      assert.notInclude((yield* sent).slice(2), "/cancel")
    }).pipe(Effect.scoped)
  )

  it.effect("that is reported as paid after Coinbase canceled it opens a review: nothing can follow a cancel", () =>
    Effect.gen(function* () {
      const { create, current, pass, sent, start, postOf, vendor } = yield* environment
      const engine = yield* start
      const record = yield* create(engine)
      yield* pass(62 * minutes)
      assert.strictEqual(stateOf(yield* current(record)).status, "failed")
      const [payment] = yield* vendor.payments
      if (payment === undefined) return assert.fail("there is a session")
      const before = yield* sent
      const capture = { captureId: "capture_late", status: "succeeded", amount: "170.50" }
      yield* postOf(engine, "capture_succeeded", { paymentSession: summaryOf(vendor.ledger, payment), capture })
      assert.deepInclude(stateOf(yield* current(record)), { status: "failed", reviews: [] }, "it is inquired first")
      yield* pass(2 * 60 * minutes)
      const now = yield* current(record)
      assert.deepInclude(stateOf(now), { status: "failed", reviews: ["late_success"] }, "no inquiry confirms it")
      assert.deepInclude(now.payment.reviews[0], { minorUnits: 17_050, provider: "coinbase" })
      assert.deepStrictEqual(yield* sent, before)
    }).pipe(Effect.scoped)
  )

  it.effect("that Coinbase would not close is given up after its time, and one that is paid then succeeds late", () =>
    Effect.gen(function* () {
      const { books, create, current, pass, post, sent, start, reported, vendor } = yield* environment
      const engine = yield* start
      const record = yield* create(engine)
      books.refusesCancels = true
      yield* pass(68 * minutes)
      assert.deepStrictEqual(stateOf(yield* current(record)), settled("pending"))
      assert.deepStrictEqual(yield* sent, ["create", "/cancel"])
      yield* pass(65 * minutes)
      assert.deepStrictEqual(stateOf(yield* current(record)), {
        status: "failed",
        code: "customer_timeout",
        reviews: []
      })
      yield* vendor.payersAct
      yield* post(engine, vendor.ledger.events()[0])
      assert.deepStrictEqual(stateOf(yield* current(record)), settled("succeeded"))
      assert.deepStrictEqual(yield* reported(record), ["payment.pending", "payment.failed", "payment.succeeded"])
    }).pipe(Effect.scoped)
  )

  it.effect("that was declined on the page is over: no payer can try again on its session", () =>
    Effect.gen(function* () {
      const { create, current, pass, sent, start, vendor } = yield* environment
      const record = yield* create(yield* start)
      yield* vendor.decide({ decline: "insufficient_funds" })
      yield* vendor.payersAct
      yield* pass(1 * minutes)
      assert.deepStrictEqual(stateOf(yield* current(record)), {
        status: "failed",
        code: "insufficient_funds",
        reviews: []
      })
      assert.deepStrictEqual(yield* sent, ["create"])
    }).pipe(Effect.scoped)
  )

  it.effect("that failed by an unpublished code ends with its time, and without an operator", () =>
    Effect.gen(function* () {
      const { create, current, pass, start, vendor } = yield* environment
      const record = yield* create(yield* start)
      yield* pass(57 * minutes)
      yield* vendor.decide({ decline: "out_of_luck" })
      yield* vendor.payersAct
      yield* pass(1 * minutes)
      assert.deepStrictEqual(stateOf(yield* current(record)), settled("pending"))
      yield* pass(6 * minutes)
      assert.deepStrictEqual(stateOf(yield* current(record)), {
        status: "failed",
        code: "customer_timeout",
        reviews: []
      })
    }).pipe(Effect.scoped)
  )
})

describe("a payment at an account that Coinbase has not enabled", () => {
  const notEnabled = {
    executed: false,
    reply: { status: 400, json: { errorType: "entity_not_configured_for_payment_acceptance", errorMessage: "No." } }
  }

  it.effect("fails by a code of its own, and payments are sent again once it is enabled", () =>
    Effect.gen(function* () {
      const { create, network, sent, start } = yield* environment
      const engine = yield* start
      for (let payment = 0; payment < 20; payment++) {
        yield* network.failNext(notEnabled)
        assert.deepInclude(stateOf(yield* create(engine)), { status: "failed", code: "account_not_enabled" })
      }
      assert.deepStrictEqual(stateOf(yield* create(engine)), settled("pending"))
      assert.lengthOf(yield* sent, 21)
    }).pipe(Effect.scoped)
  )

  it.effect("is taken by the next provider, and the following ones do not ask the account again", () =>
    Effect.gen(function* () {
      const other = yield* fake.start({ mode: "test" })
      const next = [coinbase({ ...optionsOf(other), id: "other" })]
      const { create, network, sent, start } = yield* environmentOf({ next })
      const engine = yield* start
      yield* network.failNext(notEnabled)
      for (let payment = 0; payment < 5; payment++) {
        const record = yield* create(engine)
        assert.deepStrictEqual(stateOf(record), settled("pending"))
        assert.strictEqual(record.attempts.at(-1)?.provider, "other")
      }
      assert.lengthOf(yield* sent, 1)
      assert.lengthOf(yield* other.payments, 5)
    }).pipe(Effect.scoped)
  )
})

describe("a create at Coinbase that was not answered", () => {
  it.effect("is sent again under its key, and there is one session", () =>
    Effect.gen(function* () {
      const { create, keysOf, network, pass, sent, start, vendor } = yield* environment
      const engine = yield* start
      yield* network.failNext({ executed: true, reply: "reset" })
      const creating = yield* Effect.forkChild(create(engine), { startImmediately: true })
      yield* pass(8_000)
      const record = yield* Fiber.join(creating)
      const { state } = record.payment
      assert.strictEqual(state.status === "pending" ? state.nextAction?.type : state.status, "redirect")
      assert.deepStrictEqual(yield* sent, ["create", "create"])
      assert.strictEqual((yield* keysOf("payment-sessions")).size, 1)
      assert.lengthOf(yield* vendor.payments, 1)
    }).pipe(Effect.scoped)
  )

  it.effect("not once in three times: an inquiry finds the session by our id, and its page", () =>
    Effect.gen(function* () {
      const { create, current, network, only, pass, start, vendor } = yield* environment
      const engine = yield* start
      for (let send = 0; send < 3; send++) yield* network.failNext({ executed: true, reply: "reset" }, send)
      const creating = yield* Effect.forkChild(create(engine), { startImmediately: true })
      yield* pass(1 * minutes)
      yield* Fiber.join(creating)
      const record = yield* only(engine)
      const { state } = record.payment
      assert.strictEqual(state.status === "pending" ? state.nextAction?.type : state.status, "redirect")
      yield* vendor.payersAct
      yield* pass(1 * minutes)
      assert.deepStrictEqual(stateOf(yield* current(record)), settled("succeeded"))
      assert.lengthOf(yield* vendor.payments, 1)
    }).pipe(Effect.scoped)
  )

  it.effect("and of which Coinbase has nothing: after an hour it was not executed", () =>
    Effect.gen(function* () {
      const { create, current, network, only, pass, start, vendor } = yield* environment
      const engine = yield* start
      for (let send = 0; send < 3; send++) yield* network.failNext({ executed: false, reply: "reset" }, send)
      const creating = yield* Effect.forkChild(create(engine), { startImmediately: true })
      yield* pass(50 * minutes)
      yield* Fiber.join(creating)
      const record = yield* only(engine)
      assert.deepStrictEqual(stateOf(record), settled("pending"))
      yield* pass(15 * minutes)
      const over = yield* current(record)
      assert.deepStrictEqual(stateOf(over), { status: "failed", code: "provider_unavailable", reviews: [] })
      assert.lengthOf(yield* vendor.payments, 0)
    }).pipe(Effect.scoped)
  )

  it.effect("whose process died is resumed by the next one, which opens no second session", () =>
    Effect.gen(function* () {
      const { create, current, network, only, pass, sent, settle, start, vendor } = yield* environmentOf({
        patience: 200
      })
      const first = yield* start
      yield* network.failNext({ executed: true, reply: "never" })
      const creating = yield* Effect.forkChild(create(first), { startImmediately: true })
      yield* settle
      yield* first.end
      yield* Fiber.interrupt(creating)
      const second = yield* start
      yield* pass(2 * minutes)
      const record = yield* only(second)
      const { state } = record.payment
      assert.strictEqual(state.status === "pending" ? state.nextAction?.type : state.status, "redirect")
      yield* vendor.payersAct
      yield* pass(1 * minutes)
      assert.deepStrictEqual(stateOf(yield* current(record)), settled("succeeded"))
      assert.deepStrictEqual(yield* sent, ["create"])
      assert.lengthOf(yield* vendor.payments, 1)
    }).pipe(Effect.scoped)
  )
})
