import { assert, describe, it } from "@effect/vitest"
import { overpayment } from "../../src/domain/books/balance.ts"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import { dueReversals } from "../../src/domain/books/reversal.ts"
import type { Outcome } from "../../src/domain/Outcome.ts"
import { after, answer, apply, asked, begun, changed, claims, find, paid, reasons, reviewOf } from "./records.ts"

const final = { cancelIsFinal: true }
const shown = after(begun, [1, claims.pending])
const succeeded: Outcome = { _tag: "Succeeded" }
const authorized: Outcome = { _tag: "Authorized" }

/** Ends of an attempt that its provider canceled: on its own, at the merchant's request, and when the payer's time was over. */
const ends: ReadonlyArray<readonly [string, PaymentRecord]> = [
  ["by the provider's own word", after(shown, [1, { _tag: "Canceled" }])],
  ["as the merchant asked", after(asked(shown, "c", { kind: "cancel" }), ["c", claims.succeeded])],
  ["for expiry", after(asked(shown, "c", { kind: "cancel", purpose: "expiry" }), ["c", claims.succeeded])]
]

describe("a success after a cancel that the provider confirmed", () => {
  for (const [how, canceled] of ends) {
    it(`is a review where a cancel is final: nothing succeeds and nothing is sent back (${how})`, () => {
      const { event, record } = changed(apply(canceled, 1, succeeded, final))
      assert.deepStrictEqual(reasons(record), ["late_success"])
      assert.deepInclude(record.payment.reviews[0], { attemptSeq: 1, minorUnits: 100, currency: "EUR", provider: "p1" })
      assert.deepStrictEqual(dueReversals(record), [])
      assert.deepStrictEqual(
        [record.payment.state, record.attempts, record.operations],
        [canceled.payment.state, canceled.attempts, canceled.operations]
      )
      assert.isNull(event)
      assert.strictEqual(apply(record, 1, succeeded, final)._tag, "Unchanged", "reported again")
    })

    it(`is late money where it is not (${how})`, () => {
      assert.strictEqual(changed(apply(canceled, 1, succeeded)).record.attempts[0]?.status, "succeeded")
    })

    it(`a hold that is reported then changes nothing but the books until the provider confirms it (${how})`, () => {
      const { event, record } = changed(apply(canceled, 1, authorized, final))
      assert.deepStrictEqual(
        [event, record.payment.state, record.attempts, record.operations],
        [null, canceled.payment.state, canceled.attempts, canceled.operations]
      )
      assert.deepStrictEqual(reasons(record), ["late_authorization"], "an operator looks where no inquiry does")
      assert.deepStrictEqual(reasons(changed(apply(record, 1, claims.canceled, { source: "inquiry" })).record), [])
      const confirmed = changed(apply(record, 1, authorized, { ...final, source: "inquiry" })).record
      assert.deepInclude(confirmed.attempts[0], { status: "authorized", isOverpayment: true })
    })

    it(`is given back once the provider's own books show it, and succeeds by no report (${how})`, () => {
      const { record } = changed(apply(canceled, 1, succeeded, { ...final, reference: "ch_1" }))
      const confirmed = changed(apply(record, 1, succeeded, { ...final, reference: "ch_1", source: "inquiry" }))
      assert.deepStrictEqual(
        [confirmed.event, confirmed.record.payment.state, confirmed.record.attempts],
        [null, canceled.payment.state, canceled.attempts]
      )
      assert.deepStrictEqual(
        dueReversals(confirmed.record).map(({ attempt, kind, minorUnits }) => [attempt.seq, kind, minorUnits]),
        [[1, "refund", 100]]
      )
      assert.isNull(answer(confirmed.record, "late_success", "not_done"), "only its return ends it")
    })

    it(`an operator who looked says what became of it (${how})`, () => {
      const { record } = changed(apply(canceled, 1, succeeded, { ...final, reference: "ch_1" }))
      for (const resolution of ["succeeded", "dismissed"] as const) {
        assert.isNull(answer(record, "late_success", resolution), resolution)
      }
      for (const resolution of ["given_back", "not_done"] as const) {
        const over = changed(answer(record, "late_success", resolution)).record
        assert.deepStrictEqual([reasons(over), overpayment(over), dueReversals(over)], [[], 0, []], resolution)
        assert.deepStrictEqual(over.payment.state, canceled.payment.state)
        const again = apply(over, 1, succeeded, { ...final, reference: "ch_1" })
        assert.strictEqual(again._tag, "Unchanged", `${resolution}, and reported again`)
      }
    })
  }

  it("an attempt that was not canceled succeeds late, whatever its provider declares", () => {
    const declined = after(begun, [1, claims.declined])
    assert.deepStrictEqual(changed(apply(declined, 1, succeeded, final)).record.payment.state, {
      status: "succeeded",
      late: true
    })
  })
})

describe("a second success", () => {
  const reported = (reference: string | null) => (record: PaymentRecord) => apply(record, 1, succeeded, { reference })
  const named = changed(reported("pi_1")(begun)).record

  it("under another reference is a second charge: an operator looks, once, until it is given back", () => {
    const { event, record } = changed(reported("pi_2")(named))
    assert.deepStrictEqual(reasons(record), ["duplicate_capture"])
    assert.deepInclude(reviewOf(record, "duplicate_capture"), { reference: "pi_2", minorUnits: 100, provider: "p1" })
    assert.strictEqual(find(record, 1).reference, "pi_1")
    assert.strictEqual(record.payment.amountCaptured, 100)
    assert.isNull(event)
    assert.strictEqual(reported("pi_2")(record)._tag, "Unchanged")
    const inquired = (so: PaymentRecord, reference: string) =>
      changed(apply(so, 1, succeeded, { reference, source: "inquiry" })).record
    const confirmed = inquired(inquired(record, "pi_1"), "pi_2")
    // Where only the second is confirmed, it is the payment's own, and the first is in question.
    assert.deepInclude(reviewOf(inquired(record, "pi_2"), "duplicate_capture"), { reference: "pi_1" })
    for (const word of ["dismissed", "succeeded"] as const) {
      assert.isNull(answer(record, "duplicate_capture", word), word)
      assert.isNull(answer(confirmed, "duplicate_capture", word), word)
    }
    assert.isNull(answer(confirmed, "duplicate_capture", "not_done"), "the provider's own books show it")
    for (const over of [
      answer(record, "duplicate_capture", "given_back"),
      answer(confirmed, "duplicate_capture", "given_back"),
      answer(record, "duplicate_capture", "not_done")
    ]) {
      const { payment } = changed(over).record
      assert.deepStrictEqual([payment.reviews, payment.amountCaptured], [[], 100])
    }
  })

  it("under the same reference, or none, is the same charge again", () => {
    assert.strictEqual(reported("pi_1")(named)._tag, "Unchanged")
    for (const record of [changed(reported(null)(named)).record, changed(reported("pi_2")(paid)).record]) {
      assert.deepStrictEqual([record.payment.amountCaptured, reasons(record)], [100, []])
    }
  })
})
