/** Words that cannot both be true, in every order, and what is asked of an operator then. */
import { assert, describe, it } from "@effect/vitest"
import type { PaymentRecord, ReviewReason } from "../../src/domain/Payment.ts"
import { resolve } from "../../src/domain/review.ts"
import { transition } from "../../src/domain/transition.ts"
import {
  after,
  apply,
  asked,
  attempt,
  begun,
  changed,
  claims,
  evidence,
  find,
  held,
  operation,
  paid,
  step
} from "./records.ts"

const final = { cancelIsFinal: true }
const shown = after(begun, [1, claims.pending])

const under = (record: PaymentRecord, reason: ReviewReason): PaymentRecord => ({
  ...record,
  payment: { ...record.payment, review: { reason } }
})

/** Not to be found out any more: nobody looks after it. */
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

const named = (record: PaymentRecord, reference: string) =>
  transition(record, find(record, 1), { ...evidence(find(record, 1).id, claims.succeeded), reference }, step)

describe("a doubt", () => {
  it("is not lost under a review that resolves itself: a capture that was taken back before its success was told", () => {
    const unknown = under(given(after(begun, [1, claims.unknown]), 1), "inquiries_exhausted")
    const { record } = changed(apply(unknown, 1, claims.captureFailed))
    assert.deepStrictEqual(record.payment.review, { reason: "contradiction" })
    assert.strictEqual(apply(record, 1, claims.captureFailed)._tag, "Unchanged", "told again")
    const succeeded = changed(apply(record, 1, claims.succeeded)).record.payment
    assert.deepStrictEqual([succeeded.state.status, succeeded.review?.reason], ["succeeded", "contradiction"])
  })

  it("is not lost beside a refund that nobody can find out about: a second success", () => {
    const once = changed(named(begun, "first")).record
    const refunding = asked(once, "r", { kind: "refund", status: "unknown", nextCheckAt: null })
    const doubted = changed(named(under(refunding, "inquiries_exhausted"), "second")).record
    assert.deepStrictEqual(doubted.payment.review, { reason: "duplicate_capture" })
    const known = changed(apply(doubted, "r", claims.refundSucceeded)).record
    assert.deepStrictEqual(known.payment.review, { reason: "duplicate_capture" })
  })
})

describe("a cancel that is confirmed after the success", () => {
  const both = after(asked(shown, "x", { kind: "cancel" }), [1, claims.captured])

  it("takes the success back where it is final, and the merchant hears of it", () => {
    for (const record of [byToken(automatic(both)), both]) {
      const told = changed(apply(record, "x", claims.canceled, final))
      assert.strictEqual(told.event, "payment.capture_failed")
      assert.deepStrictEqual(told.record.payment.review, { reason: "capture_failed" })
    }
  })

  it("is of the page alone where somebody was paying on it, and money where it is not final", () => {
    for (const told of [
      changed(apply(automatic(both), "x", claims.canceled, final)),
      changed(apply(byToken(automatic(both)), "x", claims.canceled))
    ]) {
      assert.isNull(told.event)
      assert.deepStrictEqual(told.record.payment.review, { reason: "paid_after_close" })
    }
  })
})

describe("a page that was closed by us", () => {
  const page = automatic(shown)

  it("and is paid by somebody who was at the bank already is money that came late", () => {
    const closing = { kind: "cancel", purpose: "expiry" } as const
    const { event, record } = changed(
      apply(after(asked(page, "x", closing), ["x", claims.succeeded]), 1, claims.succeeded, final)
    )
    assert.strictEqual(event, "payment.succeeded")
    assert.deepStrictEqual(record.payment.state, { status: "succeeded", late: true })
  })

  it("is over where its provider says of itself that the payment was canceled", () => {
    const { record } = changed(apply(after(page, [1, claims.canceled]), 1, claims.succeeded, final))
    assert.deepStrictEqual(record.payment.review, { reason: "contradiction" })
  })
})

describe("a success that an operator found", () => {
  const found = resolve(under(given(after(begun, [1, claims.unknown]), 1), "inquiries_exhausted"), "succeeded", 2000)
  const record = found === null ? begun : found.change.record

  it("takes the first name that its provider tells, and doubts the second", () => {
    const first = changed(named(record, "psp_1"))
    assert.strictEqual(find(first.record, 1).reference, "psp_1")
    assert.isNull(first.record.payment.review)
    assert.isNull(first.event)
    assert.strictEqual(named(first.record, "psp_1")._tag, "Unchanged", "told again")
    assert.deepStrictEqual(changed(named(first.record, "psp_2")).record.payment.review, { reason: "duplicate_capture" })
  })
})

describe("a capture that failed, told twice", () => {
  it("does not fail the capture that was asked for after it", () => {
    const held = after(begun, [1, claims.authorized])
    const first = asked(held, "c", { kind: "capture", status: "pending", reference: "psp_c" })
    const over = changed(apply(first, "c", claims.captureFailed)).record
    const next = asked(over, "d", { kind: "capture", status: "pending", reference: "psp_d" })
    const tell = (reference: string) =>
      transition(next, find(next, 1), { ...evidence(find(next, 1).id, claims.captureFailed), reference }, step)
    assert.strictEqual(tell("psp_c")._tag, "Unchanged")
    assert.strictEqual(find(changed(tell("psp_d")).record, "d").status, "declined")
  })
})

describe("a hold that is let go while all of it is given back", () => {
  it("is that refund, and no capture that failed", () => {
    const refunding = asked(paid, "r", { kind: "refund", minorUnits: 100, status: "pending" })
    assert.strictEqual(apply(refunding, 1, claims.captureFailed)._tag, "Unchanged")
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

    it(`is a contradiction: it does not count until an operator confirms it (${how})`, () => {
      for (const claim of [claims.succeeded, claims.refundSucceeded]) {
        const { event, record } = changed(apply(before, "r", claim))
        assert.deepStrictEqual([event, record.payment.amountRefunded], [null, 0])
        assert.deepStrictEqual(record.payment.review, { reason: "contradiction" })
        assert.deepStrictEqual(record.operations, before.operations)
        assert.strictEqual(apply(record, "r", claim)._tag, "Unchanged", "reported again")
        const found = changed(resolve(record, "succeeded", 2000)?.change ?? null)
        assert.strictEqual(found.event, "refund.succeeded")
        assert.deepInclude(found.record.payment, { amountRefunded: 60, review: null })
      }
    })
  }
})

describe("a failed capture that is reported", () => {
  it("of surplus money changes nothing: another attempt paid", () => {
    const surplus = attempt(2, { status: "succeeded", surplus: true })
    const twice: PaymentRecord = {
      ...paid,
      attempts: [...paid.attempts, surplus],
      operations: [...paid.operations, operation(2, { status: "succeeded" })]
    }
    assert.deepStrictEqual(apply(twice, 2, claims.captureFailed), { _tag: "Unchanged", because: "not_applicable" })
    assert.strictEqual(changed(apply(twice, 1, claims.captureFailed)).event, "payment.capture_failed")
  })

  it("of a hold without an open capture changes nothing: no money was captured", () => {
    assert.deepStrictEqual(apply(held, 1, claims.captureFailed), { _tag: "Unchanged", because: "not_applicable" })
  })
})
