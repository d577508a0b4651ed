/**
 * The reconciliation of the account, made of what the ledger has booked, in the form of API version 2025-01-01. Tests add what
 * only Cashfree books.
 */
import type { Ledger, LedgerBooking, LedgerBookingType, LedgerEvent, LedgerPayment } from "@paymux/testkit/fake"
import { booksOf } from "./books.ts"
import { Rupees } from "./literals.ts"

export interface ReconRow {
  /** ms UTC */
  readonly at: number
  /** Unique in the list. */
  readonly id: string
  readonly row: object
}

const added = new WeakMap<Ledger, Array<ReconRow>>()

export const addRows = (ledger: Ledger, ...rows: ReadonlyArray<ReconRow>) =>
  added.set(ledger, [...(added.get(ledger) ?? []), ...rows])

/** ms UTC; of the page after `cursor`, oldest first. */
export const reconOf = (
  ledger: Ledger,
  range: { readonly from: number; readonly to: number; readonly limit: number; readonly cursor: string | null }
) => {
  const booked = ledger.bookings().flatMap((booking) => bookedOf(booking, ledger))
  const rows = [...booked, ...ledger.events().flatMap(failedOf), ...(added.get(ledger) ?? [])]
    .filter(({ at }) => at >= range.from && at <= range.to)
    .toSorted((one, other) => one.at - other.at)
  // The last row of the page before: rows that are added before it move nothing.
  const last = range.cursor === null ? null : Buffer.from(range.cursor, "base64").toString()
  const begin = rows.findIndex(({ id }) => id === last) + 1
  if (last !== null && begin === 0) throw new Error("the cursor is of another list")
  const page = rows.slice(begin, begin + range.limit)
  const isLast = begin + page.length === rows.length
  return {
    cursor: isLast ? null : Buffer.from(page.at(-1)?.id ?? "").toString("base64"),
    limit: range.limit,
    data: page.map(({ row }) => row)
  }
}

/** A payment that failed is listed, too. */
const failedOf = ({ occurredAt: at, payment, type }: LedgerEvent): ReadonlyArray<ReconRow> => {
  if (type !== "declined") return []
  const { amount, reference } = payment
  const failed = { id: paymentId(payment), at, minorUnits: amount.minorUnits, order: reference ?? "" }
  return [reconRow({ ...shapes.charge, ...failed, status: "FAILED" })]
}

/** Fees of the account are not listed. */
const bookedOf = (
  { amount, bookedAt: at, id, net, payment, refund, type }: LedgerBooking,
  ledger: Ledger
): ReadonlyArray<ReconRow> => {
  const shape = shapes[type]
  if (shape === null) return []
  const { currency, minorUnits } = amount
  return [
    reconRow({
      ...shape,
      id: type === "charge" && payment !== null ? paymentId(payment) : id.replace("vb_", "900"),
      at,
      minorUnits,
      net: Math.abs(net),
      currency,
      ...(type === "payout"
        ? { paidOut: minorUnits }
        : {
            order: payment?.reference ?? `shop-${id}`,
            tags: booksOf(ledger).orders.get(payment?.reference ?? "")?.tags ?? null
          }),
      ...((type === "refund" || type === "refund_failed") && {
        refund: refund?.reference ?? `cf_${refund?.id ?? id}`
      })
    })
  ]
}

const paymentId = ({ id }: LedgerPayment): string => String(5_114_900_000 + Number(id.slice(3)) * 10)

const shapes = {
  charge: { kind: "PAYMENT", saleType: "CREDIT", status: "SUCCESS" },
  refund: { kind: "REFUND", saleType: "DEBIT", status: "SUCCESS" },
  refund_failed: { kind: "REFUND_REVERSAL", saleType: "CREDIT", status: "SUCCESS" },
  dispute: { kind: "DISPUTE", saleType: "DEBIT", status: "CREATED" },
  dispute_reversed: { kind: "DISPUTE_REVERSAL", saleType: "CREDIT", status: "CLOSED" },
  fee: null,
  // Of the bank account.
  payout: { kind: "SETTLEMENT", saleType: "CREDIT", status: "PAID" }
} as const satisfies { readonly [type in LedgerBookingType]: object | null }

/** `net`: what is settled of it; all by default. */
export const reconRow = (event: {
  readonly id: string
  readonly at: number
  readonly kind: string
  readonly saleType: "CREDIT" | "DEBIT"
  readonly status: string | null
  readonly minorUnits: number
  readonly net?: number
  readonly currency?: string
  readonly order?: string
  readonly tags?: object | null
  readonly refund?: string
  readonly remarks?: string
  readonly paidOut?: number
}): ReconRow => ({
  at: event.at,
  id: [event.kind, event.id, event.remarks ?? ""].join(" "),
  row: {
    customer_details: { customer_email: "asha@example.com", customer_name: "Asha Rao", customer_phone: "9812345678" },
    dispute_details: { closed_in_favor_of: null, dispute_category: null, dispute_note: null },
    event_details: {
      entity: "recon",
      event_id: event.id,
      event_type: event.kind,
      event_status: event.status,
      event_amount: new Rupees(event.minorUnits),
      event_currency: event.currency ?? "INR",
      event_settlement_amount: event.status === "FAILED" ? null : new Rupees(event.net ?? event.minorUnits),
      event_service_charge: null,
      event_service_tax: null,
      event_time: new Date(event.at + 5.5 * 3_600_000).toISOString().replace("Z", "+05:30"),
      sale_type: event.saleType,
      event_remarks: event.remarks ?? null
    },
    order_details: { order_id: event.order ?? null, order_tags: event.tags ?? null },
    payment_details: { cf_payment_id: event.kind === "PAYMENT" ? event.id : null, payment_group: "upi" },
    refund_details: { refund_id: event.refund ?? null, refund_arn: null },
    settlement_details: {
      cf_settlement_id: "45345",
      amount_settled: event.paidOut === undefined ? null : new Rupees(event.paidOut)
    }
  }
})
