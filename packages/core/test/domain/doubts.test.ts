/** Words that cannot both be true, in every order, and what is asked of an operator then. */
import { assert, describe, it } from "@effect/vitest"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import {
  after,
  answer,
  apply,
  asked,
  begun,
  changed,
  claims,
  find,
  held,
  inReview,
  operation,
  attempt,
  paid,
  reasons,
  reviewOf
} from "./records.ts"

const final = { cancelIsFinal: true }
const shown = after(begun, [1, claims.pending])

/** Its outcome is unknown, and no inquiry is scheduled. */
const given = (record: PaymentRecord, name: string | number): PaymentRecord => ({
  ...record,
  operations: record.operations.map((each) =>
    each.id === find(record, name).id ? { ...each, status: "unknown", nextCheckAt: null } : each
  )
})

const automatic = (record: PaymentRecord): PaymentRecord => ({
  ...record,
  payment: { ...record.payment, captureMethod: "automatic" }
})

const byToken = (record: PaymentRecord): PaymentRecord => {
  const { method } = record.payment
  return method.rail === "card"
    ? { ...record, payment: { ...record.payment, method: { ...method, token: "tok_1" } } }
    : record
}

const named = (record: PaymentRecord, reference: string) => apply(record, 1, claims.succeeded, { reference })

const lost = inReview(given(after(begun, [1, claims.unknown]), 1), "inquiries_exhausted", 1)

describe("a doubt", () => {
  it("stands beside a question that ends: a capture that was taken back before its success was reported", () => {
    const { record } = changed(apply(lost, 1, claims.captureFailed))
    assert.deepStrictEqual(reasons(record), ["inquiries_exhausted", "contradiction"])
    assert.strictEqual(apply(record, 1, claims.captureFailed)._tag, "Unchanged", "reported again")
    const succeeded = changed(apply(record, 1, claims.succeeded)).record
    assert.deepStrictEqual([succeeded.payment.state.status, ...reasons(succeeded)], ["succeeded", "contradiction"])
  })

  it("stands beside a refund whose outcome cannot be determined: a second success", () => {
    const once = changed(named(begun, "first")).record
    const refunding = asked(once, "r", { kind: "refund", status: "unknown", nextCheckAt: null })
    const doubted = changed(named(inReview(refunding, "inquiries_exhausted", "r"), "second")).record
    assert.deepStrictEqual(reasons(doubted), ["inquiries_exhausted", "duplicate_capture"])
    assert.deepInclude(reviewOf(doubted, "duplicate_capture"), { reference: "second", minorUnits: 100 })
    assert.deepStrictEqual(reasons(changed(apply(doubted, "r", claims.refundSucceeded)).record), ["duplicate_capture"])
  })
})

describe("a cancel that is confirmed after the success", () => {
  const both = after(asked(shown, "x", { kind: "cancel" }), [1, claims.captured])

  it("takes the success back where it is final, and the merchant hears of it", () => {
    for (const record of [byToken(automatic(both)), both]) {
      const reported = changed(apply(record, "x", claims.canceled, final))
      assert.strictEqual(reported.event, "payment.capture_failed")
      assert.deepStrictEqual(reasons(reported.record), ["capture_failed"])
      assert.deepInclude(reviewOf(reported.record, "capture_failed"), { minorUnits: 100, currency: "EUR" })
    }
  })

  it("closes only the page if the payer was paying on it, and opens a review if the cancel is not final", () => {
    for (const reported of [
      changed(apply(automatic(both), "x", claims.canceled, final)),
      changed(apply(byToken(automatic(both)), "x", claims.canceled))
    ]) {
      assert.isNull(reported.event)
      assert.deepStrictEqual(reasons(reported.record), ["paid_after_close"])
      assert.deepInclude(reviewOf(reported.record, "paid_after_close"), { minorUnits: 100, currency: "EUR" })
    }
  })
})

describe("a page that was closed by us", () => {
  const page = automatic(shown)

  it("and is paid by a payer who was already at the bank succeeds late", () => {
    const closing = { kind: "cancel", purpose: "expiry" } as const
    const { event, record } = changed(
      apply(after(asked(page, "x", closing), ["x", claims.succeeded]), 1, claims.succeeded, final)
    )
    assert.strictEqual(event, "payment.succeeded")
    assert.deepStrictEqual(record.payment.state, { status: "succeeded", late: true })
  })

  it("is over if its provider reports that the payment was canceled", () => {
    const { record } = changed(apply(after(page, [1, claims.canceled]), 1, claims.succeeded, final))
    assert.deepStrictEqual(reasons(record), ["late_success"])
    assert.deepInclude(reviewOf(record, "late_success"), { minorUnits: 100 })
    assert.strictEqual(record.payment.state.status, "failed")
  })
})

describe("a success that an operator found", () => {
  const record = changed(answer(lost, "inquiries_exhausted", "succeeded")).record

  it("takes the first reference that its provider reports, and a second one is a second charge", () => {
    const first = changed(named(record, "psp_1"))
    assert.strictEqual(find(first.record, 1).reference, "psp_1")
    assert.deepStrictEqual(reasons(first.record), [])
    assert.isNull(first.event)
    assert.strictEqual(named(first.record, "psp_1")._tag, "Unchanged", "reported again")
    const again = changed(named(first.record, "psp_2")).record
    assert.deepStrictEqual(reasons(again), ["duplicate_capture"])
    assert.deepInclude(reviewOf(again, "duplicate_capture"), { reference: "psp_2", minorUnits: 100 })
  })
})

