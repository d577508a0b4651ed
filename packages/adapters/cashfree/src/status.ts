/** What Cashfree's orders, links, payments and refunds say of our operations. Pure: the same for an answer and an inquiry. */
import { type Currency, type InquiryOutcome, type Money, Outcome, type ProviderOperation } from "@paymux/core"
import { Codes } from "@paymux/provider-kit"
import { paymentCodes } from "./codes.ts"
import { declined, shortCode } from "./errors.ts"
import type * as Wire from "./wire.ts"

type CaptureMethod = ProviderOperation["captureMethod"]

/** What is read of an order; of a link: as if it were one order, with the payments of all of its orders. */
export type Standing = Pick<Wire.Order, "order_id" | "order_status">

/** A payment by a link has the id of its own order, which refunds and the statement name. */
export type Payments = ReadonlyArray<Wire.Payment & { readonly order_id?: string }>

/** What became of a create. Each payment of an order is one try, and one of them may take money. */
export const createAnswer = (order: Standing, payments: Payments, captureMethod: CaptureMethod): InquiryOutcome => {
  const decided = paymentsAnswer(order.order_id, payments, captureMethod)
  if (decided !== null) return decided
  const isVoided = payments.some((payment) => stageOf(payment, captureMethod) === "voided")
  return isVoided ? Outcome.canceled({ reference: order.order_id }) : ofOrder(order, payments)
}

/** The page of an active link stays open after a failed try: the payer may try again. */
export const linkAnswer = (
  link: Wire.Link,
  orders: Wire.LinkOrders,
  payments: Payments,
  expiresAt: number
): InquiryOutcome => {
  const { link_id: reference, link_url: url } = link
  const decided = paymentsAnswer(reference, payments, "automatic")
  if (decided !== null) return decided
  const standing = linkStanding(link, orders)
  return standing.order_status === "ACTIVE"
    ? Outcome.pending({ reference, nextAction: { type: "redirect", url, expiresAt } })
    : ofOrder(standing, payments)
}

/**
 * A page that was opened before its link ended has an order that can be paid until it ends, too. A paid order decides, whatever
 * the status of the link.
 */
export const linkStanding = ({ link_id, link_status }: Wire.Link, orders: Wire.LinkOrders): Standing => {
  if (orders.some(isPaid)) return { order_id: link_id, order_status: "PAID" }
  const hasEnded = link_status === "CANCELLED" || link_status === "EXPIRED"
  if (hasEnded && orders.some(isOpen)) return { order_id: link_id, order_status: "TERMINATION_REQUESTED" }
  return { order_id: link_id, order_status: link_status === "CANCELLED" ? "TERMINATED" : link_status }
}

type Status = Pick<Wire.Order, "order_status">

export const isPaid = ({ order_status }: Status): boolean => order_status === "PAID"

/** It may still be paid. A status that is not known counts as open. */
export const isOpen = ({ order_status }: Status): boolean => !over.has(order_status)

const over: ReadonlySet<string> = new Set(["PAID", "EXPIRED", "TERMINATED"])

/** What the payments say alone. `null`: none has taken money, and none is in progress. */
const paymentsAnswer = (reference: string, payments: Payments, captureMethod: CaptureMethod): InquiryOutcome | null => {
  const at = (stage: Stage) => payments.find((payment) => stageOf(payment, captureMethod) === stage)
  const taken = at("taken")
  if (taken !== undefined) {
    return Outcome.succeeded({ reference: taken.order_id ?? reference, amount: takenOf(taken) })
  }
  const held = at("held")
  if (held !== undefined) return Outcome.authorized({ reference, amount: amountOf(held) })
  if (at("held_or_taken") !== undefined) return Outcome.unknown({ reason: "in_progress", reference })
  // It may still succeed, also after the order has ended: it is not given up.
  if (at("moving") !== undefined) return Outcome.pending({ reference, awaitingFinality: true })
  const news = at("unheard")
  return news === undefined ? null : unheard(news.payment_status, reference)
}

const ofOrder = ({ order_id, order_status }: Standing, payments: Payments): InquiryOutcome => {
  const reference = order_id
  switch (order_status) {
    case "ACTIVE":
      return active(reference, payments)
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
      return unheard(order_status, reference)
  }
}

/** No payer got a way to pay an order without payments: nothing was done yet. */
const active = (reference: string, payments: Payments): InquiryOutcome => {
  if (payments.length === 0) return Outcome.notFound({ reference })
  return payments.some(isUntouched)
    ? Outcome.pending({ reference })
    : (latestDecline(reference, payments) ?? Outcome.pending({ reference }))
}

/** The payer has done nothing yet, and can still be shown how to pay. */
export const isOpenToPayer = ({ order_status }: Standing, payments: Payments): boolean =>
  order_status === "ACTIVE" && payments.every(isUntouched)

/** What became of a capture. */
export const captureAnswer = (reference: string, payments: Payments): InquiryOutcome => {
  const at = (stage: Stage) => payments.find((payment) => stageOf(payment, "manual") === stage)
  const taken = at("taken")
  if (taken !== undefined) return Outcome.succeeded({ reference, amount: takenOf(taken) })
  if (at("voided") !== undefined) return tooLate("VOID")
  const unsaid = at("held_or_taken")
  const held = at("held") ?? unsaid
  if (held !== undefined && isUnderWay(held, "CAPTURE")) return Outcome.pending({ reference })
  return unsaid === undefined ? Outcome.notFound() : Outcome.unknown({ reason: "in_progress", reference })
}

