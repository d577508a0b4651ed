/** Classifies the result of an attempt for its provider's success rate. */
import type { FailureCode, OutcomeStatus } from "@paymux/core/store"

/**
 * The class of a result. `expired` and `authentication_failed` may be the payer's or the provider's fault, so rules
 * configure their weights.
 */
export type AttemptSample = "success" | "failure" | "expired" | "authentication_failed"

/**
 * Classifies a result. `null` if it says nothing about the provider: it is not known yet, its reason was the payer's
 * card, funds or decision, or our own request was invalid.
 *
 * @example
 * ```ts
 * attemptSample("declined", "do_not_honor") // "failure"
 * attemptSample("declined", "insufficient_funds") // null
 * ```
 */
export const attemptSample = (status: OutcomeStatus, code: FailureCode | null): AttemptSample | null => {
  switch (status) {
    case "succeeded":
    case "authorized":
      return "success"
    case "declined":
      return code === null ? null : sampleOfDecline[code]
    case "not_executed":
      return code !== null && aboutThePayment.has(code) ? null : "failure"
    case "expired":
      // An expired authorization does not count: the provider did authorize the payment, but it was not captured.
      return code === "authorization_expired" ? null : "expired"
    case "canceled":
    case "sending":
    case "pending":
    case "unknown":
      return null
    default:
      return status satisfies never
  }
}

/** Codes of rejections that depend on the payment, or on the account's configuration at the provider. */
const aboutThePayment: ReadonlySet<FailureCode> = new Set([
  "request_rejected",
  "account_not_enabled",
  "details_required"
])

/** The class of each decline code. `failure` means that another provider might have accepted; `null` is not counted. */
const sampleOfDecline: { readonly [code in FailureCode]: AttemptSample | null } = {
  do_not_honor: "failure",
  issuer_unavailable: "failure",
  processing_error: "failure",
  generic_decline: "failure",
  suspected_fraud: "failure",
  not_permitted: "failure",
  unsupported: "failure",
  authentication_failed: "authentication_failed",
  customer_timeout: "expired",
  insufficient_funds: null,
  expired_card: null,
  incorrect_cvc: null,
  invalid_number: null,
  authentication_required: null,
  lost_or_stolen: null,
  limit_exceeded: null,
  customer_canceled: null,
  invalid_vpa: null,
  incorrect_pin: null,
  account_closed: null,
  // Codes of failures that are not declines: they do not count for a provider's success rate.
  provider_unavailable: null,
  request_rejected: null,
  provider_misconfigured: null,
  account_not_enabled: null,
  details_required: null,
  authorization_expired: null
}
