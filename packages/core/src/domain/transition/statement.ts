/** What the provider's own statement says about an operation that was reported as done. Pure. */
import { amountOf } from "./agreement.ts"
import { chargesOf } from "../books/balance.ts"
import { changed, doubted } from "./change.ts"
import type { Transition } from "./change.ts"
import { reportedBy } from "../books/reviews.ts"
import { takesMoney } from "./overpayment.ts"
import type { Operation } from "../Operation.ts"
import type { PaymentRecord } from "../Payment.ts"
import type { Subject } from "../Step.ts"

/**
 * A statement without the operation, or with less money or another currency, contradicts what was reported: an operator has
 * to look. More money than requested is an imbalance of the books, which needs no question. `null`: it contradicts nothing.
 */
export const contradictedByStatement = (subject: Subject): Transition | null => {
  const { evidence, operation, record, step } = subject
  if (evidence.source !== "statement" || operation.status !== "succeeded") return null
  if (evidence.outcome._tag !== "NotBooked" && !isLess(subject)) return null
  return doubted(record, "contradiction", operation, step.now, reportedBy(evidence))
}

const isLess = ({ attempt, evidence, operation, record }: Subject): boolean => {
  const money = amountOf(evidence.outcome)
  // A refund that names no operation is no less than anything.
  if (money === undefined || (operation.kind === "create" && !takesMoney(evidence.outcome))) return false
  const known = operation.kind === "create" ? (chargesOf(record, attempt)[0]?.captured ?? 0) : operation.minorUnits
  return money.currency !== record.payment.amount.currency || money.minorUnits < known
}

/** A later statement has what an earlier one was without: the question is answered. `null`: there was no such question. */
export const bookedAfterAll = ({ evidence, operation, record, step }: Subject): Transition | null => {
  if (evidence.source !== "statement" || evidence.outcome._tag === "NotBooked") return null
  const { reviews } = record.payment
  const open = reviews.filter((review) => !isMissing(review, operation))
  if (open.length === reviews.length) return null
  return changed({ ...record, payment: { ...record.payment, reviews: open } }, step.now, {}, null)
}

const isMissing = (
  { operationId, reason, source }: PaymentRecord["payment"]["reviews"][number],
  { id }: Operation
): boolean => reason === "contradiction" && source === "statement" && operationId === id
