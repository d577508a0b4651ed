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
 * Returns the change that opens a review if the provider's statement contradicts a reported operation: the statement
 * does not contain it, or has less money or another currency. `null` if nothing contradicts. More money than requested
 * is an imbalance of the books instead.
 */
export const contradictedByStatement = (subject: Subject): Transition | null => {
  const { evidence, operation, record, step } = subject
  if (operation.status !== "succeeded") return null
  if (evidence.outcome._tag !== "NotBooked" && !isLess(subject)) return null
  return doubted(record, "contradiction", operation, step.now, reportedBy(evidence))
}

const isLess = ({ attempt, evidence, operation, record }: Subject): boolean => {
  const money = amountOf(evidence.outcome)
  // A refund that was reported without a refund operation has no amount to compare with.
  if (money === undefined || (operation.kind === "create" && !takesMoney(evidence.outcome))) return false
  const known = operation.kind === "create" ? (chargesOf(record, attempt)[0]?.captured ?? 0) : operation.minorUnits
  return money.currency !== record.payment.amount.currency || money.minorUnits < known
}

/**
 * Closes the review about an operation that was missing in an earlier statement of the provider, if a later statement
 * contains it.
 */
export const withoutMissing = ({ evidence, operation, record }: Subject): PaymentRecord => {
  if (!isBooking(operation, evidence.outcome)) return record
  const { payment } = record
  const reviews = payment.reviews.filter((review) => !isMissing(review, operation, payment.amount.currency))
  return reviews.length === payment.reviews.length ? record : { ...record, payment: { ...payment, reviews } }
}

const isBooking = ({ kind }: Operation, outcome: Outcome): boolean =>
  kind === "refund" ? outcome._tag === "Succeeded" || outcome._tag === "RefundSucceeded" : takesMoney(outcome)

/**
 * Whether the review is about the absence of the operation in a statement. A review about less money or another
 * currency is not closed.
 */
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
