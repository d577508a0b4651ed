/**
 * The provider's own statement: its bookings on our account, page by page. The books are compared with it.
 *
 * Only a statement contains movements that the provider reports in no other form: a charge whose response and webhook
 * were lost, a refund from the provider's dashboard, a fee, a payout. An adapter translates each booking and decides
 * nothing.
 */
import type { Currency, Money } from "../domain/Money.ts"

/**
 * The type of a booking.
 *
 * - `payment`: money was charged. `capture`: held funds were captured, if the provider books captures separately.
 * - `refund`: money was refunded. `refund_failed`: a refund was returned.
 * - `dispute`: a disputed amount was taken back. `dispute_reversed`: it was returned to us.
 * - `fee`, `payout`: a fee that belongs to no payment, and a transfer to the bank.
 * - `adjustment`: any other booking.
 */
export type MovementType =
  | "payment"
  | "capture"
  | "refund"
  | "refund_failed"
  | "dispute"
  | "dispute_reversed"
  | "fee"
  | "payout"
  | "adjustment"

/** The direction of a movement, from the account's point of view. */
export type MovementDirection = "in" | "out"

/** An amount that may be negative. */
export interface SignedMoney {
  /** The signed amount: a safe integer in the smallest unit (paise, cents, fils). */
  readonly minorUnits: number
  /** The currency of the movement. */
  readonly currency: Currency
}

/**
 * One booking (movement) in a provider's statement. `fee`, `net` and `payout` may be `null` at first, and known in a
 * later statement.
 */
export interface StatementMovement {
  /**
   * The provider's id of the booking: unique in the instance, and the same in every statement. At most 200 characters.
   */
  readonly id: string
  /** The type of the booking. */
  readonly type: MovementType
  /** Our operation id `op_…`, if the provider returns it with the booking. */
  readonly operation: string | null
  /** The provider's reference of the moved payment, capture or refund, as in `checkpoint` or a response. */
  readonly reference: string | null
  /** The provider's reference of the payment that a capture, refund or dispute belongs to. */
  readonly original: string | null
  /** The amount as charged to the payer, positive, before fees. */
  readonly amount: Money
  /** The direction of the movement: `in` for money that the account gained. */
  readonly direction: MovementDirection
  /**
   * The amount that the provider kept of this movement; negative if it was returned. If the provider reports more
   * decimals than the currency has, it is rounded to the nearest minor unit, or to the adjacent minor unit if only with
   * that unit the amount equals fee plus net amount.
   */
  readonly fee: SignedMoney | null
  /** The amount by which the movement changed the balance of the account, after the fee. */
  readonly net: Money | null
  /** The provider's id of the payout that contains the movement. */
  readonly payout: string | null
  /** The time at which the provider booked the movement, ms UTC. */
  readonly bookedAt: number
}

/** The part of the statement to read. */
export interface StatementQuery {
  /** The start of the period, ms UTC, inclusive: by `bookedAt`. */
  readonly since: number
  /** The end of the period, ms UTC, exclusive. */
  readonly until: number
  /** The cursor: `next` of the previous page; `null`: the first page. A cursor may be used again after a restart. */
  readonly cursor: string | null
}

/** A part of a statement, in any order. At most 1000 movements. */
export interface StatementPage {
  /** The bookings of this part. */
  readonly movements: ReadonlyArray<StatementMovement>
  /** The cursor of the next page, which no page of the statement has returned before; `null`: this page is the last. */
  readonly next: string | null
}
