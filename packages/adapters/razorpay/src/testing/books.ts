/**
 * Razorpay's objects over the suite's ledger, in Razorpay's words. The ledger has the money; what is Razorpay's alone (the
 * payments tried on an order, the close time of a QR code) is kept beside it.
 */
import type { Ledger, LedgerPayment, LedgerRefund } from "@paymux/testkit/fake"

/**
 * A payment tried on an order, or scanned from a QR code. The last one that is no `lateTry` is the one that the ledger's
 * payer pays; any other has a payer of its own, which did what `reported` says.
 */
export interface Try {
  readonly id: string
  readonly flow: string
  readonly lateTry: boolean
  readonly notes: { readonly [name: string]: string }
  reported?: Reported
}

/** Fields of the payment, whatever the ledger says. */
export interface Reported {
  readonly status: string
  readonly captured?: boolean
  readonly amount_refunded?: number
  readonly error_reason?: string | null
  readonly error_code?: string | null
}

export interface Book {
  readonly kind: "order" | "qr_code" | "link"
  readonly notes: { readonly [name: string]: string }
  readonly tries: Array<Try>
  /** s UTC; of a QR code. */
  readonly closeBy: number | null
  /** s UTC */
  readonly createdAt: number
}

/** Before the operation's id, in the ledger's name of a QR code: it distinguishes QR codes from orders. */
export const qrReference = "qr_code:"

/** Before the operation's id, in the ledger's name of a Payment Link. */
export const linkReference = "link:"

const booksOf = new WeakMap<Ledger, Map<string, Book>>()
const named = new Map<string, Book>()

/** What is kept beside each payment of the ledger, by its id there. */
const books = (ledger: Ledger): Map<string, Book> => {
  const found = booksOf.get(ledger) ?? new Map<string, Book>()
  booksOf.set(ledger, found)
  return found
}

export const bookOf = (ledger: Ledger, { id }: LedgerPayment): Book => {
  const found = books(ledger).get(id)
  if (found === undefined) throw new Error(`nothing is kept of ${id}`)
  return found
}

/** A new one, which is also found by what is posted of it. */
export const keep = (ledger: Ledger, { id, reference }: LedgerPayment, book: Omit<Book, "createdAt">): Book => {
  const kept = { ...book, createdAt: Math.floor(ledger.now() / 1000) }
  books(ledger).set(id, kept)
  if (reference !== null) named.set(reference, kept)
  return kept
}

/**
 * What happens to an order whose receipt was used before. Razorpay's documentation says both: "a retried create returns the same order"
 * (Test S2S, Retries and Idempotency), and "Order receipt should be unique" (Error Index). A recorded error has the order's id.
 */
export type ReceiptReuse = "same_order" | "refused" | "refused_with_order_id"

const receiptReuses = new WeakMap<Ledger, ReceiptReuse>()

export const reuseReceipts = (ledger: Ledger, reuse: ReceiptReuse) => receiptReuses.set(ledger, reuse)

export const receiptReuseOf = (ledger: Ledger): ReceiptReuse => receiptReuses.get(ledger) ?? "same_order"

/** The book of a payment of whichever ledger: the names of operations are unique. */
export const bookNamed = (reference: string | null): Book => {
  const found = named.get(reference ?? "")
  if (found === undefined) throw new Error(`nothing is kept of ${reference}`)
  return found
}

/** Another payer tries to pay the order, or by the code, with this result. */
export const otherTry = (ledger: Ledger, payment: LedgerPayment, reported: Reported): string => {
  const { tries } = bookOf(ledger, payment)
  const id = `pay_${payment.id}_other_${tries.length}`
  tries.push({ id, flow: "intent", lateTry: true, notes: {}, reported })
  return id
}

/** The objects' ids are the ledger's, each under its prefix. */
export const idOf = (prefix: "order" | "qr" | "plink", { id }: LedgerPayment): string => `${prefix}_${id}`

export const behind = (ledger: Ledger, prefix: "order" | "qr" | "plink", id: string): LedgerPayment | undefined =>
  id.startsWith(`${prefix}_`) ? ledger.find(id.slice(prefix.length + 1)) : undefined

/** The order or QR code that a payment was made by. */
export const paidBy = (ledger: Ledger, payment: string): LedgerPayment | undefined =>
  ledger.payments().find((each) => bookOf(ledger, each).tries.some(({ id }) => id === payment))

export const orderOf = (payment: LedgerPayment, { notes, tries }: Book) => ({
  id: idOf("order", payment),
  entity: "order",
  amount: payment.amount.minorUnits,
  amount_paid: payment.captured,
  amount_due: payment.amount.minorUnits - payment.captured,
  currency: payment.amount.currency,
  receipt: payment.reference,
  offer_id: null,
  status: payment.status === "captured" ? "paid" : tries.length === 0 ? "created" : "attempted",
  attempts: tries.length,
  notes,
  created_at: made
})

/** Newest first. */
export const paymentsOf = (payment: LedgerPayment, book: Book) => {
  const paying = payingOf(book)
  return book.tries.toReversed().map((each) => paymentOf(payment, book, each, each === paying))
}

/** The payment by which the ledger's payer pays. */
export const paidOf = (payment: LedgerPayment, book: Book) =>
  paymentsOf(payment, book).find(({ id }) => id === payingOf(book)?.id)

const payingOf = ({ tries }: Book): Try | undefined => tries.findLast(({ lateTry }) => !lateTry)

