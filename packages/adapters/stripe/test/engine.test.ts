import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { cards } from "../src/testing/fake.ts"
import { environment, environmentOf, minutes, stateOf } from "./testEnvironment.ts"
import { plain } from "@paymux/test-suites"

const intentPath = "/v1/payment_intents/pi_vp_1"
const tokens = { stripe: "pm_card_visa", stripe_b: "pm_card_mastercard" }

describe("the engine over Stripe", () => {
  it.effect("a soft decline goes to the other provider, once", () =>
    Effect.gen(function* () {
      const { create, first, second, sent } = yield* environment
      yield* first.decide({ decline: "issuer_not_available" })
      const record = yield* create({ tokens })
      assert.deepStrictEqual(stateOf(record), { status: "succeeded", by: "stripe_b", reviews: [] })
      assert.deepStrictEqual(yield* sent, [1, 1])

      yield* second.decide({ decline: "issuer_not_available" })
      const again = yield* create({ tokens })
      assert.deepStrictEqual(stateOf(again), { status: "failed", code: "issuer_unavailable", reviews: [] })
      assert.deepStrictEqual(yield* sent, [2, 2])
    }).pipe(Effect.scoped)
  )

  for (const [decline, code] of [
    ["insufficient_funds", "insufficient_funds"],
    ["authentication_required", "authentication_required"],
    ["stolen_card", "lost_or_stolen"],
    ["do_not_honor", "do_not_honor"]
  ] as const) {
    it.effect(`a decline by ${decline} goes nowhere else`, () =>
      Effect.gen(function* () {
        const { create, first, sent } = yield* environment
        yield* first.decide({ decline })
        assert.deepStrictEqual(stateOf(yield* create({ tokens })), { status: "failed", code, reviews: [] })
        assert.deepStrictEqual(yield* sent, [1, 0])
      }).pipe(Effect.scoped)
    )
  }

  it.effect("3-D Secure was shown, and then it is declined by what would be soft: no other provider is tried", () =>
    Effect.gen(function* () {
      const { create, current, first, network, payments, sent } = yield* environment
      yield* first.decide({ decline: "issuer_not_available" })
      const record = yield* create({ tokens: { ...tokens, stripe: cards.redirect } })
      const { state } = record.payment
      assert.strictEqual(state.status === "pending" ? state.nextAction?.type : state.status, "redirect")
      yield* first.payersAct
      const seen = yield* payments.complete(record.payment.id, { redirect_status: "succeeded" })
      assert.deepStrictEqual(stateOf(seen), { status: "failed", code: "issuer_unavailable", reviews: [] })
      assert.deepStrictEqual(stateOf(yield* current(record)), stateOf(seen))
      assert.deepStrictEqual(yield* sent, [1, 0])
      // The address that the shopper came back to could pay it with another card.
      const last = (yield* network.requests).at(-1)
      assert.strictEqual(`${last?.path} ${last?.body}`, `${intentPath}/cancel cancellation_reason=abandoned`)
    }).pipe(Effect.scoped)
  )

  it.effect("3-D Secure: the shopper's return is asked about, whatever its address says", () =>
    Effect.gen(function* () {
      const { create, first, payments } = yield* environment
      const record = yield* create({ tokens: { ...tokens, stripe: cards.redirect } })
      const early = yield* payments.complete(record.payment.id, { redirect_status: "succeeded" })
      assert.strictEqual(stateOf(early).status, "pending")
      yield* first.payersAct
      const paid = yield* payments.complete(record.payment.id, { redirect_status: "failed" })
      assert.deepStrictEqual(stateOf(paid), { status: "succeeded", by: "stripe", reviews: [] })
    }).pipe(Effect.scoped)
  )

  it.effect("a timeout after sending: the same key again, one charge, and no other provider", () =>
    Effect.gen(function* () {
      const { create, first, keys, network, sent } = yield* environmentOf({ patience: 200 })
      yield* network.failNext({ executed: true, reply: "never" })
      const record = yield* create({ tokens }, 1 * minutes)
      assert.deepStrictEqual(stateOf(record), { status: "succeeded", by: "stripe", reviews: [] })
      const [at, elsewhere] = yield* sent
      assert.isAtLeast(at, 2)
      assert.strictEqual(elsewhere, 0)
      assert.strictEqual((yield* keys).size, 1)
      assert.lengthOf(yield* first.payments, 1)
    }).pipe(Effect.scoped)
  )

  it.effect("captured, its reply lost: the first answer comes again, and there is one charge", () =>
    Effect.gen(function* () {
      const { create, first, network, sent } = yield* environment
      yield* network.failNext({ executed: true, reply: "reset" })
      const paid = yield* create({ tokens }, 8_000)
      assert.deepStrictEqual(stateOf(paid), { status: "succeeded", by: "stripe", reviews: [] })
      assert.deepStrictEqual(yield* sent, [2, 0])
      assert.lengthOf(yield* first.payments, 1)
    }).pipe(Effect.scoped)
  )

  it.effect("every reply lost, and no webhook: an inquiry finds the charge by our id", () =>
    Effect.gen(function* () {
      const { create, current, first, network, nextLook, sent } = yield* environment
      for (let send = 0; send < 3; send++) yield* network.failNext({ executed: true, reply: "reset" }, send)
      const record = yield* create({ tokens }, 1 * minutes)
      while (stateOf(yield* current(record)).status === "pending") yield* nextLook(record)
      assert.deepStrictEqual(stateOf(yield* current(record)), { status: "succeeded", by: "stripe", reviews: [] })
      assert.deepStrictEqual(yield* sent, [3, 0])
      assert.lengthOf(yield* first.payments, 1)
    }).pipe(Effect.scoped)
  )

  it.effect("no reply ever: no other provider is tried, and the webhook ends it", () =>
    Effect.gen(function* () {
      const { create, current, first, network, post, sent } = yield* environmentOf({ patience: 200 })
      yield* network.fallSilent
      const record = yield* create({ tokens }, 2 * minutes)
      assert.strictEqual(stateOf(record).status, "pending")
      assert.strictEqual((yield* sent)[1], 0)
      assert.strictEqual(yield* post(first.ledger.events()[0]), "applied")
      assert.deepStrictEqual(stateOf(yield* current(record)), { status: "succeeded", by: "stripe", reviews: [] })
      assert.lengthOf(yield* first.payments, 1)
    }).pipe(Effect.scoped)
  )

  for (const [what, card] of [
    ["a 3-D Secure page", { tokens: { ...tokens, stripe: cards.redirect } }],
    ["Stripe's page", {}]
  ] as const) {
    it.effect(`${what} that the shopper left is closed at Stripe, and ends without an operator`, () =>
      Effect.gen(function* () {
        const { create, current, first, pass, sent } = yield* environment
        yield* first.decide("wait")
        const record = yield* create(card)
        assert.strictEqual(stateOf(record).status, "pending")
        yield* pass(65 * minutes)
        assert.deepStrictEqual(stateOf(yield* current(record)), {
          status: "failed",
          code: "customer_timeout",
          reviews: []
        })
        assert.deepStrictEqual(
          (yield* first.payments).map(({ status }) => status),
          ["canceled"]
        )
        assert.strictEqual((yield* sent)[1], 0)
      }).pipe(Effect.scoped)
    )
  }

  it.effect("Stripe's page, paid, and reported by webhook: its PaymentIntent is kept, and refunds use it", () =>
    Effect.gen(function* () {
      const { create, current, first, network, payments, post } = yield* environment
      const record = yield* create({})
      yield* first.payersAct
      assert.strictEqual(yield* post(first.ledger.events()[0]), "applied")
      const paid = yield* current(record)
      assert.deepStrictEqual(stateOf(paid), { status: "succeeded", by: "stripe", reviews: [] })
      assert.strictEqual(paid.operations[0]?.reference, "pi_vp_1")
      const tenant = { account: "default", livemode: false }
      const request = { minorUnits: 1_005, reason: null }
      yield* payments.refund(record.payment.id, request, { tenant, idempotency: null })
      const [payment] = yield* first.payments
      assert.deepStrictEqual(
        payment?.refunds.map(({ minorUnits }) => minorUnits),
        [1_005]
      )
      assert.deepStrictEqual(
        (yield* network.requests).map(({ method, path }) => `${method} ${path}`),
        ["POST /v1/checkout/sessions", "POST /v1/refunds"]
      )
    }).pipe(Effect.scoped)
  )

  it.effect("what only Stripe's script can show is closed, and declined: no other provider is tried", () =>
    Effect.gen(function* () {
      const { create, first, sent } = yield* environment
      const record = yield* create({ tokens: { ...tokens, stripe: cards.script } })
      assert.deepStrictEqual(stateOf(record), { status: "failed", code: "authentication_required", reviews: [] })
      assert.deepStrictEqual(
        (yield* first.payments).map(({ status }) => status),
        ["canceled"]
      )
      assert.deepStrictEqual(yield* sent, [1, 0])
    }).pipe(Effect.scoped)
  )

  it.effect("where it cannot be closed, it is pending: the next look closes it, or the merchant cancels it", () =>
    Effect.gen(function* () {
      const { create, current, first, network, nextLook, payments } = yield* environment
      yield* first.decide("wait")
      for (const closes of ["look", "merchant"] as const) {
        yield* network.failNext({ executed: false, reply: { status: 500, json: { error: { type: "api_error" } } } }, 1)
        const record = yield* create({ tokens: { stripe: cards.script } })
        assert.strictEqual(stateOf(record).status, "pending")
        if (closes === "look") yield* nextLook(record)
        else yield* payments.cancel(record.payment.id, plain)
        const closed = stateOf(yield* current(record))
        assert.strictEqual(closed.status, closes === "look" ? "failed" : "canceled")
        assert.deepStrictEqual(closed.reviews, [])
      }
      assert.deepStrictEqual(
        (yield* first.payments).map(({ status }) => status),
        ["canceled", "canceled"]
      )
    }).pipe(Effect.scoped)
  )

  it.effect("three decimals that Stripe does not take go to the next provider, and nothing is sent", () =>
    Effect.gen(function* () {
      const { create, sent } = yield* environment
      const record = yield* create({ tokens }, 0, { amount: 1_234, currency: "KWD" })
      assert.deepStrictEqual(
        record.attempts.map(({ provider }) => provider),
        ["stripe", "stripe_b"]
      )
      assert.deepStrictEqual(yield* sent, [0, 0])
    }).pipe(Effect.scoped)
  )

  it.effect("money after 3-D Secure, in an unreadable amount, opens a review", () =>
    Effect.gen(function* () {
      const { create, current, first, network, nextLook, postOf } = yield* environment
      yield* first.decide("wait")
      const record = yield* create({ tokens: { ...tokens, stripe: cards.redirect } })
      const metadata = { paymux_operation: record.operations[0]?.id, paymux_flow: "token" }
      const created = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      const paid = { id: "pi_vp_1", status: "succeeded", amount_received: 100.01, currency: "eur", created, metadata }
      yield* postOf("payment_intent.succeeded", paid)
      assert.deepStrictEqual(stateOf(yield* current(record)), { status: "pending", reviews: ["unreadable_report"] })
      while (!stateOf(yield* current(record)).reviews.includes("inquiries_exhausted")) {
        yield* network.failNext({ executed: false, reply: { status: 200, json: paid } })
        yield* nextLook(record)
      }
      assert.strictEqual(stateOf(yield* current(record)).status, "pending")
    }).pipe(Effect.scoped)
  )
})
