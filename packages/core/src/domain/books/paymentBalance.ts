/** A summary of the books of a payment. Pure. */
import { isOpen } from "../Operation.ts"
import type { PaymentRecord } from "../Payment.ts"
import { refundsOf } from "../Refund.ts"
import { sum } from "./amounts.ts"
import { acceptedAttempt, chargesOf, overpayment } from "./balance.ts"
import { refundableOf } from "./refundable.ts"

/** The amounts of the summary, in the smallest unit of the payment's currency. */
export interface PaymentBalance {
  readonly currency: string
  readonly captured: number
  /** The amount refunded at the merchant's request. */
  readonly refunded: number
  /** The amount of requested refunds that are not decided yet. */
  readonly refunding: number
  /**
   * The amount refunded outside of this installation, such as in the provider's dashboard, without refunds of an
   * excess.
   */
  readonly refundedElsewhere: number
  /** The amount authorized at all providers, and not captured. */
  readonly held: number
  /** The amount captured in excess of the payment, and not returned. */
  readonly overpaid: number
  /** The part of the excess that is being refunded automatically. */
  readonly returning: number
  /** The amounts in question, one for each open review, in the smallest unit of its own currency. */
  readonly inQuestion: ReadonlyArray<{ readonly review: string; readonly amount: number; readonly currency: string }>
}

export const paymentBalance = (record: PaymentRecord): PaymentBalance => {
  const { amount, amountCaptured, amountRefunded, reviews } = record.payment
  const charges = record.attempts.flatMap((attempt) =>
    // After a capture, the provider releases the rest of the authorization, but not a second authorization of the same
    // attempt.
    chargesOf(record, attempt).map((charge, place) =>
      attempt.status === "succeeded" && place === 0 ? { ...charge, held: 0 } : charge
    )
  )
  return {
    currency: amount.currency,
    captured: amountCaptured,
    refunded: amountRefunded,
    refunding: sum(refundsOf(record).filter(isOpen), ({ minorUnits }) => minorUnits),
    refundedElsewhere: refundedElsewhere(record),
    held: sum(charges, ({ held }) => held),
    overpaid: overpayment(record),
    returning: sum(charges, ({ returning }) => returning),
    inQuestion: reviews.map(({ currency, id, minorUnits }) => ({ review: id, amount: minorUnits, currency }))
  }
}

const refundedElsewhere = (record: PaymentRecord): number => {
  const paid = acceptedAttempt(record)
  const [own] = paid === undefined ? [] : chargesOf(record, paid)
  return paid === undefined || own === undefined
    ? 0
    : Math.max(0, refundableOf(record, paid).refundedElsewhere - Math.max(own.byHand, own.stray))
}
