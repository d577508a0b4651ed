/** Which operation an operator's resolution is about. */
import { assert, describe, it } from "@effect/vitest"
import type { PaymentRecord, ReviewReason } from "../../src/domain/Payment.ts"
import { resolve } from "../../src/domain/review.ts"
import type { Resolution } from "../../src/domain/review.ts"
import { after, asked, attempt, begun, changed, claims, find, operation, paid } from "./records.ts"

const under = (record: PaymentRecord, reason: ReviewReason): PaymentRecord => ({
  ...record,
  payment: { ...record.payment, review: { reason } }
})

const about = (record: PaymentRecord, resolution: Resolution): string | null =>
  resolve(record, resolution, 2000)?.cause.operation.id ?? null

const shown = after(begun, [1, claims.pending])
/** The second attempt paid; the first was paid, too. */
const twice: PaymentRecord = {
  ...paid,
  attempts: [attempt(1, { status: "succeeded", surplus: true }), attempt(2, { status: "succeeded" })],
  operations: [operation(1, { status: "succeeded" }), operation(2, { status: "succeeded", attemptSeq: 2 })]
}

describe("money that was given back by hand", () => {
  for (const reason of ["duplicate_capture", "late_success", "late_authorization"] as const) {
    it(`is the surplus (${reason}); no other resolution fits`, () => {
      assert.strictEqual(about(under(twice, reason), "given_back"), "op_1")
      assert.isNull(about(under(twice, reason), "succeeded"))
      assert.isNull(about(under(twice, reason), "not_done"))
    })
  }

  it("is the only resolution, besides dismissal, for a late authorization", () => {
    const late: PaymentRecord = {
      ...twice,
      attempts: [attempt(1, { status: "succeeded" }), attempt(2, { status: "authorized", surplus: true })],
      operations: [operation(1, { status: "succeeded" }), operation(2, { status: "authorized", attemptSeq: 2 })]
    }
    assert.isNull(about(under(late, "late_authorization"), "succeeded"))
    assert.strictEqual(about(under(late, "late_authorization"), "given_back"), "op_2")
  })

  it("settles the reversal that was refused, and leaves the create as it was", () => {
    const surplus = operation(1, { status: "succeeded", nextCheckAt: null, endedAt: 7 })
    const reversal = operation("v", { kind: "refund", purpose: "reversal", status: "declined" })
    const record: PaymentRecord = { ...twice, operations: [surplus, ...twice.operations.slice(1), reversal] }
    const resolved = changed(resolve(under(record, "duplicate_capture"), "given_back", 2000)?.change ?? null).record
    assert.deepStrictEqual(find(resolved, 1), surplus)
    assert.deepInclude(find(resolved, "v"), { status: "succeeded", endedAt: 2000 })
  })

  it("is the mismatched amount, even if a cancel waits for an operator", () => {
    const mismatched = under(shown, "amount_mismatch")
    const canceling = asked(mismatched, "x", { kind: "cancel", status: "pending", nextCheckAt: null })
    assert.strictEqual(about(canceling, "given_back"), "op_1")
    assert.strictEqual(about(canceling, "succeeded"), "op_x")
  })

  it("does not resolve a close that failed: the payer may still pay", () => {
    assert.isNull(about(under(shown, "close_failed"), "given_back"))
    assert.strictEqual(about(under(shown, "close_failed"), "not_done"), "op_1")
  })
})

describe("a contradiction", () => {
  it("is about the last refund that is not known to have succeeded", () => {
    const refunds = asked(asked(paid, "r", { kind: "refund", minorUnits: 60, status: "declined" }), "s", {
      kind: "refund",
      minorUnits: 40,
      status: "succeeded"
    })
    const resolved = resolve(under(refunds, "contradiction"), "succeeded", 2000)
    const change = changed(resolved?.change ?? null)
    assert.strictEqual(resolved?.cause.operation.id, "op_r")
    assert.strictEqual(change.event, "refund.succeeded")
    assert.strictEqual(find(change.record, "r").status, "succeeded")
  })
})
