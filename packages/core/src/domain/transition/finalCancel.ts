/** Whether a provider's cancel stands for good: what it has canceled takes no money any more (`cancelIsFinal`). Pure. */
import type { Payment } from "../Payment.ts"
import { flow } from "../PaymentMethod.ts"
import type { Subject } from "../Step.ts"

/** By us, as its provider confirmed, or by the provider's own word. */
export const isCanceledForGood = ({ attempt, record, step }: Subject): boolean => {
  const isClosedByUs = record.operations.some(
    (each) => each.attemptSeq === attempt.seq && each.kind === "cancel" && each.status === "succeeded"
  )
  return step.cancelIsFinal && (isClosedByUs ? !isPage(record.payment) : attempt.status === "canceled")
}

/** A cancel that is confirmed after the success that it undoes. */
export const isUndoing = ({ record, step }: Subject): boolean =>
  step.cancelIsFinal && record.payment.state.status === "succeeded" && !isPage(record.payment)

/**
 * Closing a hosted page closes the page only. A payer who is already at the bank may still pay: that money came late. A
 * hold itself is canceled.
 */
const isPage = ({ captureMethod, method }: Payment): boolean =>
  flow(method) === "hosted" && captureMethod === "automatic"
