/** Coinbase's objects as it would show what the ledger and its own books have. */
import type { Ledger, LedgerBooking, LedgerPayment, LedgerRefund } from "@paymux/testkit/fake"
import type { CreateSession } from "./requests.ts"

type Notes = { readonly [name: string]: string }

/** Beside the ledger: what was asked for, and what is under way. */
export interface Book {
  readonly asked: CreateSession
  /** ms UTC */
  readonly createdAt: number
  /** The payer has signed, and the chain has not confirmed. */
  isMoving?: boolean
  capture?: { readonly amount: string; readonly notes: Notes; status: "pending" | "succeeded" | "failed" }
  release?: { readonly at: number; readonly notes?: Notes; status: "pending" | "succeeded" | "failed" }
}

export interface Books {
  readonly sessions: Map<string, Book>
  readonly refunds: Map<string, { readonly notes: Notes; readonly source: object }>
  /** What becomes of captures, its own and ours. */
  captures: "settle" | "pend" | "fail"
  voids: "settle" | "pend"
  /** ms by which its clock is ahead. */
  ahead: number
  /** It cancels nothing. */
  refusesCancels: boolean
  /** It returns sessions without the lists of their actions. */
  isBare: boolean
  /**
   * It requires the buyer's name and address, and refuses a session without them by this `errorType`: which one it is, is not
   * published. `null`: it does not.
   */
  buyerRequiredBy: "invalid_request" | "travel_rules_field_missing" | null
}

const allBooks = new WeakMap<Ledger, Books>()

export const booksOf = (ledger: Ledger): Books => {
  const found: Books = allBooks.get(ledger) ?? {
    sessions: new Map(),
    refunds: new Map(),
    captures: "settle",
    voids: "settle",
    ahead: 0,
    refusesCancels: false,
    isBare: false,
    buyerRequiredBy: null
  }
  allBooks.set(ledger, found)
  return found
}

/** ms UTC. */
export const nowOf = (ledger: Ledger): number => ledger.now() + booksOf(ledger).ahead

export const bookOf = (ledger: Ledger, { id }: LedgerPayment): Book => {
  const book = booksOf(ledger).sessions.get(id)
  if (book === undefined) throw new Error(`nothing is kept of ${id}`)
  return book
}

/** `vp_7` is `paymentSession_…-000000000007`, and so are its actions. */
export const idOf = (kind: string, { id }: { readonly id: string }): string =>
  `${kind}_00000000-0000-4000-8000-${id.replace(/^v._/, "").padStart(12, "0")}`

export const behind = (ledger: Ledger, id: string): LedgerPayment | undefined =>
  ledger.payments().find((payment) => idOf("paymentSession", payment) === id)

export const decimal = (minorUnits: number): string => {
  const digits = String(minorUnits).padStart(3, "0")
  return minorUnits === 0 ? "0" : `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

export const cents = (text: string): number => {
  const [whole = "", fraction = ""] = text.split(".")
  if (/[1-9]/.test(fraction.slice(2))) throw new Error(`${text} has a fraction of a cent`)
  return Number(whole + fraction.slice(0, 2).padEnd(2, "0"))
}

const iso = (at: number): string => new Date(at).toISOString()
const hours = 3_600_000

export const summaryOf = (ledger: Ledger, payment: LedgerPayment) => {
  const book = bookOf(ledger, payment)
  const { amount, asset, autoCapture, expiries, externalReferenceId, metadata, target } = book.asked
  return {
    paymentSessionId: idOf("paymentSession", payment),
    entityId: "entity_af2937b0-9846-4fe7-bfe9-ccc22d935114",
    // Another amount than was asked is the ledger's.
    amount: payment.amount.minorUnits === cents(amount) ? amount : decimal(payment.amount.minorUnits),
    asset,
    target,
    autoCapture,
    expiries: {
      authorizationExpiresAt: expiries.authorizationExpiresAt,
      captureExpiresAt: expiries.captureExpiresAt ?? iso(book.createdAt + 168 * hours),
      refundExpiresAt: expiries.refundExpiresAt ?? iso(book.createdAt + 720 * hours)
    },
    status: payment.newStatus ?? statusOf(ledger, payment),
    balances: balancesOf(ledger, payment),
    externalReferenceId,
    metadata,
    createdAt: iso(book.createdAt),
    updatedAt: iso(nowOf(ledger))
  }
}

export const sessionOf = (ledger: Ledger, payment: LedgerPayment) => {
  const summary = summaryOf(ledger, payment)
  const { redirect } = bookOf(ledger, payment).asked
  const lists = actionsOf(ledger, payment)
  const shown = Object.entries(lists).filter(([, list]) => list.length > 0 && !booksOf(ledger).isBare)
  return {
    ...summary,
    ...Object.fromEntries(shown),
    url: `https://payments.coinbase.example/payment-sessions/${summary.paymentSessionId}`,
    ...(redirect !== undefined && { redirect })
  }
}

export const actionsOf = (ledger: Ledger, payment: LedgerPayment) => ({
  authorizations: authorizationOf(ledger, payment),
  captures: captureOf(ledger, payment),
  voids: voidOf(ledger, payment),
  refunds: [...payment.refunds, ...elsewhereOf(ledger, payment)].map((refund) => refundOf(ledger, refund, payment))
})

