/**
 * Razorpay's words for what went wrong, as data, from its list of error reasons. Those of cards, installments and net
 * banking are left out: UPI does not have them. What is not here is unknown, never a decline.
 */
import { type DeclineCode, Outcome, type RetryClass } from "@paymux/core"

interface Decline {
  readonly code: DeclineCode
  readonly retry: RetryClass
}

/** Reasons by which a payment failed. None of them is final: a payment that failed may be captured days later. */
export const declines: { readonly [reason: string]: Decline } = {
  authentication_failed: { code: "authentication_failed", retry: "same_later" },
  authorisation_declined_by_psp: { code: "do_not_honor", retry: "same_later" },
  bank_account_invalid: { code: "account_closed", retry: "never" },
  bank_account_validation_failed: { code: "not_permitted", retry: "never" },
  bank_cutoff_in_progress: { code: "issuer_unavailable", retry: "same_later" },
  bank_not_available: { code: "issuer_unavailable", retry: "other_provider" },
  bank_not_enabled: { code: "unsupported", retry: "other_provider" },
  bank_technical_error: { code: "issuer_unavailable", retry: "other_provider" },
  beneficiary_account_does_not_exist: { code: "processing_error", retry: "other_provider" },
  beneficiary_account_dormant: { code: "processing_error", retry: "other_provider" },
  collect_on_mcc_blocked: { code: "unsupported", retry: "other_provider" },
  compliance_violation: { code: "not_permitted", retry: "never" },
  credit_failed: { code: "processing_error", retry: "other_provider" },
  credit_limit_exceeded: { code: "limit_exceeded", retry: "same_later" },
  credit_limit_expired: { code: "not_permitted", retry: "never" },
  credit_limit_inactive: { code: "not_permitted", retry: "never" },
  credit_limit_not_approved: { code: "not_permitted", retry: "never" },
  credit_not_permitted: { code: "not_permitted", retry: "never" },
  debit_declined: { code: "do_not_honor", retry: "same_later" },
  debit_instrument_blocked: { code: "not_permitted", retry: "never" },
  debit_instrument_inactive: { code: "not_permitted", retry: "never" },
  funds_blocked_by_mandate: { code: "insufficient_funds", retry: "same_later" },
  gateway_technical_error: { code: "processing_error", retry: "other_provider" },
  incorrect_atm_pin: { code: "incorrect_pin", retry: "same_later" },
  incorrect_pin: { code: "incorrect_pin", retry: "same_later" },
  insufficient_funds: { code: "insufficient_funds", retry: "same_later" },
  invalid_device: { code: "authentication_failed", retry: "same_later" },
  invalid_response_from_gateway: { code: "processing_error", retry: "other_provider" },
  invalid_vpa: { code: "invalid_vpa", retry: "never" },
  issuer_technical_error: { code: "issuer_unavailable", retry: "other_provider" },
  mcc_amount_limit_exceeded: { code: "limit_exceeded", retry: "never" },
  mismatch_in_transaction_details: { code: "processing_error", retry: "same_later" },
  payment_amount_tampered: { code: "suspected_fraud", retry: "never" },
  payment_cancelled: { code: "customer_canceled", retry: "same_later" },
  payment_collect_request_expired: { code: "customer_timeout", retry: "same_later" },
  payment_declined: { code: "do_not_honor", retry: "same_later" },
  payment_declined_due_to_high_traffic: { code: "issuer_unavailable", retry: "other_provider" },
  payment_failed: { code: "generic_decline", retry: "other_provider" },
  payment_risk_check_failed: { code: "suspected_fraud", retry: "never" },
  payment_session_expired: { code: "customer_timeout", retry: "same_later" },
  payment_timed_out: { code: "customer_timeout", retry: "same_later" },
  pin_attempts_exceeded: { code: "incorrect_pin", retry: "same_later" },
  pin_not_set: { code: "authentication_failed", retry: "same_later" },
  psp_app_not_available: { code: "issuer_unavailable", retry: "same_later" },
  psp_app_not_supported: { code: "unsupported", retry: "same_later" },
  psp_not_available: { code: "issuer_unavailable", retry: "same_later" },
  psp_not_registered: { code: "not_permitted", retry: "same_later" },
  request_timed_out: { code: "processing_error", retry: "same_later" },
  server_error: { code: "processing_error", retry: "other_provider" },
  transaction_daily_count_exceeded: { code: "limit_exceeded", retry: "same_later" },
  transaction_daily_limit_exceeded: { code: "limit_exceeded", retry: "same_later" },
  transaction_frequency_limit_exceeded: { code: "limit_exceeded", retry: "same_later" },
  transaction_limit_exceeded: { code: "limit_exceeded", retry: "same_later" },
  transaction_on_vpa_restricted: { code: "not_permitted", retry: "never" },
  upi_app_technical_error: { code: "issuer_unavailable", retry: "same_later" },
  user_not_eligible: { code: "not_permitted", retry: "never" },
  vpa_resolution_failed: { code: "issuer_unavailable", retry: "other_provider" }
}

/** Reasons that say that nothing is decided: the bank, the network or an approver still has it. */
export const undecided: ReadonlySet<string> = new Set([
  "collect_request_pending",
  "deemed_transaction",
  "payment_pending",
  "payment_pending_approval",
  "verification_failed"
])

/** Reasons that say that there was such a request before: the first one's result is to be asked for. */
export const duplicates: ReadonlySet<string> = new Set([
  "duplicate_refund_id",
  "duplicate_request",
  "duplicate_rrn_found",
  "order_already_paid"
])

/** Reasons that say that the account may not do this at all: no payer of it can pay, and an operator has to look. */
export const notEnabled: ReadonlySet<string> = new Set([
  "live_mode_not_enabled",
  "merchant_not_activated",
  "payment_method_not_enabled",
  "upi_collect_not_enabled",
  "upi_intent_not_enabled"
])

/** `null`: it is no reason by which a payment fails. */
export const declinedBy = (reason: string): Outcome.Declined | null => {
  const decline = Object.hasOwn(declines, reason) ? declines[reason] : undefined
  return decline === undefined ? null : Outcome.declined({ ...decline, vendorCode: reason })
}

/** Razorpay writes `NA` where it says nothing. */
export const said = (text: string | null | undefined): string | undefined =>
  text === null || text === undefined || text === "" || text === "NA" ? undefined : shortCode(text)

/** A code is kept and shown; whatever is longer or other is the vendor's prose, which may repeat what we sent. */
export const shortCode = (text: string): string => (/^[\w.:-]{1,100}$/.test(text) ? text : "unreadable_code")
