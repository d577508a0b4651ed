/** Reviews that end without an operator, because later evidence answers their question. */
import { assert, describe, it } from "@effect/vitest"
import type { PaymentRecord, ReviewReason } from "../../src/domain/Payment.ts"
import { flagForReview } from "../../src/domain/change.ts"
import type { EvidenceClaim } from "../../src/provider/Evidence.ts"
import { after, apply, asked, attempt, begun, changed, claims, find, operation, paid } from "./records.ts"

/** As the reconciler flags a payment: with an operation that is no longer checked. */
const flagged = (record: PaymentRecord, reason: ReviewReason, unattended?: string | number): PaymentRecord => {
  const id = unattended === undefined ? undefined : find(record, unattended).id
  const operations = record.operations.map((each) => (each.id === id ? { ...each, nextCheckAt: null } : each))
  return changed(flagForReview({ ...record, operations }, reason, 500)).record
}

const nextAction = { type: "wait", expiresAt: 600_000 } as const
const isShown: EvidenceClaim = { kind: "pending", nextAction, awaitingFinality: false }
const shown = after(begun, [1, isShown])
const canceling = asked(shown, "x", { kind: "cancel", status: "pending" })

describe("a payment in review for inquiries_exhausted", () => {
  it("leaves review when the provider reports it as pending: the payer acts again", () => {
    const { record } = changed(apply(flagged(after(begun, [1, claims.unknown]), "inquiries_exhausted", 1), 1, isShown))
    assert.isNull(record.payment.review)
    assert.deepStrictEqual(record.payment.state, { status: "pending", reason: "awaiting_customer", nextAction })
  })

  it("is processing again when the operation without an outcome is declined", () => {
    const waiting = asked(after(begun, [1, claims.pending]), "x", { kind: "cancel", status: "pending" })
    const review = flagged(waiting, "inquiries_exhausted", "x")
    assert.deepInclude(review.payment.state, { status: "pending", reason: "needs_review" })
    const { record } = changed(apply(review, "x", claims.declined))
    assert.isNull(record.payment.review)
    assert.deepInclude(record.payment.state, { status: "pending", reason: "processing" })
  })
})

describe("a payment in review for close_failed", () => {
  const review = flagged(shown, "close_failed")

  it("stays in review while the payment is pending", () => {
    const { record } = changed(apply(review, 1, { ...isShown, nextAction: null, awaitingFinality: true }))
    assert.deepStrictEqual(record.payment.review, { reason: "close_failed" })
  })

  for (const claim of [claims.succeeded, claims.authorized, claims.declined, claims.expired]) {
    it(`leaves review when the payment is decided (${claim.kind})`, () => {
      assert.isNull(changed(apply(review, 1, claim)).record.payment.review)
    })
  }

  it("stays in review for inquiries_exhausted if another operation is no longer checked", () => {
    const { record } = changed(apply(flagged(canceling, "close_failed", "x"), 1, claims.succeeded))
    assert.deepStrictEqual(record.payment.review, { reason: "inquiries_exhausted" })
  })
})

describe("a payment in review for late_authorization", () => {
  const surplusHold = (seq: number) => attempt(seq, { status: "authorized", surplus: true })
  const holds = (...seqs: ReadonlyArray<number>): PaymentRecord =>
    flagged(
      {
        ...paid,
        attempts: [...paid.attempts, ...seqs.map(surplusHold)],
        operations: [...paid.operations, ...seqs.map((seq) => operation(seq, { status: "authorized" }))]
      },
      "late_authorization"
    )

  it("leaves review when the provider reports the hold as expired or canceled", () => {
    for (const claim of [claims.expired, claims.canceled]) {
      assert.isNull(changed(apply(holds(2), 2, claim)).record.payment.review, claim.kind)
    }
  })

  it("stays in review while another such hold stands", () => {
    const { record } = changed(apply(holds(2, 3), 2, claims.expired))
    assert.deepStrictEqual(record.payment.review, { reason: "late_authorization" })
  })
})

describe("a payment that is in review", () => {
  it("is not flagged again: the first reason stays", () => {
    for (const first of ["inquiries_exhausted", "close_failed", "amount_mismatch"] as const) {
      for (const second of ["inquiries_exhausted", "close_failed"] as const) {
        assert.isNull(flagForReview(flagged(canceling, first, "x"), second, 2000), `${first}, then ${second}`)
      }
    }
  })
})
