import { assert, describe, it } from "@effect/vitest"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import { resolve } from "../../src/domain/review.ts"
import { byOperator } from "../../src/domain/successName.ts"
import { after, apply, begun, changed, claims, money } from "./records.ts"

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
    assert.deepInclude(record.payment, { amountCaptured: 100, amountReceived: 130, review: null })
    const other = { kind: "succeeded", amount: money(130, "USD") } as const
    assert.deepStrictEqual(changed(apply(onChain, 1, other)).record.payment.review, { reason: "amount_mismatch" })
  })

  it("needs review for a card", () => {
    const { payment } = changed(apply(begun, 1, more)).record
    assert.deepInclude(payment, { amountCaptured: 0, amountReceived: 130, review: { reason: "amount_mismatch" } })
  })
})

describe("an operator's resolution", () => {
  const unknown = after(begun, [1, claims.unknown])
  const record: PaymentRecord = {
    ...unknown,
    payment: { ...unknown.payment, review: { reason: "inquiries_exhausted" } }
  }

  it("replaces the vendor code for a success, and for nothing else", () => {
    const attempt = (resolution: "succeeded" | "not_done") =>
      changed(resolve(record, resolution, 2000)?.change ?? null).record.attempts[0]
    assert.deepInclude(attempt("succeeded"), { status: "succeeded", vendorCode: byOperator })
    assert.deepInclude(attempt("not_done"), { status: "not_executed", vendorCode: null })
  })
})
