/**
 * Razorpay's published reasons by which a UPI payment fails, from its documentation and not from the adapter: one that the
 * adapter forgot shows. Left out: those of cards, installments and net banking; those of a request that is not valid; those
 * that decide nothing.
 */

/** The page on UPI errors. */
export const upiReasons: ReadonlyArray<string> = [
  "bank_technical_error",
  "credit_failed",
  "gateway_technical_error",
  "insufficient_funds",
  "invalid_vpa",
  "payment_cancelled",
  "payment_collect_request_expired",
  "payment_declined",
  "payment_timed_out",
  "vpa_resolution_failed"
]

/** Of the simulator of test mode, by the amounts 201, 204, 302 and 402 paise. */
export const simulatedReasons: ReadonlyArray<string> = [
  "insufficient_funds",
  "incorrect_pin",
  "payment_cancelled",
  "payment_declined"
]

/** The list of all error reasons, which the page on the intent flow names. */
const listed: ReadonlyArray<string> = [
  "authentication_failed",
  "authorisation_declined_by_psp",
  "bank_account_invalid",
  "bank_account_validation_failed",
  "bank_cutoff_in_progress",
  "bank_not_available",
  "bank_not_enabled",
  "beneficiary_account_does_not_exist",
  "beneficiary_account_dormant",
  "collect_on_mcc_blocked",
  "compliance_violation",
  "credit_limit_exceeded",
  "credit_limit_expired",
  "credit_limit_inactive",
  "credit_limit_not_approved",
  "credit_not_permitted",
  "debit_declined",
  "debit_instrument_blocked",
  "debit_instrument_inactive",
  "funds_blocked_by_mandate",
  "incorrect_atm_pin",
  "invalid_device",
  "invalid_response_from_gateway",
  "issuer_technical_error",
  "mcc_amount_limit_exceeded",
  "mismatch_in_transaction_details",
  "payment_amount_tampered",
  "payment_declined_due_to_high_traffic",
  "payment_failed",
  "payment_risk_check_failed",
  "payment_session_expired",
  "pin_attempts_exceeded",
  "pin_not_set",
  "psp_app_not_available",
  "psp_app_not_supported",
  "psp_not_available",
  "psp_not_registered",
  "request_timed_out",
  "server_error",
  "transaction_daily_count_exceeded",
  "transaction_daily_limit_exceeded",
  "transaction_frequency_limit_exceeded",
  "transaction_limit_exceeded",
  "transaction_on_vpa_restricted",
  "upi_app_technical_error",
  "user_not_eligible"
]

export const publishedReasons: ReadonlyArray<string> = [...new Set([...upiReasons, ...simulatedReasons, ...listed])]