const paymentOf = (payment: LedgerPayment, { createdAt, kind }: Book, tried: Try, isPaying: boolean) => {
  const { flow, id, notes, reported } = tried
  const given = payment.refunds.filter(({ status }) => status !== "failed")
  // The only order that ends so was held, and never captured.
  const isGivenBack = isPaying && kind === "order" && payment.status === "canceled"
  const returned = given.reduce((sum, { minorUnits }) => sum + minorUnits, 0)
  const refunded = isGivenBack ? payment.amount.minorUnits : isPaying ? returned : 0
  const paid = isGivenBack ? "refunded" : statusOf(payment, refunded)
  const status = isPaying ? paid : isOver(payment) ? "failed" : "created"
  const reason = status === "failed" ? (payment.code ?? "payment_timed_out") : null
  return {
    id,
    entity: "payment",
    amount: payment.amount.minorUnits,
    currency: payment.amount.currency,
    status,
    order_id: kind === "qr_code" ? null : idOf("order", payment),
    description: kind === "link" ? `#${bareLinkId(payment)}` : null,
    international: false,
    method: "upi",
    amount_refunded: refunded,
    refund_status: refunded === 0 ? null : refunded < payment.captured ? "partial" : "full",
    captured: isPaying && payment.captured > 0,
    email: "asha@example.com",
    contact: "+919812345678",
    notes,
    error_code: reason === null ? null : "GATEWAY_ERROR",
    error_description: reason === null ? null : "The payment did not go through.",
    error_source: reason === null ? null : "customer",
    error_step: reason === null ? null : "payment_debit_request",
    error_reason: reason,
    acquirer_data: { rrn: "033814379298" },
    upi: { flow, payer_account_type: "bank_account" },
    created_at: createdAt,
    ...reported
  }
}

const isOver = ({ status }: LedgerPayment) => status === "declined" || status === "expired" || status === "canceled"

const statusOf = ({ captured, status }: LedgerPayment, refunded: number): string => {
  switch (status) {
    case "draft":
    case "pending":
      return "created"
    case "authorized":
      return status
    case "captured":
      return refunded === captured ? "refunded" : status
    case "declined":
    case "expired":
    case "canceled":
      return "failed"
  }
}

/** Fourteen letters and digits, as in each id of Razorpay's. */
const bareLinkId = ({ id }: LedgerPayment): string =>
  id
    .replaceAll(/[^A-Za-z0-9]/g, "")
    .padStart(14, "0")
    .slice(-14)

const linkStatus = {
  draft: "created",
  pending: "created",
  authorized: "created",
  captured: "paid",
  canceled: "cancelled",
  // Its payer's bank refused, and it was not paid until it expired.
  declined: "expired",
  expired: "expired"
} as const

/** `order_id` is in the samples of updates and webhooks only: the response to a create lacks it. */
export const linkOf = (payment: LedgerPayment, book: Book) => ({
  id: idOf("plink", payment),
  accept_partial: false,
  amount: payment.amount.minorUnits,
  amount_paid: payment.captured,
  cancelled_at: payment.status === "canceled" ? made : 0,
  created_at: book.createdAt,
  currency: payment.amount.currency,
  customer: { contact: "+919812345678", email: "asha@example.com" },
  description: "",
  expire_by: book.closeBy,
  expired_at: linkStatus[payment.status] === "expired" ? made : 0,
  first_min_partial_amount: 0,
  notes: book.notes,
  notify: { email: false, sms: false },
  ...(payment.status !== "pending" && { order_id: idOf("order", payment) }),
  payments:
    payment.captured === 0
      ? null
      : [{ amount: payment.captured, payment_id: payingOf(book)?.id, plink_id: idOf("plink", payment), method: "upi" }],
  reference_id: payment.reference?.slice(linkReference.length) ?? "",
  reminder_enable: false,
  reminders: [],
  short_url: `https://rzp.io/i/${payment.id}`,
  status: linkStatus[payment.status],
  updated_at: made,
  upi_link: false,
  user_id: ""
})

export const qrCodeOf = (payment: LedgerPayment, { closeBy, createdAt, notes }: Book) => ({
  id: idOf("qr", payment),
  entity: "qr_code",
  created_at: createdAt,
  name: null,
  usage: "single_use",
  type: "upi_qr",
  image_url: `https://rzp.io/i/${payment.id}`,
  payment_amount: payment.amount.minorUnits,
  status: payment.status === "pending" ? "active" : "closed",
  description: null,
  fixed_amount: true,
  payments_amount_received: payment.captured,
  payments_count_received: payment.captured === 0 ? 0 : 1,
  notes,
  customer_id: null,
  close_by: closeBy,
  closed_at: payment.status === "pending" ? null : made,
  close_reason: payment.status === "captured" ? "paid" : payment.status === "canceled" ? "on_demand" : null
})

/** A payer whose bank refuses pays nothing by a QR code: it runs out, and its list shows the failure. */
export const scansOf = (payment: LedgerPayment, book: Book) =>
  paymentsOf(payment, book).filter(
    ({ id }) =>
      payment.status === "captured" ||
      payment.status === "declined" ||
      book.tries.some((each) => each.id === id && each.reported !== undefined)
  )

export const refundOf = ({ id, minorUnits, reference, status }: LedgerRefund, payment: LedgerPayment, book: Book) => ({
  id: `rfnd_${id}`,
  entity: "refund",
  amount: minorUnits,
  currency: payment.amount.currency,
  payment_id: payingOf(book)?.id ?? null,
  notes: [],
  receipt: reference,
  acquirer_data: { rrn: null },
  created_at: made,
  batch_id: null,
  status: status === "succeeded" ? "processed" : status,
  speed_processed: "normal",
  speed_requested: "normal"
})

/** s UTC; nothing depends on it. */
const made = 1_795_000_000
