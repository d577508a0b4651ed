/** A vendor that ignores the idempotency key creates two charges for one operation: which of them a report is about. Pure. */
import { chargesOf, isReport } from "../books/balance.ts"
import type { Subject } from "../Step.ts"
import type { Evidence } from "../Evidence.ts"

/** A report about the payment under another reference than that of the charge that is waited for. */
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
 * A refund that is reported under its charge: the movement explains it, but its reference is not proven to be the
 * operation's own.
 */
export const isUnderCharge = ({ evidence: { about }, operation }: Subject): boolean =>
  operation.kind === "refund" &&
  ("operation" in about ? about.operation !== operation.id : about.providerReference !== operation.reference)

/** The end of a hold that the payment does not wait for. */
export const isOfOtherHold = ({ attempt, evidence, record }: Subject): boolean => {
  const [, ...others] = chargesOf(record, attempt)
  return others.some(({ reference }) => reference === referenceOf(evidence))
}

/** An inquiry may find the latest of two charges, while the other one holds the funds. */
export const isFoundAtOtherCharge = ({ attempt, evidence, record }: Subject): boolean => {
  const [own] = chargesOf(record, attempt)
  const found = referenceOf(evidence)
  const isNamed = evidence.source === "inquiry" && found !== null && own !== undefined && own.reference !== null
  return isNamed && own.held > 0 && own.reference !== found
}

/** The provider's reference that a report is about. */
export const referenceOf = ({ about, outcome }: Evidence): string | null =>
  outcome.reference ?? ("providerReference" in about ? about.providerReference : null)
