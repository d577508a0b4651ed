/** The events for the merchant. An event row is written in the same transaction as the change that it announces. */
import type { EventId, PaymentId } from "./Ids.ts"
import type { Tenant } from "./Payment.ts"

export const eventTypes = [
  "payment.pending",
  "payment.authorized",
  "payment.succeeded",
  "payment.failed",
  "payment.canceled",
  "payment.disputed",
  "payment.dispute_closed",
  "payment.capture_failed",
  "payment.late_reversed",
  "payment.review_opened",
  "payment.review_resolved",
  "refund.pending",
  "refund.succeeded",
  "refund.failed"
] as const
export type EventType = (typeof eventTypes)[number]

export interface PaymentEvent extends Tenant {
  readonly id: EventId
  readonly paymentId: PaymentId
  /** The sequence number of the event: 1, 2, 3 … within the payment, without a gap. */
  readonly sequence: number
  readonly type: EventType
  /**
   * The public JSON of the payment after the change, as it will be sent. Only an erasure of the customer changes it
   * later.
   */
  readonly payment: string
  /** The public JSON of the refund that the event is about. */
  readonly refund: string | null
  /** The public JSON of the review that the event is about. */
  readonly review: string | null
  /** The public JSON of the dispute that the event is about. */
  readonly dispute: string | null
  /** The creation time of the event, ms UTC. */
  readonly createdAt: number
}
