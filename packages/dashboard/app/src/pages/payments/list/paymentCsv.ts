/** Payments as lines of a CSV file. */
import { csvLine } from "../../../lists/csv.ts"
import { plainAmount } from "../../../ui/amounts.ts"
import { addressText, referenceOf } from "../paymentText.ts"
import type { Payment } from "../paymentText.ts"

type Cell = readonly [title: string, text: (payment: Payment) => string | null]

const cells: ReadonlyArray<Cell> = [
  ["id", ({ id }) => id],
  ["created_at", ({ created_at: at }) => at],
  ["status", ({ status }) => status],
  ["amount", ({ amount, currency }) => plainAmount(amount, currency)],
  ["currency", ({ currency }) => currency],
  ["amount_captured", ({ amount_captured: captured, currency }) => plainAmount(captured, currency)],
  ["amount_refunded", ({ amount_refunded: refunded, currency }) => plainAmount(refunded, currency)],
  ["payment_method", ({ payment_method: method }) => method],
  ["customer_name", ({ customer }) => customer.name],
  ["customer_email", ({ customer }) => customer.email],
  ["customer_phone", ({ customer }) => customer.phone],
  ["customer_address", ({ customer }) => addressText(customer)],
  ["provider", ({ provider }) => provider],
  ["provider_reference", referenceOf],
  ["order", ({ order }) => order ?? null],
  ["description", ({ description }) => description],
  ["failure_code", ({ failure }) => failure?.code ?? null],
  ["open_reviews", ({ reviews }) => String(reviews.length)],
  ["metadata", ({ metadata }) => JSON.stringify(metadata)]
]

/** With the mark of UTF-8, without which spreadsheets take names for another encoding. */
export const csvHead = `\uFEFF${csvLine(cells.map(([title]) => title))}`

export const csvLines = (payments: ReadonlyArray<Payment>): string =>
  payments.map((payment) => csvLine(cells.map(([, text]) => text(payment) ?? ""))).join("")
