/** What the reasons and resolutions of reviews mean, for operators. As in the guide for operators. */
import type { Schemas } from "../../api/client.ts"

export type ReviewedPayment = Schemas["ReviewedPayment"]
export type ReviewDetails = Schemas["ReviewDetails"]
export type Reason = ReviewDetails["reason"]
export type Consequences = Schemas["Consequences"]
export type Resolution = Schemas["NewReviewResolution"]["resolution"]

const meanings: { readonly [reason in Reason]: string } = {
  amount_mismatch:
    "A different amount or currency moved than was requested. The operation waits until this is resolved.",
  excess_capture: "The provider captured more than was requested.",
  excess_refund: "The provider refunded more than was requested, or refunded without a request.",
  disputed_refund: "Refunds and disputes of the charge together come to more than it captured.",
  duplicate_capture: "The provider captured a second charge for a payment that was already paid.",
  possible_duplicate:
    "An earlier payment has the same order number, amount and customer, and was made within a day. Refund this one if the customer wanted one of them only.",
  late_success: "The provider captured a charge for a payment that was canceled or had failed.",
  late_authorization: "The provider holds funds that no payment needs.",
  reference_conflict: "A report gives this payment the charge of another payment.",
  unreadable_report: "A report says that money moved, but its amount cannot be read. It is not counted.",
  inquiries_exhausted: "The outcome is still unknown after all inquiries at the provider.",
  instance_not_configured:
    "The provider instance is not configured, so Paymux cannot inquire about the operation or hold.",
  close_failed: "The payment expired, and the provider rejects its cancellation.",
  capture_failed: "The provider reversed a capture that it had confirmed.",
  paid_after_close: "The provider confirmed a cancellation, and captured the money anyway.",
  contradiction: "Two reports of the provider contradict each other."
}

export const reasons = Object.keys(meanings).filter((reason): reason is Reason => reason in meanings)

export const isReason = (text: string | undefined): text is Reason =>
  text !== undefined && Object.hasOwn(meanings, text)

export const meaningOf = (reason: Reason): string => meanings[reason]

/** Of a former review, whose operation is not known any more. */
export const resolutionWords: { readonly [resolution in Resolution]: string } = {
  succeeded: "Done at the provider",
  not_done: "Not done at the provider",
  given_back: "Refunded or released outside Paymux",
  dismissed: "Closed without changes"
}

/** What can be in question. Only the server knows what follows: see `Consequences`. */
type Subject = "charge" | "hold" | "capture" | "refund" | "cancel"

const subjectOf = ({ operationId, reason }: ReviewDetails, { operations }: ReviewedPayment): Subject => {
  if (reason === "late_authorization") return "hold"
  const kind = operations.find(({ id }) => id === operationId)?.kind ?? "create"
  return kind === "create" ? "charge" : kind
}

const done: { readonly [subject in Subject]: string } = {
  charge: "Captured at the provider",
  hold: "Held at the provider",
  capture: "Captured at the provider",
  refund: "Refunded at the provider",
  cancel: "Canceled at the provider"
}

const notDone: { readonly [subject in Subject]: string } = {
  charge: "Not charged",
  hold: "Not held",
  capture: "Not captured",
  refund: "Not refunded",
  cancel: "Not canceled"
}

export const labelOf = (review: ReviewDetails, reviewed: ReviewedPayment, resolution: Resolution): string => {
  const subject = subjectOf(review, reviewed)
  switch (resolution) {
    case "succeeded":
      return acceptanceLabel(review, reviewed) ?? done[subject]
    case "not_done":
      return notDone[subject]
    case "given_back":
      return subject === "hold" ? "Released outside Paymux" : "Refunded outside Paymux"
    case "dismissed":
      return "Close without changes"
  }
}

/** Another amount than requested is in question. */
const acceptanceLabel = (review: ReviewDetails, { operations, payment }: ReviewedPayment): string | null => {
  if (review.reason !== "amount_mismatch" || review.currency !== payment.currency) return null
  const requested = operations.find(({ id }) => id === review.operationId)?.amount ?? payment.amount
  return review.amount < requested ? "Accept partial amount" : "Accept larger amount"
}

const general: { readonly [resolution in Resolution]: string } = {
  succeeded: "The provider's records show it.",
  not_done: "The provider's records do not show it, and it will not happen later.",
  given_back: "You refunded exactly this charge in the provider's dashboard.",
  dismissed: "You looked it up, and Paymux agrees with the provider."
}

const special: { readonly [reason in Reason]?: { readonly [resolution in Resolution]?: string } } = {
  amount_mismatch: {
    succeeded: "The amount that the provider has is accepted, or the amount below that its records show.",
    given_back: "You refunded the received amount in the provider's dashboard.",
    dismissed: "The payment was decided in the meantime, and you refunded the amount."
  },
  excess_capture: { succeeded: "The whole transfer arrived." },
  late_authorization: { given_back: "You released the hold in the provider's dashboard." },
  excess_refund: {
    succeeded: "The money counts as the refund that had failed.",
    dismissed: "You recovered the money, or accept the loss."
  },
  reference_conflict: {
    succeeded: "This payment has a charge of its own at the provider.",
    not_done: "This payment has no charge at the provider.",
    dismissed: "The payment is already settled by its own charge."
  },
  capture_failed: {
    succeeded: "The provider's records show the money after all.",
    dismissed: "You settled it with the customer."
  },
  possible_duplicate: { dismissed: "The customer wanted both payments." },
  paid_after_close: { dismissed: "You keep the payment, or refund it from its page." },
  instance_not_configured: { dismissed: "The hold expires at the provider." }
}

export const questionOf = ({ reason }: ReviewDetails): string =>
  reason === "possible_duplicate" ? "Did the customer want both payments?" : "What did you find at the provider?"

export const explanationOf = ({ reason }: ReviewDetails, resolution: Resolution): string =>
  special[reason]?.[resolution] ?? general[resolution]
