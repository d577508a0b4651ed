/** What an operator states about a payment in review, as the library and the control API take it, and what they return. */
import type { OperationId, PaymentRecord, Resolution, Statement } from "@paymux/core"
import type { Acceptance, Consequences, IntendedStatement } from "@paymux/core/store"
import { paymentJson } from "@paymux/core/wire"
import type { HostedUrl, PaymentJson } from "@paymux/core/wire"

/** What an operator is about to state. One of `review` and `operation`. */
export interface IntendedReviewStatement {
  /** `rev_…` */
  readonly review?: string
  /** `op_…`: an operation without a review, whose outcome Paymux has wrong. */
  readonly operation?: string
  readonly resolution: Resolution
  /** Minor units: what the provider's dashboard shows, where the resolution takes an amount. */
  readonly amount?: number
}

export interface ReviewStatement extends IntendedReviewStatement {
  /** What proves it, such as the provider's reference and who looked it up. It is stored with the payment. */
  readonly evidence: string
  /**
   * Another amount than requested is accepted: exactly the amount of the consequences' `acceptance`, and why. The reason is
   * kept in the audit log.
   */
  readonly acceptance?: Acceptance
  /** The `version` that `get` or `consequences` returned: refused if the payment has changed since. */
  readonly version?: number
}

/** What a statement would do to the payment at this version. Nothing is written. */
export interface ReviewConsequences {
  readonly version: number
  readonly consequences: Consequences
}

export interface ResolvedPayment {
  readonly payment: PaymentJson
  readonly version: number
}

/** `null`: it does not have exactly one of `review` and `operation`. */
export const statementOf = ({ operation, review, ...statement }: ReviewStatement): Statement | null => {
  const subject = subjectOf({ operation, review })
  return subject === null ? null : { ...statement, subject }
}

/** As `statementOf`, before it is stated. */
export const intendedOf = ({ operation, review, ...intended }: IntendedReviewStatement): IntendedStatement | null => {
  const subject = subjectOf({ operation, review })
  return subject === null ? null : { ...intended, subject }
}

const subjectOf = ({
  operation,
  review
}: {
  readonly operation: string | undefined
  readonly review: string | undefined
}): Statement["subject"] | null => {
  if (operation === undefined) return review === undefined ? null : { review }
  // Boundary: a text that is the id of no operation is refused by its payment.
  return review === undefined ? { operation: operation as OperationId } : null
}

export const resolvedPayment = (record: PaymentRecord, hostedUrl: HostedUrl): ResolvedPayment => ({
  payment: paymentJson(record, hostedUrl),
  version: record.payment.version
})
