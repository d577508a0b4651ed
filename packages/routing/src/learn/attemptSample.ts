/** What the end of an attempt says of its provider: that is all that routing learns from. */
import type { FailureCode, OutcomeStatus } from "@paymux/core/store"

export type AttemptSample = "success" | "failure"

/**
 * `null`: it says nothing of the provider. The payer's card, funds or will was the reason, our own request was wrong,
 * no payer paid in time, or the end is not known yet.
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
      return code !== null && isOfProvider[code] ? "failure" : null
    case "not_executed":
      return code === "request_rejected" ? null : "failure"
    case "expired":
    case "canceled":
    case "sending":
    case "pending":
    case "unknown":
      return null
    default:
      return status satisfies never
  }
}

/** Of a decline: whether another provider might have had another answer. */
const isOfProvider: { readonly [code in FailureCode]: boolean } = {
  do_not_honor: true,
  issuer_unavailable: true,
  processing_error: true,
  generic_decline: true,
  suspected_fraud: true,
  not_permitted: true,
  unsupported: true,
  insufficient_funds: false,
  expired_card: false,
  incorrect_cvc: false,
  invalid_number: false,
  authentication_required: false,
  authentication_failed: false,
  lost_or_stolen: false,
  limit_exceeded: false,
  customer_canceled: false,
  customer_timeout: false,
  invalid_vpa: false,
  incorrect_pin: false,
  account_closed: false,
  // Not declines.
  provider_unavailable: false,
  request_rejected: false,
  provider_misconfigured: false,
  authorization_expired: false
}
