/** Whether a provider's cancel is final, so that no money is taken afterwards (`cancelIsFinal`). Pure. */
import type { Payment } from "../Payment.ts"
import { flow } from "../PaymentMethod.ts"
import type { Subject } from "../Step.ts"

/** Canceled by us with the provider's confirmation, or by the provider. */
export const isCanceledForGood = ({ attempt, record, step }: Subject): boolean => {
  const isClosedByUs = record.operations.some(
    (each) => each.attemptSeq === attempt.seq && each.kind === "cancel" && each.status === "succeeded"
  )
  return step.cancelIsFinal && (isClosedByUs ? !isPage(record.payment) : attempt.status === "canceled")
}

/** Whether a cancel is confirmed after the success that it undoes. */
export const isUndoing = ({ record, step }: Subject): boolean =>
  step.cancelIsFinal && record.payment.state.status === "succeeded" && !isPage(record.payment)

/**
 * Whether the cancel closes a hosted page only. A payer who is already at the bank may still pay, and that payment is late. A
 * hold itself is canceled.
 */
const isPage = ({ captureMethod, method }: Payment): boolean =>
  flow(method) === "hosted" && captureMethod === "automatic"
