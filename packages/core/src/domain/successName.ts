/** What a success is called at its provider, which tells it from another one. Pure. */
import { accepted } from "./agreement.ts"
import { isConfirming } from "./balance.ts"
import { changed, replace } from "./change.ts"
import type { Transition } from "./change.ts"
import type { Subject } from "./Step.ts"

/** The code of an attempt that an operator found paid. */
export const byOperator = "operator"

/** An operator found the money, or it was reported without a reference: what is kept may not be the money's own. */
export const isUnnamed = ({ attempt, evidence, operation }: Subject): boolean =>
  (attempt.vendorCode === byOperator || operation.reference === null) &&
  evidence.source !== "operator" &&
  evidence.reference !== null

/** The provider's own books show another charge of what was asked, and not the one that was only reported. */
export const isBetterNamed = (subject: Subject): boolean => {
  const { evidence, operation, record } = subject
  return (
    isConfirming(evidence) &&
    evidence.source !== "operator" &&
    evidence.reference !== null &&
    evidence.reference !== operation.reference &&
    isAsAsked(subject) &&
    !record.entries.some(
      (entry) => entry.kind === "captured" && entry.reference === operation.reference && isConfirming(entry)
    )
  )
}

/** A charge of another amount is a second one, or that of another payment. On a chain the payer may send more. */
const isAsAsked = (subject: Subject): boolean => {
  const { claim } = subject.evidence
  const { amount, method } = subject.record.payment
  if (!("amount" in claim) || claim.amount === null) return true
  const { currency, minorUnits } = claim.amount
  const asked = accepted(subject)
  return currency === amount.currency && (minorUnits === asked || (method.rail === "stablecoin" && minorUnits > asked))
}

export const named = ({ attempt, evidence, operation, record, step }: Subject): Transition =>
  changed(
    replace(record, {
      attempt: { ...attempt, vendorCode: evidence.vendorCode },
      operations: [{ ...operation, reference: evidence.reference ?? operation.reference }]
    }),
    step.now,
    {},
    null
  )
