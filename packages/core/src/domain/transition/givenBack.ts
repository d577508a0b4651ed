/**
 * Applies an operator's report of a manual refund: of money with another amount, or of money that was not refunded
 * automatically. Pure.
 */
import { hasReview } from "../books/reviews.ts"
import type { Subject } from "../Step.ts"
import { changed, notApplicable, settle } from "./change.ts"
import type { Transition } from "./change.ts"
import { reversalEvent } from "./reportedMoney.ts"

export const givenBack = (subject: Subject): Transition => {
  const { attempt, evidence, record, step } = subject
  const { payment } = record
  if (evidence.source !== "operator") return notApplicable
  if (attempt.isOverpayment) return changed(record, step.now, {}, reversalEvent(payment))
  const open = payment.state.status === "pending" || payment.state.status === "authorized"
  if (!hasReview(record, "amount_mismatch", attempt) || !open || step.failure === null) return notApplicable
  const over = settle(subject, { status: "canceled", code: step.failure.code }, "canceled")
  return changed(over, step.now, { state: { status: "failed", failure: step.failure } }, "payment.failed")
}
