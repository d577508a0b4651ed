/** A vendor that ignores the idempotency key makes two charges for one operation: which of them a report is about. Pure. */
import { chargesOf } from "./balance.ts"
import { referenceOf } from "./enter.ts"
import type { Subject } from "./Step.ts"

/** The end of another charge than the one that is waited for: which is ours, an inquiry tells. */
export const isOfAnotherCharge = (subject: Subject): boolean => {
  const { evidence, operation, step } = subject
  const reference = referenceOf(evidence)
  return (
    step.canInquire &&
    (evidence.source === "webhook" || evidence.source === "observed") &&
    reference !== null &&
    operation.reference !== null &&
    reference !== operation.reference
  )
}

/** The end of a hold that the payment does not wait for. */
export const isOfOtherHold = ({ attempt, evidence, record }: Subject): boolean => {
  const [, ...others] = chargesOf(record, attempt)
  return others.some(({ reference }) => reference === referenceOf(evidence))
}
