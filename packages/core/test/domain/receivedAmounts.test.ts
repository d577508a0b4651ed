import { assert, describe, it } from "@effect/vitest"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import { byOperator } from "../../src/domain/successName.ts"
import { after, answer, apply, begun, changed, claims, inReview, money, reasons, reviewOf } from "./records.ts"

describe("the amount that was received", () => {
  it("is not recorded if it equals the requested amount", () => {
    const { payment } = changed(apply(begun, 1, { kind: "succeeded", amount: money(100) })).record
    assert.strictEqual(payment.amountCaptured, 100)
    assert.isNull(payment.amountReceived)
  })
})

describe("more than the requested amount", () => {
  const more = { kind: "succeeded", amount: money(130) } as const

  it("succeeds for a stablecoin: only the requested amount counts, and what arrived is recorded", () => {
    const method = { rail: "stablecoin", asset: null, network: null } as const
    const onChain: PaymentRecord = { ...begun, payment: { ...begun.payment, method } }
    const { event, record } = changed(apply(onChain, 1, more))
    assert.strictEqual(event, "payment.succeeded")
    assert.deepInclude(record.payment, { amountCaptured: 100, amountReceived: 130 })
    assert.deepStrictEqual(reasons(record), [], "the payer alone decides what to send")
    const other = { kind: "succeeded", amount: money(130, "USD") } as const
    const mismatched = changed(apply(onChain, 1, other)).record
    assert.deepStrictEqual(reasons(mismatched), ["amount_mismatch"])
    assert.deepInclude(reviewOf(mismatched, "amount_mismatch"), { minorUnits: 130, currency: "USD" })
  })

  it("needs review for a card", () => {
    const { record } = changed(apply(begun, 1, more))
    assert.deepInclude(record.payment, { amountCaptured: 0, amountReceived: 130 })
    assert.deepStrictEqual(reasons(record), ["amount_mismatch"])
    assert.deepInclude(reviewOf(record, "amount_mismatch"), { minorUnits: 130, currency: "EUR" })
  })
})

describe("an operator's resolution", () => {
  const unknown = after(begun, [1, claims.unknown])
  const operations = unknown.operations.map((each) => ({ ...each, nextCheckAt: null }))
  const record: PaymentRecord = inReview({ ...unknown, operations }, "inquiries_exhausted", 1)

  it("replaces the vendor code for a success, and for nothing else", () => {
    const attempt = (resolution: "succeeded" | "not_done") =>
      changed(answer(record, "inquiries_exhausted", resolution)).record.attempts[0]
    assert.deepInclude(attempt("succeeded"), { status: "succeeded", vendorCode: byOperator })
    assert.deepInclude(attempt("not_done"), { status: "not_executed", vendorCode: null })
  })
})
