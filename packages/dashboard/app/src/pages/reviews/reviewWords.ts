/** What the reasons and resolutions of reviews mean, for operators. As in the guide for operators. */
import type { Schemas } from "../../api/client.ts"

export type ReviewedPayment = Schemas["ReviewedPayment"]
export type ReviewDetails = Schemas["ReviewDetails"]
export type Reason = ReviewDetails["reason"]
export type Resolution = Schemas["NewReviewResolution"]["resolution"]

const meanings: { readonly [reason in Reason]: string } = {
  amount_mismatch:
    "A different amount or currency moved than was requested. The operation waits until this is resolved.",
  excess_capture: "The provider captured more than was requested.",
  excess_refund: "The provider refunded more than was requested, or refunded without a request.",
  disputed_refund: "Refunds and disputes of the charge together come to more than it captured.",
  duplicate_capture: "The provider captured a second charge for a payment that was already paid.",
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

export const resolutionWords: { readonly [resolution in Resolution]: string } = {
  succeeded: "It was done",
  not_done: "It was not done",
  given_back: "The money was returned",
  dismissed: "Checked, nothing to change"
}

const general: { readonly [resolution in Resolution]: string } = {
  succeeded: "The provider's records show that the operation was executed.",
  not_done: "The provider's records show that the operation was not executed, and it never will be.",
  given_back: "You refunded exactly this charge, or released this hold, at the provider.",
  dismissed: "You looked it up, and Paymux agrees with the provider. Only the review closes."
}

const special: { readonly [reason in Reason]?: { readonly [resolution in Resolution]?: string } } = {
  amount_mismatch: {
    succeeded: "Accept what arrived.",
    given_back: "You refunded what arrived at the provider. The payment fails.",
    not_done: "Nothing valid arrived. The payment fails.",
    dismissed: "The payment was decided in the meantime, and you refunded the amount."
  },
  excess_capture: {
    succeeded: "The whole transfer arrived. The difference is shown as received.",
    not_done: "The provider's records show no such charge: the report was wrong. Nothing is refunded."
  },
  duplicate_capture: {
    not_done: "The provider's records show no such charge: the report was wrong. Nothing is refunded."
  },
  late_success: { not_done: "The provider's records show no such charge: the report was wrong. Nothing is refunded." },
  late_authorization: {
    given_back: "You released the hold at the provider.",
    not_done: "The provider's records show no such hold: the report was wrong."
  },
  excess_refund: {
    succeeded: "The money counts as the refund that had failed.",
    dismissed: "You recovered the money, or accept the loss."
  },
  reference_conflict: {
    succeeded: "This payment has a charge of its own at the provider.",
    not_done: "This payment has no charge at the provider. The payment fails.",
    dismissed: "The payment is already settled by its own charge."
  },
  capture_failed: {
    succeeded: "The provider's records show the money after all.",
    dismissed: "You settled it with the customer."
  },
  paid_after_close: { dismissed: "You keep the payment, or refund it from its page." },
  inquiries_exhausted: { not_done: "It was not executed, and it never will be. No other provider is tried." },
  instance_not_configured: {
    not_done: "It was not executed, and it never will be. No other provider is tried.",
    dismissed: "The hold ends at the provider. Only the review closes."
  }
}

export const consequenceOf = (reason: Reason | null, resolution: Resolution): string =>
  (reason === null ? undefined : special[reason]?.[resolution]) ?? general[resolution]
