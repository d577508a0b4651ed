/** What Razorpay says of a payment or a refund, in the words of the contract. */
import { type CaptureMethod, type InquiryOutcome, Outcome } from "@paymux/core"
import { Codes } from "@paymux/provider-kit"
import { codes, said, shortCode } from "./codes.ts"
import type * as Wire from "./wire.ts"

/**
 * - `taken`: captured, whatever was given back of it since.
 * - `held`: authorized.
 * - `given_back`: never captured: a hold that lapsed, money that came too late, or twice.
 * - `moving`: it failed by a reason that decides nothing: the bank or the network still has it.
 * - `open`: the payer has not paid yet.
 * - `failed`: nothing was taken, though it still may be.
 * - `unheard_of`: a status or reason that is not known.
 */
export type Standing = "taken" | "held" | "given_back" | "moving" | "open" | "failed" | "unheard_of"

export const standingOf = (payment: Wire.Payment): Standing => {
  switch (payment.status) {
    case "captured":
      return "taken"
    case "refunded":
      if (payment.captured === true) return "taken"
      return payment.captured === false ? "given_back" : "unheard_of"
    case "authorized":
      return "held"
    case "created":
      return "open"
    case "failed":
      return standingByReason[failedAnswer(payment)._tag]
    default:
      return "unheard_of"
  }
}

export const isTaken = (payment: Wire.Payment): boolean => standingOf(payment) === "taken"

/** Nothing was taken, and unless it comes late nothing will be. Without any payment it is not known: lists lag. */
export const areOver = (payments: ReadonlyArray<Wire.Payment>): boolean =>
  payments.length > 0 && payments.every((payment) => over.has(standingOf(payment)))

const over: ReadonlySet<Standing> = new Set(["failed", "given_back"])

/**
 * What the payments tried on an order, or scanned from a QR code, make of it. Money first: of several tries one may have
 * succeeded; then those whose money moves; then those that are open. Without any, nothing was done: an order alone cannot
 * be paid.
 */
export const paymentsAnswer = (
  payments: ReadonlyArray<Wire.Payment>,
  { captureMethod, reference }: { readonly captureMethod: CaptureMethod; readonly reference: string }
): InquiryOutcome => {
  const one = (standing: Standing) => payments.find((payment) => standingOf(payment) === standing)
  const taken = one("taken")
  if (taken !== undefined) return Outcome.succeeded({ reference, amount: moneyOf(taken) })
  const held = one("held")
  if (held !== undefined) {
    // With automatic capture it is not held for us.
    return captureMethod === "manual"
      ? Outcome.authorized({ reference, amount: moneyOf(held) })
      : Outcome.pending({ reference, awaitingFinality: true })
  }
  const moving = one("moving")
  if (moving !== undefined) return { ...failedAnswer(moving), reference }
  const unheardOf = one("unheard_of")
  if (unheardOf !== undefined) {
    const vendorCode = unheardOf.status === "failed" ? codeOf(unheardOf) : shortCode(unheardOf.status)
    return Outcome.unknown({ reason: "unmapped", reference, vendorCode })
  }
  const isOpen = one("open") !== undefined
  // A hold lapses after days: no try that is older matters any more.
  if (one("given_back") !== undefined && (captureMethod === "manual" || !isOpen)) {
    return Outcome.expired({ reference, vendorCode: "refunded" })
  }
  if (isOpen) return Outcome.pending({ reference })
  const [latest] = payments.toSorted((former, other) => (other.created_at ?? 0) - (former.created_at ?? 0))
  return latest === undefined ? Outcome.notFound({ reference }) : { ...failedAnswer(latest), reference }
}

const failedAnswer = (payment: Wire.Payment): Outcome.Declined | Outcome.Pending | Outcome.Unknown => {
  const vendorCode = codeOf(payment)
  // It failed, and Razorpay does not say why.
  if (said(payment.error_reason) === undefined) {
    return Outcome.declined({ code: "generic_decline", retry: "other_provider", vendorCode })
  }
  const meaning = Codes.meaningOf(codes, vendorCode)
  switch (meaning?.class) {
    case "declined":
      return Outcome.declined({ code: meaning.code, retry: meaning.retry, vendorCode })
    case "account_not_enabled":
      return Outcome.declined({ code: "unsupported", retry: "other_provider", vendorCode })
    case "undecided":
      return Outcome.pending({ vendorCode, awaitingFinality: true })
    default:
      return Outcome.unknown({ reason: "unmapped", vendorCode })
  }
}

const standingByReason = { Declined: "failed", Pending: "moving", Unknown: "unheard_of" } as const

const codeOf = ({ error_code, error_reason }: Wire.Payment): string =>
  said(error_reason) ?? said(error_code) ?? "failed"

export const refundAnswer = (refund: Wire.Refund): Outcome.SendOutcome => {
  const { id: reference, status } = refund
  switch (status) {
    case "created":
    case "pending":
      return Outcome.pending({ reference })
    case "processed":
      return Outcome.succeeded({ reference, amount: moneyOf(refund) })
    case "failed":
      return Outcome.declined({ code: "processing_error", retry: "same_later", reference, vendorCode: status })
    default:
      return Outcome.unknown({ reason: "unmapped", reference, vendorCode: shortCode(status) })
  }
}

/** What is asked of a payment that is over, or never was: a definite no. */
export const tooLate = (vendorCode: string): Outcome.Declined =>
  Outcome.declined({ code: "processing_error", retry: "never", vendorCode: shortCode(vendorCode) })

export const moneyOf = ({ amount, currency }: Pick<Wire.Payment, "amount" | "currency">) => ({
  minorUnits: amount,
  currency
})
