/** What a vendor has booked on the merchant's account: the oracle of statements. Pure. */
import type { LedgerCapture, LedgerMoney, LedgerPayment, LedgerRefund } from "./LedgerPayment.ts"

/**
 * - `charge`: money was taken, of a payment that is captured automatically or by a capture
 * - `refund`, `refund_failed`: a refund, and one that came back
 * - `dispute`, `dispute_reversed`: a disputed amount was taken back, and was returned to the merchant
 * - `fee`, `payout`: of no payment
 */
export type LedgerBookingType =
  | "charge"
  | "refund"
  | "refund_failed"
  | "dispute"
  | "dispute_reversed"
  | "fee"
  | "payout"

export interface LedgerBooking {
  readonly id: string
  readonly type: LedgerBookingType
  /** As it was then; `null`: it belongs to no payment of this system. */
  readonly payment: LedgerPayment | null
  /** Of a `refund` or `refund_failed` of a payment. */
  readonly refund: LedgerRefund | null
  /** Of a `charge` by a capture. */
  readonly capture: LedgerCapture | null
  /** Before the fee, above zero. */
  readonly amount: LedgerMoney
  /** Minor units that the vendor kept. */
  readonly fee: number
  /** Minor units that it added to the balance, below zero where it took them from it. */
  readonly net: number
  /** ms UTC */
  readonly bookedAt: number
}

/** Something that was not requested through the API: by another system at the same account, or by the vendor. */
export interface NewLedgerBooking {
  readonly type: LedgerBookingType
  readonly amount: LedgerMoney
  /** The id of the payment that it is about. Absent: of another system, or of no payment. */
  readonly payment?: string
  /** ms UTC; now by default. */
  readonly bookedAt?: number
}

/** The booking with its fee and its net amount. */
export const booked = (booking: Omit<LedgerBooking, "fee" | "net">): LedgerBooking => {
  const { minorUnits } = booking.amount
  const fee = feeOf(booking.type, minorUnits)
  return { ...booking, fee, net: (isGain(booking.type) ? minorUnits : -minorUnits) - fee }
}

const feeOf = (type: LedgerBookingType, minorUnits: number): number => {
  if (type === "charge") return Math.floor((minorUnits * 3) / 100)
  return type === "dispute" ? 1_500 : 0
}

/** Whether the account gains by it. */
export const isGain = (type: LedgerBookingType): boolean =>
  type === "charge" || type === "refund_failed" || type === "dispute_reversed"
