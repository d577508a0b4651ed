/** A dispute: the payer's bank takes money back, or requests it. A retrieval request is not a dispute. Plain data. */

/**
 * - `open`: the bank has not decided. The amount may already be withdrawn.
 * - `lost`: the payer keeps the money.
 * - `won`: the merchant keeps the money.
 */
export const disputeStatuses = ["open", "lost", "won"] as const
export type DisputeStatus = (typeof disputeStatuses)[number]

export interface Dispute {
  /** The attempt whose charge is disputed. */
  readonly attemptSeq: number
  readonly provider: string
  /** The provider's reference of the dispute; `null`: not reported. */
  readonly reference: string | null
  /** Above zero, in the smallest unit of `currency`. Without a reported amount, the captured amount of the charge. */
  readonly minorUnits: number
  /** ISO 4217, as the provider reported it: it may differ from the payment's. */
  readonly currency: string
  readonly status: DisputeStatus
  /** The source of the dispute: a report of the provider, or an operator. */
  readonly source: "provider" | "operator"
  /** ms UTC; when it was first recorded. */
  readonly openedAt: number
  /** ms UTC; when it was recorded as lost or won. `null`: it is open. */
  readonly closedAt: number | null
}