/** Refunds that were not requested through the API. */
const elsewhereOf = (ledger: Ledger, { id, refunds }: LedgerPayment): ReadonlyArray<LedgerRefund> =>
  ledger
    .bookings()
    .filter(({ payment }) => payment?.id === id)
    .flatMap(({ refund }) => (refund === null || refunds.some((each) => each.id === refund.id) ? [] : [refund]))

/** When it was booked; until then, when the session was made. */
const bookedAt = (ledger: Ledger, payment: LedgerPayment, is: (booking: LedgerBooking) => boolean) => {
  const booking = ledger.bookings().find((each) => each.payment?.id === payment.id && is(each))
  return { createdAt: iso(booking?.bookedAt ?? bookOf(ledger, payment).createdAt) }
}

const common = (ledger: Ledger, payment: LedgerPayment, status: string) => ({
  paymentSessionId: idOf("paymentSession", payment),
  status: payment.newStatus ?? status,
  createdAt: iso(bookOf(ledger, payment).createdAt),
  updatedAt: iso(nowOf(ledger))
})

const authorizationOf = (ledger: Ledger, payment: LedgerPayment) => {
  const { isMoving = false } = bookOf(ledger, payment)
  const { code, status } = payment
  const isLeft = (status === "pending" && !isMoving) || (status === "canceled" && !wasHeld(ledger, payment))
  if (isLeft || status === "draft") return []
  const error = status === "expired" ? "authorization_expired" : code
  const said = status === "pending" ? "pending" : error === null ? "succeeded" : "failed"
  return [
    {
      authorizationId: idOf("authorization", payment),
      ...common(ledger, payment, said),
      amount: decimal(payment.amount.minorUnits),
      ...(error !== null && { error: errorOf(error) }),
      ...(said === "succeeded" && { onchainTransactions: onchain })
    }
  ]
}

export const captureOf = (ledger: Ledger, payment: LedgerPayment) => {
  const { capture } = bookOf(ledger, payment)
  // An automatic capture has no notes.
  const own =
    payment.status === "captured"
      ? { amount: decimal(payment.captured), notes: undefined, status: "succeeded" }
      : undefined
  const made = capture ?? own
  if (made === undefined) return []
  const { amount, notes, status } = made
  return [
    {
      captureId: idOf("capture", payment),
      ...common(ledger, payment, status),
      ...bookedAt(ledger, payment, ({ type }) => type === "charge"),
      amount,
      finalCapture: true,
      ...(notes !== undefined && { metadata: notes }),
      ...(status === "failed" && { error: errorOf("capture_failed") }),
      ...(status === "succeeded" && { onchainTransactions: onchain })
    }
  ]
}

export const voidOf = (ledger: Ledger, payment: LedgerPayment) => {
  const { release } = bookOf(ledger, payment)
  return release === undefined
    ? []
    : [
        {
          voidId: idOf("void", payment),
          ...common(ledger, payment, release.status),
          amount: decimal(payment.amount.minorUnits),
          ...(release.notes !== undefined && { metadata: release.notes }),
          createdAt: iso(release.at)
        }
      ]
}

export const refundOf = (ledger: Ledger, refund: LedgerRefund, payment: LedgerPayment) => {
  const kept = booksOf(ledger).refunds.get(refund.id)
  const { status = "succeeded" } = refund
  return {
    refundId: idOf("refund", refund),
    ...common(ledger, payment, status),
    ...bookedAt(ledger, payment, (booking) => booking.refund?.id === refund.id),
    ...(kept !== undefined && { source: kept.source, metadata: kept.notes }),
    amount: decimal(refund.minorUnits),
    ...(status === "failed" && { error: errorOf("refund_failed") })
  }
}

const errorOf = (code: string) => ({
  code,
  message: "IN COINBASE'S WORDS",
  occurredAt: "2026-11-21T10:00:00.000Z"
})

const onchain = [{ transactionHash: `0x${"ab".repeat(32)}`, network: "base" }]

const balancesOf = (ledger: Ledger, payment: LedgerPayment) => {
  const { capture, release } = bookOf(ledger, payment)
  const { amount, captured, status } = payment
  const refunds = [...payment.refunds, ...elsewhereOf(ledger, payment)]
  const given = refunds.filter((each) => (each.status ?? "succeeded") === "succeeded")
  const refunded = given.reduce((sum, { minorUnits }) => sum + minorUnits, 0)
  const isHeld = status === "authorized" && capture?.status !== "pending" && release?.status !== "pending"
  return {
    capturable: decimal(isHeld ? amount.minorUnits : 0),
    captured: decimal(captured),
    refundable: decimal(captured - refunded),
    refunded: decimal(refunded)
  }
}

/** The most recent event. */
const statusOf = (ledger: Ledger, payment: LedgerPayment): string => {
  const { capture, isMoving = false, release } = bookOf(ledger, payment)
  const refund = payment.refunds.at(-1)
  if (refund !== undefined) return `refund_${refund.status ?? "succeeded"}`
  if (release !== undefined) return `void_${release.status}`
  if (capture !== undefined) return `capture_${capture.status}`
  switch (payment.status) {
    case "draft":
    case "pending":
      return isMoving ? "authorization_pending" : "created"
    case "authorized":
      return "authorization_succeeded"
    case "captured":
      return "capture_succeeded"
    case "declined":
    case "expired":
      return "authorization_failed"
    case "canceled":
      return "canceled"
  }
}

export const wasHeld = (ledger: Ledger, { id }: LedgerPayment): boolean =>
  ledger.events().some(({ payment, type }) => payment.id === id && type === "authorized")
