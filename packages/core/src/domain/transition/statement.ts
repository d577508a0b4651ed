/** Compares the provider's own statement with an operation that was reported as executed. Pure. */
import { amountOf, takesMoney } from "./reportedMoney.ts"
import { chargesOf } from "../books/balance.ts"
import { doubted } from "./change.ts"
import type { Transition } from "./change.ts"
import { reportedBy } from "../books/reviews.ts"
import type { Operation } from "../Operation.ts"
import type { PaymentRecord } from "../Payment.ts"
import type { Review } from "../Review.ts"
import type { Subject } from "../Step.ts"
import type { Outcome } from "../Outcome.ts"

/**
 * The change for a provider's statement that does not contain the operation, or has less money or another currency,
 * contradicts the report: a review is opened. More money than requested is an imbalance of the books instead. `null` if
 * nothing contradicts.
 */
export const contradictedByStatement = (subject: Subject): Transition | null => {
  const { evidence, operation, record, step } = subject
  if (operation.status !== "succeeded") return null
  if (evidence.outcome._tag !== "NotBooked" && !isLess(subject)) return null
  return doubted(record, "contradiction", operation, step.now, reportedBy(evidence))
}

const isLess = ({ attempt, evidence, operation, record }: Subject): boolean => {
  const money = amountOf(evidence.outcome)
  // A refund without an operation has nothing to be compared with.
  if (money === undefined || (operation.kind === "create" && !takesMoney(evidence.outcome))) return false
  const known = operation.kind === "create" ? (chargesOf(record, attempt)[0]?.captured ?? 0) : operation.minorUnits
  return money.currency !== record.payment.amount.currency || money.minorUnits < known
}

/** Closes the review about a missing booking if a later statement has the booking. */
export const withoutMissing = ({ evidence, operation, record }: Subject): PaymentRecord => {
  if (!isBooking(operation, evidence.outcome)) return record
  const { payment } = record
  const reviews = payment.reviews.filter((review) => !isMissing(review, operation, payment.amount.currency))
  return reviews.length === payment.reviews.length ? record : { ...record, payment: { ...payment, reviews } }
}

const isBooking = ({ kind }: Operation, outcome: Outcome): boolean =>
  kind === "refund" ? outcome._tag === "Succeeded" || outcome._tag === "RefundSucceeded" : takesMoney(outcome)

/** Whether the review is about a missing booking. A booking with less money or another currency does not close it. */
const isMissing = (
  { currency, minorUnits, operationId, reason, source }: Review,
  operation: Operation,
  ofPayment: string
): boolean =>
  reason === "contradiction" &&
  source === "statement" &&
  operationId === operation.id &&
  minorUnits === operation.minorUnits &&
  currency === ofPayment
