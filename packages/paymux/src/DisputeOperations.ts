/** The type of `paymux.disputes`. */
import type { NewDisputeStatement, ResolvedPayment } from "@paymux/dashboard"

/** Refusals are `DisputeRefused`; its `reason` says why. Nothing was written then. */
export interface DisputeOperations {
  /** Records a dispute of a payment, its amount, or how it ended. */
  readonly record: (paymentId: string, statement: NewDisputeStatement) => Promise<ResolvedPayment>
}
