/** What Cashfree's orders, payments and refunds say of our operations. Pure: it is the same for an answer and an inquiry. */
import { type Currency, type Inquiry, type Money, Outcome } from "@paymux/core"
import { declined } from "./errors.ts"
import type * as Wire from "./wire.ts"

type Payments = ReadonlyArray<Wire.Payment>

/** What became of a create. */
export const createAnswer = (order: Wire.Order, payments: Payments): Inquiry => {
  const reference = order.order_id
  const unmapped = (vendorCode: string) => Outcome.unknown({ reason: "unmapped", reference, vendorCode })
  const taken = payments.find(isTaken)
  if (taken !== undefined) return Outcome.succeeded({ reference, amount: takenOf(taken) })
  const held = payments.find(isHeld)
  if (held !== undefined) return Outcome.authorized({ reference, amount: amountOf(held) })
  if (payments.some(isVoided)) return Outcome.canceled({ reference })
  const news = payments.find(({ payment_status }) => !knownStatuses.has(payment_status))
  if (news !== undefined) return unmapped(news.payment_status)
  // It may still succeed, also after the order has expired.
  if (payments.some(({ payment_status }) => payment_status === "PENDING")) return Outcome.pending({ reference })
  switch (order.order_status) {
    case "ACTIVE":
      return active(order, payments)
    case "EXPIRED": {
      const over = latestDecline(reference, payments)
      return over?._tag === "Declined" ? over : Outcome.expired({ reference })
    }
    case "TERMINATED":
      return Outcome.canceled({ reference })
    case "TERMINATION_REQUESTED":
      return Outcome.pending({ reference })
    case "PAID":
      // By a payment that is not listed yet: how much, and whether it was captured, is not known.
      return Outcome.unknown({ reason: "in_progress", reference, vendorCode: "PAID" })
    default:
      return unmapped(order.order_status)
  }
}

/** Nobody was given a way to pay an order without payments: nothing was done yet. */
const active = ({ order_id }: Wire.Order, payments: Payments): Inquiry => {
  if (payments.length === 0) return Outcome.notFound({ reference: order_id })
  return payments.some(isUntouched)
    ? Outcome.pending({ reference: order_id })
    : (latestDecline(order_id, payments) ?? Outcome.pending({ reference: order_id }))
}

/** The payer has done nothing yet, and can still be shown how to pay. */
export const isOpenToPayer = ({ order_status }: Wire.Order, payments: Payments): boolean =>
  order_status === "ACTIVE" && payments.every(isUntouched)

/** What became of a capture. */
export const captureAnswer = (reference: string, payments: Payments): Inquiry => {
  const taken = payments.find(isTaken)
  if (taken !== undefined) return Outcome.succeeded({ reference, amount: takenOf(taken) })
  if (payments.some(isVoided)) return tooLate("VOID")
  const held = payments.find(isHeld)
  return held !== undefined && isUnderWay(held, "CAPTURE") ? Outcome.pending({ reference }) : Outcome.notFound()
}

/** What became of letting go what was held. `null`: nothing is or was held. */
export const voidAnswer = (reference: string, payments: Payments): Inquiry | null => {
  if (payments.some(isTaken)) return tooLate("SUCCESS")
  if (payments.some(isVoided)) return Outcome.succeeded({ reference })
  const held = payments.find(isHeld)
  if (held === undefined) return null
  return isUnderWay(held, "VOID") ? Outcome.pending({ reference }) : Outcome.notFound()
}

/** What became of closing an order that nobody has paid. */
export const terminationAnswer = ({ order_id, order_status }: Wire.Order): Inquiry => {
  switch (order_status) {
    case "TERMINATED":
    case "EXPIRED":
      return Outcome.succeeded({ reference: order_id })
    case "TERMINATION_REQUESTED":
      return Outcome.pending({ reference: order_id })
    case "PAID":
      return tooLate(order_status)
    case "ACTIVE":
      return Outcome.notFound()
    default:
      return Outcome.unknown({ reason: "unmapped", vendorCode: order_status })
  }
}

