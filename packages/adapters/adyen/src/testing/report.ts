/**
 * Settlement detail reports: batches of what was booked since the ones before, in CSV, one for each second, because a batch is
 * booked as a whole. A batch that was made once stays as it is. Tests add batches of their own.
 */
import type { Ledger, LedgerBooking, LedgerBookingType } from "@paymux/testkit/fake"
import { pspOf } from "./pspOf.ts"

/** Lines of a batch at most. */
export const batchSize = 100

interface Batches {
  /** By number; a text is a file as it is. */
  readonly files: Map<number, ReadonlyArray<LedgerBooking> | string>
  readonly booked: Set<string>
}

const all = new WeakMap<Ledger, Batches>()

const batchesOf = (ledger: Ledger): Batches => {
  const found: Batches = all.get(ledger) ?? { files: new Map(), booked: new Set() }
  all.set(ledger, found)
  return found
}

/** As a file of Adyen's would be. `null`: there is no such batch. */
export const reportOf = (ledger: Ledger, account: string, batch: number): string | null => {
  const { booked, files } = batchesOf(ledger)
  const open = ledger.bookings().filter(({ id }) => !booked.has(id))
  for (const closing of Map.groupBy(open, ({ bookedAt }) => Math.floor(bookedAt / 1_000)).values()) {
    for (let at = 0; at < closing.length; at += batchSize) {
      const closed = closing.slice(at, at + batchSize)
      files.set(Math.max(0, ...files.keys()) + 1, closed)
      for (const { id } of closed) booked.add(id)
    }
  }
  const file = files.get(batch)
  if (file === undefined || typeof file === "string") return file ?? null
  const lines = file.map((booking) => lineOf(booking, account, batch))
  return csv([...lines, ...file.slice(-1).map((booking) => closingOf(booking, account, batch))])
}

/** All batches are closed by a payout. This one has no amount, because it is no booking of the ledger. */
const closingOf = ({ amount, bookedAt }: LedgerBooking, account: string, batch: number): ReportLine => ({
  "Merchant Account": account,
  "Creation Date": clockOf(bookedAt),
  TimeZone: "CET",
  Type: "MerchantPayout",
  "Net Currency": amount.currency,
  "Net Debit (NC)": major(0, amount.currency),
  "Batch Number": String(batch)
})

/** An hour ahead of UTC, in summer, too. */
const clockOf = (time: number): string => new Date(time + 3_600_000).toISOString().slice(0, 19).replace("T", " ")

/** What the file of a batch is, whatever was booked. */
export const setReport = (ledger: Ledger, batch: number, file: string) => batchesOf(ledger).files.set(batch, file)

export const csv = (lines: ReadonlyArray<ReportLine>): string =>
  [names, ...lines.map((line) => names.map((name) => line[name] ?? ""))]
    .map((cells) => cells.map(quoted).join(",") + "\r\n")
    .join("")

const quoted = (cell: string): string => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

const names = [
  "Company Account",
  "Merchant Account",
  "Psp Reference",
  "Merchant Reference",
  "Payment Method",
  "Creation Date",
  "TimeZone",
  "Type",
  "Modification Reference",
  "Gross Currency",
  "Gross Debit (GC)",
  "Gross Credit (GC)",
  "Exchange Rate",
  "Net Currency",
  "Net Debit (NC)",
  "Net Credit (NC)",
  "Commission (NC)",
  "Markup (NC)",
  "Scheme Fees (NC)",
  "Interchange (NC)",
  "Payment Method Variant",
  "Modification Merchant Reference",
  "Batch Number",
  "Reserved4",
  "DCC Markup (NC)",
  "Advanced (NC)"
] as const

export type ReportLine = { readonly [name in (typeof names)[number]]?: string }

const types = {
  charge: "Settled",
  refund: "Refunded",
  refund_failed: "RefundedReversed",
  dispute: "Chargeback",
  dispute_reversed: "ChargebackReversed",
  fee: "Fee",
  payout: "MerchantPayout"
} as const satisfies { readonly [type in LedgerBookingType]: string }

const lineOf = (booking: LedgerBooking, account: string, batch: number): ReportLine => {
  const { amount, bookedAt, capture, fee, id, net, payment, refund, type } = booking
  const isOfAccount = type === "fee" || type === "payout"
  const written = (minorUnits: number) => major(Math.abs(minorUnits), amount.currency)
  const side = net < 0 ? "Debit" : "Credit"
  const own = capture?.reference ?? refund?.reference ?? ""
  return {
    "Company Account": "Shop, Inc.",
    "Merchant Account": account,
    "Creation Date": clockOf(bookedAt),
    TimeZone: "CET",
    Type: types[type],
    "Net Currency": amount.currency,
    [`Net ${side} (NC)`]: written(net),
    "Batch Number": String(batch),
    ...(isOfAccount
      ? { "Modification Reference": type === "fee" ? "Transaction Fees November, 2026" : "" }
      : {
          "Psp Reference": payment === null ? pspOf(id) : pspOf(payment.id),
          "Merchant Reference": payment?.reference ?? `order ${id}, "other"`,
          "Payment Method": "visa",
          "Modification Reference": payment !== null && own !== "" ? pspOf(payment.id, own) : pspOf(id, "modification"),
          "Gross Currency": amount.currency,
          [`Gross ${side} (GC)`]: written(amount.minorUnits),
          "Exchange Rate": "1",
          "Commission (NC)": fee === 0 ? "" : written(fee),
          "Modification Merchant Reference": own
        })
  }
}

/** With as many decimals as the currency has. */
const major = (minorUnits: number, currency: string): string => {
  const decimals =
    new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2
  const digits = String(minorUnits).padStart(decimals + 1, "0")
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
