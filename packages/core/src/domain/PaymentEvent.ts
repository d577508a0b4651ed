/** The events for the merchant. An event row is written in the transaction of its change. */
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
  /** 1, 2, 3 … per payment, without a gap. */
  readonly sequence: number
  readonly type: EventType
  /** The public JSON of the payment after the change, as it will be sent. Only the erasure of its customer changes it later. */
  readonly payment: string
  /** The public JSON of the refund of the event. */
  readonly refund: string | null
  /** The public JSON of the review of the event. */
  readonly review: string | null
  /** The public JSON of the dispute of the event. */
  readonly dispute: string | null
  /** ms UTC */
  readonly createdAt: number
}
