/** What an operator states about a dispute, as the library and the control API take it. */
import type { DisputeStatement, DisputeStatus } from "@paymux/core/store"

export interface NewDisputeStatement {
  /** `open` and `lost` reduce what can be refunded; `won` gives it back. Only a dispute that was opened is won. */
  readonly status: DisputeStatus
  /** The provider's reference of the dispute. Absent: it is not known. */
  readonly reference?: string
  /** Minor units of the payment's currency. Absent: what is known of the dispute, or the whole charge. */
  readonly amount?: number
  /** Must be the payment's. */
  readonly currency?: string
  /** The instance whose charge is disputed. Absent: the one that has the dispute, or the payment's own. */
  readonly provider?: string
  /** What shows it, such as the letter of the bank and who read it. It is stored with the payment. */
  readonly evidence: string
  /** The payment's version that was read: refused if it has changed since. */
  readonly version?: number
}

export const disputeStatementOf = (statement: NewDisputeStatement): DisputeStatement => {
  const { amount, currency, evidence, provider, reference, status, version } = statement
  return {
    status,
    reference: reference ?? null,
    amount: amount ?? null,
    currency: currency ?? null,
    provider: provider ?? null,
    evidence,
    ...(version !== undefined && { version })
  }
}
