/** The settlement reconciliation: what the ledger has booked, settled at once. Tests add what only Razorpay books. */
import type { Ledger, LedgerBooking, LedgerRefund } from "@paymux/testkit/fake"
import { bookOf, idOf, linkReference, paidOf, qrReference } from "./books.ts"

interface Settlements {
  readonly refundNotes: Map<string, object>
  readonly added: Array<SettledItem>
}

/** An item as Razorpay lists it: `settled_at` in s UTC. */
export interface SettledItem {
  readonly entity_id: string
  readonly settled_at: number
  readonly [field: string]: unknown
}

const all = new WeakMap<Ledger, Settlements>()

export const settlements = (ledger: Ledger): Settlements => {
  const found: Settlements = all.get(ledger) ?? { refundNotes: new Map(), added: [] }
  all.set(ledger, found)
  return found
}

export const keepNotes = (ledger: Ledger, { id }: LedgerRefund, notes: object) =>
  settlements(ledger).refundNotes.set(id, notes)

/** What was settled on a day of Indian time, in the order in which it was booked. */
export const settledOn = (
  ledger: Ledger,
  { day, month, year }: { readonly year: string; readonly month: string; readonly day: string }
): ReadonlyArray<SettledItem> => {
  const { added } = settlements(ledger)
  const begin = Date.parse(`${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}T00:00:00+05:30`) / 1000
  return [...ledger.bookings().flatMap((booking) => itemsOf(ledger, booking)), ...added].filter(
    ({ settled_at }) => settled_at >= begin && settled_at < begin + 86_400
  )
}

/** Fees of the account, transfers to the bank and refunds that came back are not listed. */
const itemsOf = (ledger: Ledger, booking: LedgerBooking): ReadonlyArray<SettledItem> => {
  const { id, payment, refund, type } = booking
  const paid = payment === null ? undefined : paidOf(payment, bookOf(ledger, payment))
  const common = commonOf(booking)
  switch (type) {
    case "charge":
      return [
        {
          ...common,
          entity_id: paid?.id ?? `pay_${id}`,
          type: "payment",
          description: paid?.description ?? null,
          // Those of another system are text.
          notes: paid?.notes ?? "notes of another system",
          payment_id: null
        }
      ]
    case "refund": {
      const notes = refund === null ? undefined : settlements(ledger).refundNotes.get(refund.id)
      const payment_id = paid?.id ?? `pay_other_${id}`
      return [{ ...common, entity_id: `rfnd_${refund?.id ?? id}`, type: "refund", notes: notes ?? "", payment_id }]
    }
    case "dispute":
    case "dispute_reversed":
      return [
        { ...common, entity_id: `adj_${id}`, type: "adjustment", notes: paid?.notes ?? null, dispute_id: `disp_${id}` }
      ]
    default:
      return []
  }
}

const commonOf = ({ amount, bookedAt, fee, id, net, payment }: LedgerBooking) => {
  const name = payment?.reference ?? `receipt-${id}`
  const isQr = name.startsWith(qrReference)
  return {
    debit: Math.max(0, -net),
    credit: Math.max(0, net),
    amount: amount.minorUnits,
    currency: amount.currency,
    fee,
    // The tax of 18 percent on the charge, which is a part of the fee.
    tax: fee - Math.round(fee / 1.18),
    on_hold: false,
    settled: true,
    created_at: Math.floor(bookedAt / 1000),
    settled_at: Math.floor(bookedAt / 1000),
    settlement_id: "setl_DGlQ1Rj8os78Ec",
    settlement_utr: "1568176960vxp0rj",
    posted_at: null,
    credit_type: "default",
    description: null,
    order_id: payment === null ? `order_${id}` : isQr ? null : idOf("order", payment),
    order_receipt: isQr ? null : name.replace(linkReference, ""),
    method: "upi",
    card_network: null,
    card_issuer: null,
    card_type: null,
    dispute_id: null
  }
}
