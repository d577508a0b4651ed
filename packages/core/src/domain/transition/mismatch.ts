/**
 * Handles a report with another amount or currency than requested: a review is opened instead of a success. Since money
 * moved, the attempt stays open: no inquiry or webhook closes it, and no other provider is tried. Pure.
 */
import { isOfUnprovenCharge, received } from "./reportedMoney.ts"
import { isClosedWithoutMoney, isInFlight } from "../Attempt.ts"
import { isConfirming } from "../books/balance.ts"
import { changed, doubted, duplicate, outOfOrder, replace, pendingChange, settle, referenceOf } from "./change.ts"
import type { Transition } from "./change.ts"
import { inquiredNow } from "./recheck.ts"
import type { Operation } from "../Operation.ts"
import type { PaymentRecord } from "../Payment.ts"
import { hasReview, questioned, renamed, reportedBy } from "../books/reviews.ts"
import type { Subject } from "../Step.ts"

export const mismatch = (subject: Subject): Transition => {
  const { attempt, evidence, operation, record, step } = subject
  const { payment } = record
  if (hasReview(record, "amount_mismatch", attempt) && !isClosedWithoutMoney(attempt.status)) return again(subject)
  const asked = questioned(record, "amount_mismatch", operation, step.now, reportedBy(evidence))
  const arrived = received(evidence.outcome) ?? 0
  if (attempt.status === "authorized") return changed(asked, step.now, {}, null)
  // If the report contains no received money, a closed attempt stays closed.
  if (!isInFlight(attempt.status) && arrived === 0) return outOfOrder
  if (!isInFlight(attempt.status)) {
    // The status determines the return: authorized money is released, captured money is refunded.
    const status = evidence.outcome._tag === "Authorized" ? "authorized" : "succeeded"
    const late = settle({ ...subject, record: asked }, { status, late: true, isOverpayment: true }, status)
    return changed(late, step.now, {}, null)
  }
  const held = replace(asked, {
    attempt: { ...attempt, status: "pending", vendorCode: evidence.outcome.vendorCode ?? attempt.vendorCode },
    operations: [
      {
        ...operation,
        status: "pending",
        reference: evidence.outcome.reference ?? operation.reference ?? referenceOf(evidence),
        nextCheckAt: null
      }
    ]
  })
  if (payment.state.status !== "pending") return changed(held, step.now, {}, null)
  return pendingChange(held, { ...payment.state, reason: "needs_review" }, step.now)
}

/**
 * Handles another report about the received amount while a review about the amount is open. The review shows the amount
 * in the provider's own records or, without these, the reported amount. If reports contradict each other, and the
 * provider supports no inquiries, a second review shows the contradiction.
 */
const again = (subject: Subject): Transition => {
  const { evidence, operation, record, step } = subject
  const { amount, amountReceived } = record.payment
  const [arrived, before] = [received(evidence.outcome) ?? 0, amountReceived ?? 0]
  const isShown = isShownByBooks(subject, before)
  if (isConfirming(evidence) && !isOfUnprovenCharge(subject)) {
    // No further inquiry is needed about an amount that the provider's own records confirm.
    const books = withoutCheck(record, operation)
    if (arrived !== before && (arrived > before || !isShown)) return named({ ...subject, record: books })
    return books === record ? duplicate : changed(books, step.now, {}, null)
  }
  if (arrived === before) return duplicate
  // The amount of the review is never reduced: the money may arrive in parts, so a smaller reported sum may be the
  // older one.
  if (!isShown && Math.max(arrived, before) <= amount.minorUnits) return arrived < before ? duplicate : named(subject)
  return isShown && step.canInquire
    ? changed(inquiredNow(subject), step.now, {}, null)
    : doubted(record, "contradiction", operation, step.now, reportedBy(evidence))
}

const named = ({ evidence, operation, record, step }: Subject): Transition =>
  changed(renamed(record, "amount_mismatch", operation, step.now, reportedBy(evidence)), step.now, {}, null)

const isShownByBooks = ({ attempt, record }: Subject, minorUnits: number): boolean =>
  record.entries.some(
    (entry) =>
      entry.attemptSeq === attempt.seq &&
      (entry.kind === "captured" || entry.kind === "authorized") &&
      entry.minorUnits === minorUnits &&
      isConfirming(entry)
  )

const withoutCheck = (record: PaymentRecord, operation: Operation): PaymentRecord =>
  operation.nextCheckAt === null ? record : replace(record, { operations: [{ ...operation, nextCheckAt: null }] })