/** The outcome of a cancel: a hold was released, or an order closed. */
export const cancelAnswer = (order: Standing, payments: Payments, captureMethod: CaptureMethod): InquiryOutcome =>
  (captureMethod === "manual" ? voidAnswer(order.order_id, payments) : null) ??
  terminationAnswer(order, payments, captureMethod)

/** What became of letting go what was held. `null`: nothing is or was held. */
export const voidAnswer = (reference: string, payments: Payments): InquiryOutcome | null => {
  const at = (stage: Stage) => payments.find((payment) => stageOf(payment, "manual") === stage)
  if (at("taken") !== undefined) return tooLate("SUCCESS")
  if (at("voided") !== undefined) return Outcome.succeeded({ reference })
  const unsaid = at("held_or_taken")
  const held = at("held") ?? unsaid
  if (held === undefined) return null
  if (isUnderWay(held, "VOID")) return Outcome.pending({ reference })
  return unsaid === undefined ? Outcome.notFound() : Outcome.unknown({ reason: "in_progress", reference })
}

/** What became of closing an order: it is done when nothing is left that may still take money. */
export const terminationAnswer = (
  { order_id, order_status }: Standing,
  payments: Payments,
  captureMethod: CaptureMethod
): InquiryOutcome => {
  const stages = new Set(payments.map((payment) => stageOf(payment, captureMethod)))
  if (stages.has("taken")) return tooLate("SUCCESS")
  switch (order_status) {
    case "TERMINATED":
    case "EXPIRED":
      if (stages.has("unheard")) return Outcome.unknown({ reason: "unmapped", reference: order_id })
      return stages.has("moving")
        ? Outcome.pending({ reference: order_id })
        : Outcome.succeeded({ reference: order_id })
    case "TERMINATION_REQUESTED":
      return Outcome.pending({ reference: order_id })
    case "PAID":
      return tooLate(order_status)
    case "ACTIVE":
      return Outcome.notFound()
    default:
      return unheard(order_status, order_id)
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
      return unheard(refund_status, refund_id)
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

/** ISO 8601 with an offset; ms UTC. Without one, the time could be that of India or UTC. */
export const readTime = (text: string | null | undefined): number | null => {
  const hasOffset = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/.test(text ?? "")
  const time = hasOffset ? Date.parse(text ?? "") : NaN
  return Number.isNaN(time) ? null : time
}

/** How far a payment is. */
export type Stage = "untouched" | "moving" | "held" | "taken" | "held_or_taken" | "voided" | "failed" | "unheard"

export const stageOf = (payment: Wire.Payment, captureMethod: CaptureMethod): Stage => {
  if (isVoided(payment)) return "voided"
  switch (payment.payment_status) {
    case "NOT_ATTEMPTED":
      return "untouched"
    case "PENDING":
      return "moving"
    case "SUCCESS":
      return captureMethod === "manual" ? ofHold(payment) : ofAutomatic(payment)
    case "FAILED":
      return isUndecided(payment) ? "moving" : "failed"
    case "USER_DROPPED":
    case "CANCELLED":
      return "failed"
    default:
      return "unheard"
  }
}

const isUndecided = ({ error_details }: Wire.Payment): boolean =>
  Codes.meaningOf(paymentCodes, error_details?.error_code_raw)?.class === "undecided"

/** With automatic capture, what is not captured yet is not ours to capture. */
const ofAutomatic = ({ is_captured }: Wire.Payment): Stage => (is_captured === false ? "moving" : "taken")

const ofHold = ({ authorization, is_captured }: Wire.Payment): Stage => {
  if (typeof is_captured === "boolean") return is_captured ? "taken" : "held"
  return authorization?.action === "CAPTURE" && authorization.status === "SUCCESS" ? "taken" : "held_or_taken"
}

export const isHeld = (payment: Wire.Payment): boolean => stageOf(payment, "manual") === "held"

const isVoided = ({ authorization, is_captured, payment_status }: Wire.Payment): boolean =>
  payment_status === "VOID" ||
  (is_captured !== true && authorization?.action === "VOID" && authorization.status === "SUCCESS")

const isUnderWay = ({ authorization }: Wire.Payment, action: "CAPTURE" | "VOID"): boolean =>
  authorization?.action === action && authorization.status === "PENDING"

const isUntouched = ({ payment_status }: Wire.Payment): boolean => payment_status === "NOT_ATTEMPTED"

/** A status that Cashfree has added since. What is no word is not repeated. */
const unheard = (status: string, reference: string): Outcome.Unknown => {
  const vendorCode = shortCode(status)
  return Outcome.unknown({ reason: "unmapped", reference, ...(vendorCode !== null && { vendorCode }) })
}

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
export const rupees = (minorUnits: number, currency: "INR"): Money.Money => ({
  minorUnits,
  // Boundary: INR is a currency of ISO 4217.
  currency: currency as string as Currency.Currency
})