describe("a failed capture that is reported twice", () => {
  it("does not fail the capture that was asked for after it", () => {
    const held = after(begun, [1, claims.authorized])
    const first = asked(held, "c", { kind: "capture", status: "pending", reference: "psp_c" })
    const over = changed(apply(first, "c", claims.captureFailed)).record
    const next = asked(over, "d", { kind: "capture", status: "pending", reference: "psp_d" })
    const tell = (reference: string) => apply(next, 1, claims.captureFailed, { reference })
    assert.strictEqual(tell("psp_c")._tag, "Unchanged")
    assert.strictEqual(find(changed(tell("psp_d")).record, "d").status, "declined")
  })

  it("without a reference is inquired at once: it may be the repeat or about the next", () => {
    const first = asked(held, "c", { kind: "capture", status: "pending" })
    const over = changed(apply(first, "c", claims.captureFailed)).record
    const next = asked(over, "d", { kind: "capture", status: "pending", nextCheckAt: 9000 })
    const { event, record } = changed(apply(next, 1, claims.captureFailed))
    assert.isNull(event)
    assert.deepInclude(find(record, "d"), { status: "pending", nextCheckAt: 1000 })
    assert.strictEqual(changed(apply(next, "d", claims.captureFailed)).event, "payment.capture_failed", "its own word")
  })

  it("without a reference says nothing new while no other capture is open, and is in review once one was done", () => {
    const over = after(asked(held, "c", { kind: "capture", status: "pending" }), ["c", claims.captureFailed])
    assert.deepStrictEqual(apply(over, 1, claims.captureFailed), { _tag: "Unchanged", because: "not_applicable" })
    const done = after(asked(over, "d", { kind: "capture" }), ["d", claims.captured])
    const { event, record } = changed(apply(done, 1, claims.captureFailed))
    assert.deepStrictEqual([event, reasons(record)], ["payment.capture_failed", ["capture_failed"]])
  })
})

describe("a hold that is released while all of it is refunded", () => {
  it("is that refund, and no capture that failed", () => {
    const refunding = asked(paid, "r", { kind: "refund", minorUnits: 100, status: "pending" })
    const { event, record } = changed(apply(refunding, 1, claims.captureFailed))
    assert.deepStrictEqual([event, record.payment.amountCaptured, reasons(record)], [null, 100, []])
    assert.deepStrictEqual(record.operations, refunding.operations)
    const part = asked(paid, "r", { kind: "refund", minorUnits: 60, status: "pending" })
    assert.strictEqual(changed(apply(part, 1, claims.captureFailed)).event, "payment.capture_failed")
  })
})

describe("a refund that was refused and is then reported as done", () => {
  for (const [how, refused] of [
    ["refused", claims.refundFailed],
    ["canceled", claims.canceled]
  ] as const) {
    const before = after(asked(paid, "r", { kind: "refund", minorUnits: 60 }), ["r", refused])

    it(`is in the books and in review: it does not count until an operator confirms it (${how})`, () => {
      for (const claim of [claims.succeeded, claims.refundSucceeded]) {
        const { event, record } = changed(apply(before, "r", claim))
        assert.deepStrictEqual([event, record.payment.amountRefunded], [null, 0])
        assert.deepStrictEqual(reasons(record), ["excess_refund"])
        assert.deepInclude(reviewOf(record, "excess_refund"), { operationId: find(record, "r").id, minorUnits: 60 })
        assert.deepStrictEqual(record.operations, before.operations)
        assert.strictEqual(apply(record, "r", claim)._tag, "Unchanged", "reported again")
        const found = changed(answer(record, "excess_refund", "succeeded"))
        assert.strictEqual(found.event, "refund.succeeded")
        assert.strictEqual(found.record.payment.amountRefunded, 60)
        assert.deepStrictEqual(reasons(found.record), [])
        assert.deepStrictEqual(reasons(changed(answer(record, "excess_refund", "dismissed")).record), [])
      }
    })
  }

  it("counts at once where it was only not found", () => {
    const before = after(asked(paid, "r", { kind: "refund", minorUnits: 60 }), ["r", claims.notFound])
    const { event, record } = changed(apply(before, "r", claims.refundSucceeded))
    assert.deepStrictEqual([event, record.payment.amountRefunded, reasons(record)], ["refund.succeeded", 60, []])
  })

  it("counts beside the one that took its place, and what is more than was captured is in review", () => {
    const first = after(asked(paid, "r", { kind: "refund", minorUnits: 60 }), ["r", claims.notFound])
    const second = after(asked(first, "s", { kind: "refund", minorUnits: 60 }), ["s", claims.refundSucceeded])
    const { event, record } = changed(apply(second, "r", claims.refundSucceeded))
    assert.deepStrictEqual([event, record.payment.amountRefunded], ["refund.succeeded", 120])
    assert.deepStrictEqual(reasons(record), ["excess_refund"])
    assert.deepInclude(reviewOf(record, "excess_refund"), { minorUnits: 20, currency: "EUR", provider: "p1" })
  })
})

describe("a failed capture that is reported", () => {
  it("of an overpayment changes nothing: another attempt paid", () => {
    const isOverpayment = attempt(2, { status: "succeeded", isOverpayment: true })
    const twice: PaymentRecord = {
      ...paid,
      attempts: [...paid.attempts, isOverpayment],
      operations: [...paid.operations, operation(2, { status: "succeeded" })]
    }
    assert.deepStrictEqual(apply(twice, 2, claims.captureFailed), { _tag: "Unchanged", because: "not_applicable" })
    assert.strictEqual(changed(apply(twice, 1, claims.captureFailed)).event, "payment.capture_failed")
  })

  it("of a hold without an open capture changes nothing: no money was captured", () => {
    assert.deepStrictEqual(apply(held, 1, claims.captureFailed), { _tag: "Unchanged", because: "not_applicable" })
  })
})
