/**
 * Finds the charge that a report is about, and the reference with which a success is stored. There can be several: a
 * vendor that ignores the idempotency key creates two charges for one operation. Pure.
 */
import { byOperator } from "../Attempt.ts"
import type { Entry } from "../Entry.ts"
import { referenceOf, changed, replace } from "./change.ts"
import { isOpen } from "../Operation.ts"
import type { Subject } from "../Step.ts"
import { chargesOf, isConfirming, isReport } from "../books/balance.ts"
import type { Transition } from "./change.ts"
import { accepted, amountOf, received } from "./reportedMoney.ts"

/**
 * Whether the report provides a reference for a charge whose stored reference is missing or unreliable: an operator
 * found the money, or it was reported without a reference.
 */
export const isUnnamed = ({ attempt, evidence, operation, record }: Subject): boolean =>
  (attempt.vendorCode === byOperator || operation.reference === null) &&
  evidence.source !== "operator" &&
  evidence.outcome.reference !== undefined &&
  // Excludes charges that the engine refunds: they do not belong to the payment.
  !record.operations.some(
    ({ attemptSeq, charge }) => attemptSeq === attempt.seq && charge === evidence.outcome.reference
  )

/**
 * Whether the report is about another charge than the stored charge, and the reported charge is more likely the
 * payment's own charge. A charge that was refunded, or may have been, stays the payment's own charge, because the
 * refund belongs to it. A report that identifies only a charge, and not the operation, is not sufficient: the charge
 * may belong to another payment.
 */
export const isBetterNamed = (subject: Subject): boolean => {
  const { evidence, operation } = subject
  const { reference } = evidence.outcome
  if (evidence.source === "operator" || reference === undefined || !("operation" in evidence.about)) return false
  if (reference === operation.reference || isRefunded(subject)) return false
  return isConfirming(evidence) ? isShownByBooks(subject) : isLikelier(subject)
}

/**
 * Whether the provider's own records contain the reported charge, but not the stored one (or the stored one with
 * another amount).
 */
const isShownByBooks = (subject: Subject): boolean =>
  isAsAsked(subject) && (!keptOf(subject).some(isConfirming) || isOfTheAmount(subject))

/**
 * Whether the provider's own records confirm neither charge, and only the reported charge has exactly the requested
 * amount.
 */
const isLikelier = (subject: Subject): boolean => isOfTheAmount(subject) && !keptOf(subject).some(isConfirming)

/**
 * Whether, on a chain, the reported charge has exactly the requested amount and the stored charge has more. A larger
 * amount would also count as a success.
 */
const isOfTheAmount = (subject: Subject): boolean => {
  const { amount, method } = subject.record.payment
  const { outcome } = subject.evidence
  return (
    method.rail === "stablecoin" &&
    received(outcome) === amount.minorUnits &&
    isAsAsked(subject) &&
    keptOf(subject).every(({ minorUnits }) => minorUnits > amount.minorUnits)
  )
}

const isRefunded = ({ attempt, record }: Subject): boolean =>
  record.operations.some(
    (each) => each.attemptSeq === attempt.seq && each.kind === "refund" && (isOpen(each) || each.status === "succeeded")
  )

const keptOf = ({ attempt, operation, record }: Subject): ReadonlyArray<Entry> =>
  record.entries.filter(
    ({ attemptSeq, kind, reference }) =>
      attemptSeq === attempt.seq && kind === "captured" && reference === operation.reference
  )

/**
 * Whether the reported amount fits the request. A charge of another amount is a second charge, or belongs to another
 * payment. On a chain, the payer may send more than requested.
 */
const isAsAsked = (subject: Subject): boolean => {
  const { amount, method } = subject.record.payment
  const reported = amountOf(subject.evidence.outcome)
  if (reported === undefined) return true
  const { currency, minorUnits } = reported
  const asked = accepted(subject)
  return currency === amount.currency && (minorUnits === asked || (method.rail === "stablecoin" && minorUnits > asked))
}

export const named = ({ attempt, evidence, operation, record, step }: Subject): Transition =>
  changed(
    replace(record, {
      attempt: { ...attempt, vendorCode: evidence.outcome.vendorCode ?? null },
      operations: [{ ...operation, reference: evidence.outcome.reference ?? operation.reference }]
    }),
    step.now,
    {},
    null
  )

/** Whether a report about the payment has another reference than the payment's stored charge. */
export const isOfAnotherCharge = ({ evidence, operation }: Subject): boolean => {
  const reference = referenceOf(evidence)
  return (
    operation.kind === "create" &&
    isReport(evidence) &&
    reference !== null &&
    operation.reference !== null &&
    reference !== operation.reference
  )
}

/**
 * Whether a refund was reported without its own operation id or reference, only with those of the charge. The report
 * counts for this refund operation, but its reference is not proven to belong to the operation.
 */
export const isUnderCharge = ({ evidence: { about }, operation }: Subject): boolean =>
  operation.kind === "refund" &&
  ("operation" in about ? about.operation !== operation.id : about.providerReference !== operation.reference)

/**
 * Whether the report is about a further charge of the attempt: the end of a second authorization, which the payment
 * does not need.
 */
export const isOfOtherHold = ({ attempt, evidence, record }: Subject): boolean => {
  const [, ...others] = chargesOf(record, attempt)
  return others.some(({ reference }) => reference === referenceOf(evidence))
}

/** Whether an inquiry found a second charge, although the attempt's own charge holds the funds of the payment. */
export const isFoundAtOtherCharge = ({ attempt, evidence, record }: Subject): boolean => {
  const [own] = chargesOf(record, attempt)
  const found = referenceOf(evidence)
  const isNamed = evidence.source === "inquiry" && found !== null && own !== undefined && own.reference !== null
  return isNamed && own.held > 0 && own.reference !== found
}
