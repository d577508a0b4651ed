/** Silence, and words that come late, in the wrong order, by another name or of another amount: by the real engine. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { plain, settled, stateOf } from "@paymux/test-suites"
import { environment, minutes } from "./testEnvironment.ts"

describe("a payment at Adyen", () => {
  it.effect("that is never answered is known by our own name, and can be canceled by it", () =>
    Effect.gen(function* () {
      const { create, current, network, newest, pass, payments, post, sent, reported } = yield* environment(["adyen"], {
        patience: 100
      })
      for (const send of [0, 1]) yield* network.failNext({ executed: true, reply: "never" }, send)
      const creating = yield* Effect.forkChild(create(), { startImmediately: true })
      yield* pass(minutes)
      const id = yield* Fiber.join(creating)
      const [created] = (yield* current(id)).operations
      assert.deepInclude(created, { status: "unknown", reference: created?.id ?? null })
      const { operation } = yield* payments.cancel(id, plain)
      assert.strictEqual(operation.status, "pending")
      assert.strictEqual((yield* sent).at(-1), "POST /cancels")
      yield* post({ ...(yield* newest), eventCode: "TECHNICAL_CANCEL" })
      assert.deepStrictEqual(stateOf(yield* current(id)), settled("canceled"))
      assert.deepStrictEqual(yield* reported(id), ["payment.pending", "payment.canceled"])
    }).pipe(Effect.scoped)
  )

  it.effect("that Adyen canceled is not paid by an older word, whichever name the cancel comes by", () =>
    Effect.gen(function* () {
      for (const names of ["the cancel", "the payment"]) {
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { create, current, newest, pass, post, sent, reported, vendor } = yield* environment()
            yield* vendor.decide("wait")
            const id = yield* create()
            yield* pass(21 * minutes)
            const canceled = { ...(yield* newest), eventCode: "TECHNICAL_CANCEL" }
            const { operations } = yield* current(id)
            const [created, closing] = operations
            const merchantReference = names === "the payment" ? `${created?.id}` : `${closing?.id}-cancel`
            yield* post({ ...canceled, merchantReference })
            assert.deepInclude(stateOf(yield* current(id)), { status: "failed", reviews: [] })
            const before = yield* sent
            yield* post({ ...canceled, eventCode: "AUTHORISATION", pspReference: "OLDERSUCCESS0001" })
            yield* pass(5 * minutes)
            assert.deepInclude(stateOf(yield* current(id)), { status: "failed", reviews: ["late_success"] }, names)
            assert.deepStrictEqual(yield* sent, before)
            assert.deepStrictEqual(yield* reported(id), ["payment.pending", "payment.failed", "payment.review_opened"])
          })
        )
      }
    })
  )

  it.effect("that its merchant canceled is not given back for an older success: an operator looks", () =>
    Effect.gen(function* () {
      const { create, current, newest, pass, payments, post, sent, vendor } = yield* environment()
      yield* vendor.decide("wait")
      const id = yield* create()
      yield* payments.cancel(id, plain)
      const canceled = { ...(yield* newest), eventCode: "TECHNICAL_CANCEL" }
      yield* post(canceled)
      assert.deepStrictEqual(stateOf(yield* current(id)), settled("canceled"))
      yield* post({ ...canceled, eventCode: "AUTHORISATION", pspReference: "OLDERSUCCESS0001" })
      yield* pass(5 * minutes)
      assert.deepStrictEqual(stateOf(yield* current(id)), {
        status: "canceled",
        reviews: ["late_success"]
      })
      assert.deepStrictEqual(yield* sent, ["POST /payments", "POST /cancels"])
    }).pipe(Effect.scoped)
  )

  it.effect("whose money never comes, though it was authorized to be captured at once, is put before an operator", () =>
    Effect.gen(function* () {
      for (const eventCode of ["CANCELLATION", "TECHNICAL_CANCEL", "EXPIRE"]) {
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { create, current, newest, post, reported } = yield* environment()
            const id = yield* create()
            const authorized = yield* newest
            const ended = { ...authorized, eventCode, originalReference: authorized.pspReference }
            yield* post({ ...ended, pspReference: "ENDEDENDEDENDED1" })
            assert.deepStrictEqual(stateOf(yield* current(id)), { status: "succeeded", reviews: ["capture_failed"] })
            assert.deepStrictEqual(yield* reported(id), [
              "payment.succeeded",
              "payment.capture_failed",
              "payment.review_opened"
            ])
          })
        )
      }
    })
  )

  it.effect("that is refunded as a whole may be reported as canceled, and that is its refund", () =>
    Effect.gen(function* () {
      const { create, current, newest, payments, post } = yield* environment()
      const id = yield* create()
      yield* payments.refund(id, { minorUnits: null, reason: null }, plain)
      yield* post({ ...(yield* newest), eventCode: "CANCELLATION" })
      const after = yield* current(id)
      assert.strictEqual(after.payment.amountRefunded, 10_000)
      assert.deepStrictEqual(after.payment.reviews, [])
    }).pipe(Effect.scoped)
  )

  it.effect("whose capture has failed is not captured by an older word under the payment's own name", () =>
    Effect.gen(function* () {
      for (const minorUnits of [null, 6_000]) {
        yield* Effect.scoped(
          Effect.gen(function* () {
            const { create, current, newest, payments, post } = yield* environment()
            const id = yield* create({ manual: true })
            yield* payments.capture(id, { minorUnits }, plain)
            const captured = yield* newest
            assert.match(captured.merchantReference, /-hold$/)
            yield* post({ ...captured, eventCode: "CAPTURE_FAILED" })
            yield* post(captured)
            const after = yield* current(id)
            assert.deepStrictEqual(stateOf(after), { status: "authorized", reviews: ["contradiction"] })
            assert.strictEqual(after.operations.at(-1)?.status, "declined")
            const [review] = after.payment.reviews
            assert.strictEqual(review?.operationId, after.operations.at(-1)?.id)
            assert.strictEqual(review?.minorUnits, minorUnits ?? 10_000)
          })
        )
      }
    })
  )

  it.effect(
    "is captured by the payment's reference, too, and a capture taken back is seen whatever the report names",
    () =>
      Effect.gen(function* () {
        for (const same of [true, false]) {
          yield* Effect.scoped(
            Effect.gen(function* () {
              const { create, current, newest, payments, post } = yield* environment()
              const id = yield* create({ manual: true })
              yield* payments.capture(id, { minorUnits: 6_000 }, plain)
              const captured = yield* newest
              yield* post(captured)
              assert.deepStrictEqual(stateOf(yield* current(id)), settled("succeeded"))
              const pspReference = same ? captured.pspReference : "CAPTUREFAILED001"
              yield* post({ ...captured, eventCode: "CAPTURE_FAILED", pspReference })
              assert.deepStrictEqual(stateOf(yield* current(id)).reviews, ["capture_failed"])
            })
          )
        }
      })
  )

  it.effect("that is reported with an amount that its currency cannot have opens a review", () =>
    Effect.gen(function* () {
      const { create, current, post } = yield* environment()
      const id = yield* create({ link: true, currency: "ISK" })
      const [created] = (yield* current(id)).operations
      yield* post({
        eventCode: "AUTHORISATION",
        pspReference: "ODDAMOUNT0000001",
        merchantReference: `${created?.id}-link`,
        amount: { value: 1_000_150, currency: "ISK" }
      })
      assert.deepStrictEqual(stateOf(yield* current(id)), { status: "pending", reviews: ["amount_mismatch"] })
    }).pipe(Effect.scoped)
  )
})
