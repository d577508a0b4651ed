/** Classifies the end of an attempt for its provider's success rate. */
import type { FailureCode, OutcomeStatus } from "@paymux/core/store"

/** `expired` and `authentication_failed` may be the payer's or the provider's fault: a rule says how much they count. */
export type AttemptSample = "success" | "failure" | "expired" | "authentication_failed"

/**
 * `null`: it says nothing of the provider. The payer's card, funds or will was the reason, our own request was wrong, or the
 * end is not known yet.
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
      // A hold that was not captured: the provider had taken it.
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

/** Nothing was done, and the reason is the payment, or what the account at the provider is for. */
const aboutThePayment: ReadonlySet<FailureCode> = new Set([
  "request_rejected",
  "account_not_enabled",
  "details_required"
])

/** `failure`: another provider might have had another answer. */
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
  // Not declines.
  provider_unavailable: null,
  request_rejected: null,
  provider_misconfigured: null,
  account_not_enabled: null,
  details_required: null,
  authorization_expired: null
}
