/** Classifies the end of an attempt for its provider's success rate. */
import type { FailureCode, OutcomeStatus } from "@paymux/core/store"

/** `expired` and `authentication_failed` may be the payer's or the provider's fault, so rules configure their weights. */
export type AttemptSample = "success" | "failure" | "expired" | "authentication_failed"

/**
 * `null`: the end does not depend on the provider, or is not known yet. The reason was the payer's card, funds or decision, or
 * our own request was wrong.
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
      // The provider had authorized the payment, which was not captured.
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

/** Codes of refusals that depend on the payment, or on the account's configuration at the provider. */
const aboutThePayment: ReadonlySet<FailureCode> = new Set([
  "request_rejected",
  "account_not_enabled",
  "details_required"
])

/** The sample of each decline code. `failure`: another provider might have accepted. */
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
