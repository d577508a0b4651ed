/** Stripe's objects as it would show what the ledger has. */
import type { Ledger, LedgerPayment, LedgerRefund } from "@paymux/testkit/fake"
import { errorBy } from "./codes.ts"

/** What Stripe keeps of a payment beside the ledger. */
export interface Book {
  readonly flow: "token" | "page"
  readonly metadata: { readonly [key: string]: string }
  readonly returnUrl: string | null
  /** s UTC */
  readonly created: number
  /** s UTC, of a page. */
  readonly expiresAt: number
  /** What the payer is asked for: nothing, a page of the bank, or what only Stripe's script can show. */
  readonly asks: "nothing" | "redirect" | "script"
  /** Declined before anybody was asked. */
  readonly refusedBy: string | null
  readonly livemode: boolean
  /** Declined, and then canceled: no confirmation can follow. */
  readonly isClosed?: boolean
  readonly cancellationReason?: string
}

const books = new WeakMap<Ledger, Map<string, Book>>()
const refundNotes = new WeakMap<Ledger, Map<string, Book["metadata"]>>()

const inside = <A>(all: WeakMap<Ledger, Map<string, A>>, ledger: Ledger): Map<string, A> => {
  const found = all.get(ledger) ?? new Map<string, A>()
  all.set(ledger, found)
  return found
}

export const keep = (ledger: Ledger, { id }: LedgerPayment, book: Book): void =>
  void inside(books, ledger).set(id, book)
export const keepRefund = (ledger: Ledger, { id }: LedgerRefund, metadata: Book["metadata"]): void =>
  void inside(refundNotes, ledger).set(id, metadata)

export const bookOf = (ledger: Ledger, { id }: LedgerPayment): Book => {
  const book = inside(books, ledger).get(id)
  if (book === undefined) throw new Error(`nothing is kept of ${id}`)
  return book
}

export const intentId = ({ id }: LedgerPayment): string => `pi_${id}`
export const chargeId = ({ id }: LedgerPayment): string => `ch_${id}`
const sessionId = ({ id }: LedgerPayment): string => `cs_test_${id}`

export const behind = (ledger: Ledger, prefix: "pi_" | "cs_test_", id: string): LedgerPayment | undefined =>
  id.startsWith(prefix) ? ledger.find(id.slice(prefix.length)) : undefined

export const intentOf = (ledger: Ledger, payment: LedgerPayment) => {
  const book = bookOf(ledger, payment)
  const { amount, capture, captured, code, status } = payment
  const failedBy = status === "declined" ? code : book.refusedBy
  return {
    id: intentId(payment),
    object: "payment_intent",
    amount: amount.minorUnits,
    amount_capturable: status === "authorized" ? amount.minorUnits : 0,
    amount_received: captured,
    currency: amount.currency.toLowerCase(),
    capture_method: capture,
    confirmation_method: "automatic",
    client_secret: `${intentId(payment)}_secret_5up3r`,
    created: book.created,
    livemode: book.livemode,
    metadata: book.metadata,
    payment_method_types: ["card"],
    cancellation_reason: status === "expired" ? "automatic" : (book.cancellationReason ?? null),
    last_payment_error: failedBy === null ? null : errorBy(failedBy),
    next_action: statusOf(payment, book) === "requires_action" ? actionOf(payment, book) : null,
    status: statusOf(payment, book)
  }
}

const statusOf = ({ newStatus, status }: LedgerPayment, { asks, flow, isClosed = false }: Book): string => {
  if (newStatus !== undefined) return newStatus
  switch (status) {
    case "draft":
      return "requires_payment_method"
    case "declined":
      return flow === "page" || isClosed ? "canceled" : "requires_payment_method"
    case "pending":
      return asks === "nothing" ? "processing" : "requires_action"
    case "authorized":
      return "requires_capture"
    case "captured":
      return "succeeded"
    case "canceled":
    case "expired":
      return "canceled"
  }
}

const actionOf = (payment: LedgerPayment, { asks, returnUrl }: Book) =>
  asks === "script"
    ? { type: "use_stripe_sdk", use_stripe_sdk: { type: "three_d_secure_redirect" } }
    : {
        type: "redirect_to_url",
        redirect_to_url: { url: `https://hooks.stripe.example/3ds/${payment.id}`, return_url: returnUrl }
      }

/** A shopper who is declined on the page, and leaves: it expires. */
export const sessionOf = (ledger: Ledger, payment: LedgerPayment, { isExpanded }: { readonly isExpanded: boolean }) => {
  const book = bookOf(ledger, payment)
  const { amount, status } = payment
  const isOpen = status === "pending"
  const isOver = status === "declined" || status === "expired" || (status === "canceled" && !wasHeld(ledger, payment))
  const isTried = !isOpen && status !== "expired"
  const intent = isExpanded ? intentOf(ledger, payment) : intentId(payment)
  return {
    id: sessionId(payment),
    object: "checkout.session",
    status: payment.newStatus ?? (isOpen ? "open" : isOver ? "expired" : "complete"),
    payment_status: status === "captured" ? "paid" : "unpaid",
    mode: "payment",
    amount_total: amount.minorUnits,
    currency: amount.currency.toLowerCase(),
    client_reference_id: payment.reference,
    created: book.created,
    expires_at: book.expiresAt,
    livemode: book.livemode,
    metadata: book.metadata,
    payment_intent: isTried ? intent : null,
    url: isOpen ? `https://checkout.stripe.example/c/pay/${payment.id}` : null
  }
}

const wasHeld = (ledger: Ledger, { id }: LedgerPayment): boolean =>
  ledger.events().some(({ payment, type }) => payment.id === id && type === "authorized")

export const refundOf = (
  ledger: Ledger,
  { id, minorUnits, status = "succeeded" }: LedgerRefund,
  payment: LedgerPayment
) => ({
  id: `re_${id}`,
  object: "refund",
  amount: minorUnits,
  charge: chargeId(payment),
  created: bookOf(ledger, payment).created,
  currency: payment.amount.currency.toLowerCase(),
  metadata: inside(refundNotes, ledger).get(id) ?? {},
  payment_intent: intentId(payment),
  reason: null,
  status,
  ...(status === "failed" && { failure_reason: "expired_or_canceled_card" })
})
