/** Reviews that end without an operator, because later evidence answers their question. */
import { assert, describe, it } from "@effect/vitest"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import { standingReviews } from "../../src/domain/books/reviews.ts"
import type { ReviewReason } from "../../src/domain/Review.ts"
import type { Outcome } from "../../src/domain/Outcome.ts"
import {
  after,
  apply,
  asked,
  attempt,
  begun,
  changed,
  claims,
  failed,
  find,
  inReview,
  operation,
  reasons,
  reviewOf
} from "./records.ts"

/** As the reconciler raises it: about an operation that is no longer checked. */
const unattended = (record: PaymentRecord, reason: ReviewReason, name: string | number): PaymentRecord => {
  const { id } = find(record, name)
  const operations = record.operations.map((each) => (each.id === id ? { ...each, nextCheckAt: null } : each))
  return inReview({ ...record, operations }, reason, name)
}

const nextAction = { type: "wait", expiresAt: 600_000 } as const
const isShown: Outcome = { _tag: "Pending", nextAction }
const shown = after(begun, [1, isShown])

describe("a review for inquiries_exhausted", () => {
  it("ends when the provider reports the payment as pending: the payer acts again", () => {
    const review = unattended(after(begun, [1, claims.unknown]), "inquiries_exhausted", 1)
    const { record } = changed(apply(review, 1, isShown))
    assert.deepStrictEqual(reasons(record), [])
    assert.deepStrictEqual(record.payment.state, { status: "pending", reason: "awaiting_customer", nextAction })
  })

  it("ends when its operation is declined, and the payment is processing again", () => {
    const waiting = asked(after(begun, [1, claims.pending]), "x", { kind: "cancel", status: "pending" })
    const review = unattended(waiting, "inquiries_exhausted", "x")
    assert.deepInclude(review.payment.state, { status: "pending", reason: "needs_review" })
    const { record } = changed(apply(review, "x", claims.declined))
    assert.deepStrictEqual(reasons(record), [])
    assert.deepInclude(record.payment.state, { status: "pending", reason: "processing" })
  })
})

describe("a review for close_failed", () => {
  const review = inReview(shown, "close_failed", 1)

  it("stands while the payment is pending", () => {
    const { record } = changed(apply(review, 1, { ...isShown, nextAction: { type: "wait", expiresAt: 900 } }))
    assert.deepStrictEqual(reasons(record), ["close_failed"])
    const again = apply(record, 1, { _tag: "Pending", awaitingFinality: true })
    assert.strictEqual(again._tag, "Unchanged", "in review, another reason to wait is no news")
  })

  for (const claim of [claims.succeeded, claims.authorized, claims.declined, claims.expired]) {
    it(`ends when the payment is decided (${claim._tag})`, () => {
      assert.deepStrictEqual(reasons(changed(apply(review, 1, claim)).record), [])
    })
  }

  it("ends alone: a question about another operation stands", () => {
    const canceling = asked(shown, "x", { kind: "cancel", status: "pending" })
    const both = inReview(unattended(canceling, "inquiries_exhausted", "x"), "close_failed", 1)
    assert.deepStrictEqual(reasons(both), ["inquiries_exhausted", "close_failed"])
    const { record } = changed(apply(both, 1, claims.succeeded))
    assert.deepStrictEqual(reasons(record), ["inquiries_exhausted"])
    assert.strictEqual(reviewOf(record, "inquiries_exhausted").operationId, find(record, "x").id)
  })
})

describe("a review for late_authorization", () => {
  const next = { attempt: attempt(2), operation: operation(2) }
  const hold = after(failed, [1, claims.authorized])
  const holds = after(
    begun,
    [1, claims.declined, { next }],
    [2, claims.declined],
    [1, claims.authorized],
    [2, claims.authorized]
  )

  it("ends when the provider reports the hold as expired or canceled", () => {
    for (const claim of [claims.expired, claims.canceled]) {
      assert.deepStrictEqual(reasons(changed(apply(hold, 1, claim)).record), [], claim._tag)
    }
  })

  it("stands while another such hold does, each with its own provider and amount", () => {
    assert.deepStrictEqual(reasons(holds), ["late_authorization", "late_authorization"])
    const { record } = changed(apply(holds, 2, claims.expired))
    assert.deepStrictEqual(reasons(record), ["late_authorization"])
    assert.deepInclude(reviewOf(record, "late_authorization"), { attemptSeq: 1, provider: "p1", minorUnits: 100 })
  })
})

describe("a review that stands", () => {
  const late = after(failed, [1, claims.succeeded, { lateSuccess: "reverse", reference: "ch_1", now: 700 }])

  it("keeps its id and the time since it stands, whatever else changes", () => {
    const first = reviewOf(late, "late_success")
    assert.deepInclude(first, { since: 700, reference: "ch_1", minorUnits: 100, currency: "EUR" })
    assert.match(first.id, /^rev_1_[0-9a-f]{8}$/)
    const later = changed(apply(late, 1, claims.disputed, { now: 9000 })).record
    assert.deepStrictEqual(later.payment.reviews, [first])
    assert.strictEqual(standingReviews(later, 99_000), later.payment.reviews, "the same object where nothing changed")
  })

  it("is asked once: a repeat changes nothing, and more in question changes its amount and not its identity", () => {
    const doubted = inReview(shown, "close_failed", 1)
    assert.deepStrictEqual(inReview(doubted, "close_failed", 1).payment.reviews, doubted.payment.reviews)
    const first = after(begun, [1, { _tag: "Succeeded", amount: { ...begun.payment.amount, minorUnits: 20 } }])
    const more = after(first, [1, { _tag: "Succeeded", amount: { ...begun.payment.amount, minorUnits: 50 } }])
    const [before, now] = [reviewOf(first, "amount_mismatch"), reviewOf(more, "amount_mismatch")]
    assert.deepStrictEqual([before.id, before.minorUnits, now.minorUnits], [now.id, 20, 50])
  })

  it("is hidden while an inquiry is to confirm its money, and stands when that ends without an answer", () => {
    const looked = { ...late, operations: late.operations.map((each) => ({ ...each, nextCheckAt: 5 })) }
    assert.deepStrictEqual(standingReviews(looked, 800), [])
    assert.deepStrictEqual(
      standingReviews(late, 800).map(({ reason }) => reason),
      ["late_success"]
    )
  })
})
