/** What becomes of a payment at Adyen, by the real engine in virtual time. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { resultOf } from "../src/testing/fake.ts"
import { pspOf } from "../src/testing/pspOf.ts"
import { stored } from "../src/testing/tokens.ts"
import { plain, settled, stateOf } from "@paymux/test-suites"
import { environment, minutes } from "./testEnvironment.ts"

describe("a payment at Adyen", () => {
  it.effect("whose answer is lost for good is held until the webhook, and never made twice", () =>
    Effect.gen(function* () {
      const { create, current, network, newest, pass, post, sent, reported, vendor } = yield* environment([
        "adyen",
        "adyen_us"
      ])
      for (let send = 0; send < 40; send++) yield* network.failNext({ executed: true, reply: "reset" }, send)
      const creating = yield* Effect.forkChild(create(), { startImmediately: true })
      yield* pass(minutes)
      const id = yield* Fiber.join(creating)
      const open = yield* current(id)
      assert.deepInclude(open.payment.state, { status: "pending", reason: "outcome_unknown" })
      assert.lengthOf(yield* vendor.payments, 1)
      assert.deepStrictEqual([...new Set(yield* sent)], ["POST /payments"])
      assert.lengthOf([...new Set((yield* network.requests).map(({ headers }) => headers["idempotency-key"]))], 1)
      assert.strictEqual(yield* post(yield* newest), "applied")
      const paid = yield* current(id)
      assert.deepStrictEqual(stateOf(paid), settled("succeeded"))
      const [payment] = yield* vendor.payments
      assert.strictEqual(paid.operations[0]?.reference, pspOf(payment?.id ?? ""))
      assert.deepStrictEqual(yield* reported(id), ["payment.pending", "payment.succeeded"])
    }).pipe(Effect.scoped)
  )

  it.effect("that never arrived is not sent for the first time later: it is held, and an operator is asked", () =>
    Effect.gen(function* () {
      const { create, current, network, pass, sent, vendor } = yield* environment()
      for (let send = 0; send < 3; send++) yield* network.failNext({ executed: false, reply: "reset" }, send)
      const creating = yield* Effect.forkChild(create(), { startImmediately: true })
      yield* pass(minutes)
      const id = yield* Fiber.join(creating)
      yield* pass(3 * 60 * minutes)
      assert.deepStrictEqual(yield* sent, ["POST /payments", "POST /payments", "POST /payments"])
      assert.isEmpty(yield* vendor.payments)
      assert.deepStrictEqual(stateOf(yield* current(id)), { status: "pending", reviews: ["inquiries_exhausted"] })
    }).pipe(Effect.scoped)
  )

  it.effect("whose answer is lost once is asked for again under its key", () =>
    Effect.gen(function* () {
      const { create, current, network, pass, vendor } = yield* environment()
      yield* network.failNext({ executed: true, reply: "reset" })
      const creating = yield* Effect.forkChild(create(), { startImmediately: true })
      yield* pass(8_000)
      const id = yield* Fiber.join(creating)
      assert.deepStrictEqual(stateOf(yield* current(id)), settled("succeeded"))
      assert.lengthOf(yield* vendor.payments, 1)
    }).pipe(Effect.scoped)
  )

  it.effect("is captured when the webhook says so; CAPTURE_FAILED after that puts it before an operator", () =>
    Effect.gen(function* () {
      const { create, current, newest, payments, post, reported } = yield* environment()
      const id = yield* create({ manual: true })
      assert.deepStrictEqual(stateOf(yield* current(id)), settled("authorized"))
      const { operation } = yield* payments.capture(id, { minorUnits: 6_000 }, plain)
      assert.strictEqual(operation.status, "pending")
      assert.deepStrictEqual(stateOf(yield* current(id)), settled("authorized"))
      const captured = yield* newest
      assert.strictEqual(captured.eventCode, "CAPTURE")
      yield* post(captured)
      const paid = yield* current(id)
      assert.deepStrictEqual(stateOf(paid), settled("succeeded"))
      assert.strictEqual(paid.payment.amountCaptured, 6_000)
      yield* post({ ...captured, eventCode: "CAPTURE_FAILED", pspReference: "CAPTUREFAILED001" })
      assert.deepStrictEqual(stateOf(yield* current(id)).reviews, ["capture_failed"])
      assert.deepStrictEqual(yield* reported(id), [
        "payment.authorized",
        "payment.succeeded",
        "payment.capture_failed",
        "payment.review_opened"
      ])
    }).pipe(Effect.scoped)
  )

  it.effect("whose capture is refused can be captured again", () =>
    Effect.gen(function* () {
      const { create, current, newest, payments, post } = yield* environment()
      const id = yield* create({ manual: true })
      yield* payments.capture(id, { minorUnits: null }, plain)
      const { success: _success, ...item } = { success: "true", ...(yield* newest) }
      yield* post({ ...item, success: "false" })
      const after = yield* current(id)
      assert.deepStrictEqual(stateOf(after), settled("authorized"))
      assert.strictEqual(after.operations.at(-1)?.status, "declined")
      const { operation } = yield* payments.capture(id, { minorUnits: null }, plain)
      assert.strictEqual(operation.status, "pending")
    }).pipe(Effect.scoped)
  )

  it.effect("is refunded when the webhook says so, and a refund that comes back is failed", () =>
    Effect.gen(function* () {
      const { create, current, newest, payments, post, reported } = yield* environment()
      const id = yield* create()
      const { operation } = yield* payments.refund(id, { minorUnits: 4_000, reason: null }, plain)
      assert.strictEqual(operation.status, "pending")
      assert.strictEqual((yield* current(id)).payment.amountRefunded, 0)
      const refunded = yield* newest
      assert.strictEqual(refunded.eventCode, "REFUND")
      yield* post(refunded)
      yield* post(refunded)
      assert.strictEqual((yield* current(id)).payment.amountRefunded, 4_000)
      yield* post({ ...refunded, eventCode: "REFUND_FAILED" })
      assert.strictEqual((yield* current(id)).payment.amountRefunded, 0)
      assert.deepStrictEqual(yield* reported(id), [
        "payment.succeeded",
        "refund.pending",
        "refund.succeeded",
        "refund.failed"
      ])
    }).pipe(Effect.scoped)
  )

  it.effect("is given back as a whole by a reversal, for it may not be captured yet", () =>
    Effect.gen(function* () {
      const { create, current, newest, payments, post, sent } = yield* environment()
      const id = yield* create()
      yield* payments.refund(id, { minorUnits: null, reason: null }, plain)
      assert.match((yield* sent).at(-1) ?? "", /\/reversals$/)
      const reversed = yield* newest
      assert.strictEqual(reversed.eventCode, "CANCEL_OR_REFUND")
      yield* post(reversed)
      assert.strictEqual((yield* current(id)).payment.amountRefunded, 10_000)
    }).pipe(Effect.scoped)
  )

  it.effect("that is held is released when the webhook says so", () =>
    Effect.gen(function* () {
      const { create, current, newest, payments, post } = yield* environment()
      const id = yield* create({ manual: true })
      const { operation } = yield* payments.cancel(id, plain)
      assert.strictEqual(operation.status, "pending")
      yield* post(yield* newest)
      assert.deepStrictEqual(stateOf(yield* current(id)), settled("canceled"))
    }).pipe(Effect.scoped)
  )

  it.effect("goes through 3-D Secure and the shopper's return, and the webhook says the same", () =>
    Effect.gen(function* () {
      const { create, current, newest, payments, post, reported, vendor } = yield* environment()
      yield* vendor.decide("wait")
      const id = yield* create()
      const { state } = (yield* current(id)).payment
      assert.strictEqual(state.status === "pending" && state.nextAction?.type, "redirect")
      yield* payments.complete(id, { redirectResult: "made up" })
      yield* payments.complete(id, {})
      assert.strictEqual(stateOf(yield* current(id)).status, "pending")
      yield* vendor.decide("approve")
      const [payment] = yield* vendor.payments
      if (payment === undefined) return assert.fail("it was made")
      yield* payments.complete(id, { redirectResult: resultOf(payment) })
      assert.deepStrictEqual(stateOf(yield* current(id)), settled("succeeded"))
      yield* post(yield* newest)
      assert.deepStrictEqual(yield* reported(id), ["payment.pending", "payment.succeeded"])
    }).pipe(Effect.scoped)
  )

  it.effect("whose shopper leaves 3-D Secure is canceled by our name of it", () =>
    Effect.gen(function* () {
      const { create, current, newest, pass, post, sent, vendor } = yield* environment()
      yield* vendor.decide("wait")
      const id = yield* create()
      yield* pass(21 * minutes)
      assert.deepStrictEqual(yield* sent, ["POST /payments", "POST /cancels"])
      assert.strictEqual(stateOf(yield* current(id)).status, "pending")
      yield* post(yield* newest)
      assert.deepInclude(stateOf(yield* current(id)), { status: "failed", reviews: [] })
    }).pipe(Effect.scoped)
  )

  it.effect("whose cancel Adyen refuses opens a review: no inquiry can determine its outcome", () =>
    Effect.gen(function* () {
      const { create, current, newest, pass, post, vendor } = yield* environment()
      yield* vendor.decide("wait")
      const id = yield* create()
      yield* pass(21 * minutes)
      const { success: _success, ...item } = { success: "true", ...(yield* newest) }
      yield* post({
        ...item,
        success: "false",
        merchantReference: `${(yield* current(id)).operations.at(-1)?.id}-cancel`
      })
      yield* pass(minutes)
      assert.deepStrictEqual(stateOf(yield* current(id)), { status: "pending", reviews: ["close_failed"] })
    }).pipe(Effect.scoped)
  )

  it.effect("by a link is reported by webhook, also after a refused attempt, and then can be refunded", () =>
    Effect.gen(function* () {
      const { create, current, items, newest, payments, post, sent, vendor } = yield* environment()
      const id = yield* create({ link: true })
      const before = yield* current(id)
      assert.strictEqual(before.payment.state.status === "pending" && before.payment.state.nextAction?.type, "redirect")
      const { merchantReference } = { merchantReference: `${before.operations[0]?.id}-link` }
      const amount = { value: 10_000, currency: "EUR" }
      yield* post({
        eventCode: "AUTHORISATION",
        pspReference: "FIRSTTRYREFUSED1",
        merchantReference,
        amount,
        success: "false"
      })
      assert.deepStrictEqual((yield* current(id)).payment.state, before.payment.state)
      yield* vendor.payersAct
      assert.lengthOf(yield* items, 1)
      yield* post(yield* newest)
      assert.deepStrictEqual(stateOf(yield* current(id)), settled("succeeded"))
      yield* payments.refund(id, { minorUnits: 1_000, reason: null }, plain)
      const [payment] = yield* vendor.payments
      assert.strictEqual((yield* sent).at(-1), `POST /payments/${pspOf(payment?.id ?? "")}/refunds`)
    }).pipe(Effect.scoped)
  )

  it.effect("by a link that its payer leaves is closed at Adyen, and fails with customer_timeout", () =>
    Effect.gen(function* () {
      const { create, current, pass, sent, reported } = yield* environment()
      const id = yield* create({ link: true })
      yield* pass(19 * minutes)
      assert.strictEqual(stateOf(yield* current(id)).status, "pending")
      yield* pass(2 * minutes)
      assert.deepStrictEqual(stateOf(yield* current(id)), { status: "failed", code: "customer_timeout", reviews: [] })
      assert.match((yield* sent).at(-1) ?? "", /^PATCH /)
      assert.deepStrictEqual(yield* reported(id), ["payment.pending", "payment.failed"])
    }).pipe(Effect.scoped)
  )

  it.effect("by a link that was used in the last moment is not closed: its webhook reports the payment", () =>
    Effect.gen(function* () {
      const { create, current, newest, pass, post, vendor } = yield* environment()
      const id = yield* create({ link: true })
      yield* pass(19 * minutes)
      yield* vendor.payersAct
      yield* pass(2 * minutes)
      assert.strictEqual(stateOf(yield* current(id)).status, "pending")
      yield* post(yield* newest)
      assert.deepStrictEqual(stateOf(yield* current(id)), settled("succeeded"))
    }).pipe(Effect.scoped)
  )

  it.effect("is not tried elsewhere after its payer was shown a page, whatever the decline", () =>
    Effect.gen(function* () {
      const { create, current, payments, vendor } = yield* environment(["adyen", "adyen_us"])
      yield* vendor.decide("wait")
      const id = yield* create()
      const [payment] = yield* vendor.payments
      if (payment === undefined) return assert.fail("it was made")
      yield* vendor.decide({ decline: "9" })
      yield* payments.complete(id, { redirectResult: resultOf(payment) })
      assert.deepStrictEqual(stateOf(yield* current(id)), {
        status: "failed",
        code: "issuer_unavailable",
        reviews: []
      })
      assert.lengthOf(yield* vendor.payments, 1)
    }).pipe(Effect.scoped)
  )

  it.effect("by a token that cannot be sent is tried at the next candidate", () =>
    Effect.gen(function* () {
      const { storedPaymentMethodId } = stored
      for (const token of [storedPaymentMethodId, { storedPaymentMethodId }]) {
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { create, current, vendor } = yield* environment(["adyen", "adyen_us"])
            const id = yield* create({ tokens: { adyen: token, adyen_us: stored } })
            const paid = yield* current(id)
            assert.deepStrictEqual(stateOf(paid), settled("succeeded"))
            assert.strictEqual(paid.payment.provider, "adyen_us")
            assert.lengthOf(yield* vendor.payments, 1)
          })
        )
      }
    })
  )

  it.effect("that its payer has left is over when Adyen says so, and no hold or success ends by that", () =>
    Effect.gen(function* () {
      const offerOf = { eventCode: "OFFER_CLOSED", pspReference: "OFFERCLOSED00001" }
      const { create, current, newest, post, vendor } = yield* environment()
      for (const [manual, status] of [
        [false, "succeeded"],
        [true, "authorized"]
      ] as const) {
        const id = yield* create({ manual })
        yield* post({ ...(yield* newest), ...offerOf, pspReference: `OFFERCLOSED${status.toUpperCase()}` })
        assert.deepStrictEqual(stateOf(yield* current(id)), settled(status))
      }
      yield* vendor.decide("wait")
      const id = yield* create()
      const [created] = (yield* current(id)).operations
      const amount = { value: 10_000, currency: "EUR" }
      yield* post({ ...offerOf, merchantReference: `${created?.id}`, amount })
      assert.deepStrictEqual(stateOf(yield* current(id)), { status: "failed", code: "customer_timeout", reviews: [] })
    }).pipe(Effect.scoped)
  )

  it.effect("that wants Adyen's component of its payer is sent once, and soon canceled", () =>
    Effect.gen(function* () {
      const { create, current, network, newest, pass, post, sent, vendor } = yield* environment()
      yield* vendor.decide("wait")
      const challenge = { resultCode: "ChallengeShopper", action: { type: "threeDS2", token: "eyJ0" } }
      yield* network.failNext({ executed: true, reply: { status: 200, json: challenge } })
      const id = yield* create()
      assert.strictEqual(stateOf(yield* current(id)).status, "pending")
      yield* pass(16 * minutes)
      assert.deepStrictEqual(yield* sent, ["POST /payments", "POST /cancels"])
      yield* post(yield* newest)
      assert.deepInclude(stateOf(yield* current(id)), { status: "failed", reviews: [] })
    }).pipe(Effect.scoped)
  )

  it.effect("fails over on a soft decline once, and on no other", () =>
    Effect.gen(function* () {
      for (const [code, payments] of [
        ["9", 2],
        ["4", 2],
        ["12", 1],
        ["38", 1],
        ["20", 1],
        ["2", 1]
      ] as const) {
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { create, current, vendor } = yield* environment(["adyen", "adyen_us", "adyen_uk"])
            yield* vendor.decide({ decline: code })
            const record = yield* current(yield* create())
            assert.strictEqual(stateOf(record).status, "failed")
            assert.lengthOf(yield* vendor.payments, payments, code)
          })
        )
      }
    })
  )
})
