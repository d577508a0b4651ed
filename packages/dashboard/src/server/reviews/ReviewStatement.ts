/** What an operator states about a payment in review, as the library and the control API take it, and what they return. */
import type { OperationId, PaymentRecord, Resolution, Statement } from "@paymux/core"
import { paymentJson } from "@paymux/core/wire"
import type { HostedUrl, PaymentJson } from "@paymux/core/wire"

/** One of `review` and `operation`. */
export interface ReviewStatement {
  /** `rev_…` */
  readonly review?: string
  /** `op_…`: an operation without a review, whose outcome Paymux has wrong. */
  readonly operation?: string
  readonly resolution: Resolution
  /** What proves it, such as the provider's reference and who looked it up. It is stored with the payment. */
  readonly evidence: string
  /** Minor units: what the provider's dashboard shows, where the resolution takes an amount. */
  readonly amount?: number
  /** The `version` that `get` returned: refused if the payment has changed since. */
  readonly version?: number
}

export interface ResolvedPayment {
  readonly payment: PaymentJson
  readonly version: number
}

/** `null`: it does not have exactly one of `review` and `operation`. */
export const statementOf = ({ operation, review, ...statement }: ReviewStatement): Statement | null => {
  if (operation === undefined) return review === undefined ? null : { ...statement, subject: { review } }
  // Boundary: a text that is the id of no operation is refused by its payment.
  return review === undefined ? { ...statement, subject: { operation: operation as OperationId } } : null
}

export const resolvedPayment = (record: PaymentRecord, hostedUrl: HostedUrl): ResolvedPayment => ({
  payment: paymentJson(record, hostedUrl),
  version: record.payment.version
})
