/** Balance transactions as Stripe would show what the ledger has booked. */
import type { Ledger, LedgerBooking, LedgerBookingType } from "@paymux/testkit/fake"
import { bookOf, chargeId, intentId, refundOf } from "./objects.ts"

export const transactionOf = (
  ledger: Ledger,
  booking: LedgerBooking,
  { isExpanded }: { readonly isExpanded: boolean }
) => {
  const { amount, bookedAt, fee, id, net, type } = booking
  const currency = amount.currency.toLowerCase()
  const source = sourceOf(ledger, booking)
  const created = Math.floor(bookedAt / 1000)
  const gross = net + fee
  return {
    id: `txn_${id}`,
    object: "balance_transaction",
    amount: gross,
    available_on: created + 2 * 86_400,
    balance_type: "payments",
    created,
    currency,
    description: null,
    exchange_rate: null,
    fee,
    fee_details:
      fee === 0 ? [] : [{ amount: fee, application: null, currency, description: "Stripe fees", type: "stripe_fee" }],
    net,
    reporting_category: categories[type],
    source: isExpanded ? source : (source?.id ?? null),
    status: "pending",
    type: names[type]
  }
}

const names = {
  charge: "charge",
  refund: "refund",
  refund_failed: "refund_failure",
  dispute: "adjustment",
  dispute_reversed: "adjustment",
  fee: "stripe_fee",
  payout: "payout"
} as const satisfies { readonly [type in LedgerBookingType]: string }

const categories = {
  charge: "charge",
  refund: "refund",
  refund_failed: "refund_failure",
  dispute: "dispute",
  dispute_reversed: "dispute_reversal",
  fee: "fee",
  payout: "payout"
} as const satisfies { readonly [type in LedgerBookingType]: string }

const sourceOf = (ledger: Ledger, booking: LedgerBooking) => {
  switch (booking.type) {
    case "charge":
      return chargeOf(ledger, booking)
    case "refund":
    case "refund_failed":
      return booking.payment !== null && booking.refund !== null
        ? refundOf(ledger, booking.refund, booking.payment)
        : {
            ...otherOf(booking, "re_"),
            object: "refund",
            status: "succeeded",
            payment_intent: `pi_${booking.id}`,
            metadata: {}
          }
    case "dispute":
    case "dispute_reversed":
      return {
        ...otherOf(booking, "du_"),
        object: "dispute",
        charge: booking.payment === null ? `ch_${booking.id}` : chargeId(booking.payment),
        payment_intent: booking.payment === null ? null : intentId(booking.payment),
        metadata: {}
      }
    case "fee":
      return null
    case "payout":
      return { ...otherOf(booking, "po_"), object: "payout", metadata: {} }
  }
}

const otherOf = ({ amount, bookedAt, id }: LedgerBooking, prefix: string) => ({
  id: `${prefix}${id}`,
  amount: amount.minorUnits,
  created: Math.floor(bookedAt / 1000),
  currency: amount.currency.toLowerCase()
})

/** Made when the payer paid, and captured then or later. */
const chargeOf = (ledger: Ledger, booking: LedgerBooking) => {
  const { payment } = booking
  if (payment === null) {
    return {
      ...otherOf(booking, "ch_"),
      object: "charge",
      amount_captured: booking.amount.minorUnits,
      payment_intent: `pi_${booking.id}`,
      metadata: { order: "of another system" }
    }
  }
  const { created, metadata } = bookOf(ledger, payment)
  return {
    id: chargeId(payment),
    object: "charge",
    amount: payment.amount.minorUnits,
    amount_captured: payment.captured,
    created,
    currency: payment.amount.currency.toLowerCase(),
    payment_intent: intentId(payment),
    metadata
  }
}