/** What became of a refund. */
export const refundAnswer = ({ refund_amount, refund_currency, refund_id, refund_status }: Wire.Refund) => {
  switch (refund_status) {
    case "SUCCESS":
      return Outcome.succeeded({ reference: refund_id, amount: rupees(refund_amount, refund_currency) })
    case "PENDING":
    case "ONHOLD":
      return Outcome.pending({ reference: refund_id })
    case "CANCELLED":
    case "FAILED":
      return Outcome.declined({
        code: "processing_error",
        retry: "same_later",
        reference: refund_id,
        vendorCode: refund_status
      })
    default:
      return Outcome.unknown({ reason: "unmapped", reference: refund_id, vendorCode: refund_status })
  }
}

/** An answer to a request; what only an inquiry can say is told by the next inquiry. */
export const asOutcome = (found: Inquiry): Outcome.Outcome => {
  switch (found._tag) {
    case "Canceled":
    case "Expired":
    case "NotFound":
      return Outcome.unknown({
        reason: "in_progress",
        ...(found.reference !== undefined && { reference: found.reference }),
        vendorCode: found._tag.toLowerCase()
      })
    default:
      return found
  }
}

/** A definite no: the money is on the other side already. */
const tooLate = (vendorCode: string): Outcome.Declined =>
  Outcome.declined({ code: "processing_error", retry: "never", vendorCode })

/** Of a payment that took nothing; the newest, where there were several. `null`: there was none. */
const latestDecline = (reference: string, payments: Payments): Outcome.Declined | Outcome.Unknown | null => {
  const latest = payments
    .filter((payment) => !isUntouched(payment))
    .toSorted((one, other) => timeOf(other) - timeOf(one))[0]
  return latest === undefined ? null : declined(latest.payment_status, latest.error_details ?? null, reference)
}

/** ms UTC of a vendor's time; 0 where it is none. */
const timeOf = ({ payment_time }: Wire.Payment): number => readTime(payment_time) ?? 0

export const readTime = (text: string | null | undefined): number | null => {
  const at = Date.parse(text ?? "")
  return Number.isNaN(at) ? null : at
}

export const isTaken = ({ is_captured, payment_status }: Wire.Payment): boolean =>
  payment_status === "SUCCESS" && is_captured !== false

export const isHeld = (payment: Wire.Payment): boolean =>
  payment.payment_status === "SUCCESS" && payment.is_captured === false && !isVoided(payment)

const isVoided = ({ authorization, is_captured, payment_status }: Wire.Payment): boolean =>
  payment_status === "VOID" ||
  (is_captured === false && authorization?.action === "VOID" && authorization.status === "SUCCESS")

const isUnderWay = ({ authorization }: Wire.Payment, action: "CAPTURE" | "VOID"): boolean =>
  authorization?.action === action && authorization.status === "PENDING"

const isUntouched = ({ payment_status }: Wire.Payment): boolean => payment_status === "NOT_ATTEMPTED"

const knownStatuses: ReadonlySet<string> = new Set([
  "SUCCESS",
  "NOT_ATTEMPTED",
  "FAILED",
  "USER_DROPPED",
  "VOID",
  "CANCELLED",
  "PENDING"
])

/** What was taken: of a hold, what was captured of it. */
export const takenOf = (payment: Wire.Payment): Money.Money => {
  const { authorization, payment_currency } = payment
  const captured = authorization?.action === "CAPTURE" ? (authorization.captured_amount ?? null) : null
  return captured === null ? amountOf(payment) : rupees(captured, payment_currency)
}

/** What the payer paid, without the surcharge that Cashfree adds for its own fee. */
export const amountOf = ({ payment_amount, payment_currency, payment_surcharge }: Wire.Payment): Money.Money => {
  const charge = payment_surcharge?.payment_surcharge_service_charge ?? 0
  const tax = payment_surcharge?.payment_surcharge_service_tax ?? 0
  return rupees(Math.max(0, payment_amount - charge - tax), payment_currency)
}

/** `minorUnits` are paise. */
const rupees = (minorUnits: number, currency: "INR"): Money.Money => ({
  minorUnits,
  // Boundary: INR is a currency of ISO 4217.
  currency: currency as string as Currency.Currency
})
