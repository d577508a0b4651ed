/** A dispute: the payer's bank takes money back, or requests it. A retrieval request is not a dispute. Plain data. */

/**
 * The status of a dispute.
 *
 * - `open`: the bank has not decided. The amount may already be withdrawn from the merchant.
 * - `lost`: the payer keeps the money.
 * - `won`: the merchant keeps the money.
 */
export const disputeStatuses = ["open", "lost", "won"] as const
export type DisputeStatus = (typeof disputeStatuses)[number]

export interface Dispute {
  /** The attempt whose charge is disputed. */
  readonly attemptSeq: number
  readonly provider: string
  /** The provider's reference for the dispute; `null` if the provider reported none. */
  readonly reference: string | null
  /**
   * The disputed amount: above zero, in the smallest unit of `currency`. If no amount was reported, the captured amount
   * of the charge.
   */
  readonly minorUnits: number
  /** The ISO 4217 currency as the provider reported it. It may differ from the payment's currency. */
  readonly currency: string
  readonly status: DisputeStatus
  /** The source of the dispute: a report of the provider, or an operator. */
  readonly source: "provider" | "operator"
  /** The time at which the dispute was first recorded, ms UTC. */
  readonly openedAt: number
  /** The time at which the dispute was recorded as lost or won, ms UTC; `null` if the dispute is open. */
  readonly closedAt: number | null
}
