/**
 * Razorpay's error codes, as data: `error.reason`, or a word of ours for errors whose reason is `NA`, `null` or shared. `error.code` is
 * never a row: `BAD_REQUEST_ERROR` is the code of most errors.
 *
 * The reasons are those of razorpay.com/docs/errors/payments/list, without cards, installments and net banking. A reason that is not
 * here decides nothing.
 */
import { Codes } from "@paymux/provider-kit"

/** Reasons why a payment failed. None of them is final: a failed payment may be captured days later. */
const declined: { readonly [reason: string]: Codes.Decline } = {
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

const listed = "razorpay.com/docs/errors/payments/list: the request is rejected before a payment is made"

const kind = (help: string, source: string = listed): Codes.AccountFault => ({ about: "kind", help, source })

const activate = "Complete the activation of the account for live mode in Razorpay's dashboard."
const enableUpi = "Ask Razorpay to enable UPI for the account."

const accountNotEnabled: { readonly [code: string]: Codes.AccountFault } = {
  payment_method_not_enabled: kind(enableUpi),
  upi_intent_not_enabled: kind("Ask Razorpay to enable UPI Intent for the account, or use Payment Links."),
  upi_collect_not_enabled: kind("Ask Razorpay to enable UPI Collect for the account, or set allowCollect to false."),
  merchant_not_activated: kind(activate),
  live_mode_not_enabled: kind(activate),
  invalid_currency: kind("Ask Razorpay to enable the currency for the account."),
  international_transaction_not_allowed: kind("Ask Razorpay to enable international payments for the account."),
  extra_field_sent: kind(
    "Ask Razorpay to accept unique_receipt and payment.capture_options of orders for the account, or use Payment Links.",
    "razorpay.com/docs, Test S2S, Error Index, Orders: a parameter that the account does not support (400)"
  ),
  // Words of ours: see `sentences`.
  endpoint_not_enabled: kind(
    "Ask Razorpay to enable the S2S API with UPI Intent for the account (and QR codes for qr_code), or use Payment Links.",
    "razorpay-node issues 243 and 315: the account does not have this feature"
  ),
  upi_not_enabled: kind(
    enableUpi,
    "Razorpay's documentation, UPI Intent on Mobile Web, List of Possible Errors (400); the error has no payment_id"
  ),
  live_mode_disabled: kind(activate, "Razorpay's API reference, Create a Standard Payment Link, Errors (400)"),
  payment_links_not_enabled: kind(
    "Ask Razorpay to enable Payment Links for the account, or send client with ip, user_agent and referer.",
    "Public reports (400): the link is not created"
  ),
  currency_not_supported: kind(
    "Ask Razorpay to enable the currency for the account.",
    "razorpay-php issue 95, razorpay-python issue 129: the order is not created"
  ),
  bank_account_required: kind(
    "Ask Razorpay to switch off third-party validation (TPV) for the account: it requires the payer's bank account in each order.",
    "razorpay-java issue 303: the order is not created"
  ),
  // About this amount only: smaller payments succeed.
  amount_above_account_limit: {
    about: "payment",
    help: "Ask Razorpay to raise the maximum amount of a payment for the account.",
    source: "razorpay-python issue 156, razorpay-node issue 431 (400): the order or link is not created"
  }
}

/** Every code, for the request that makes a payment, and for what is read of a payment. */
export const codes = Codes.table({
  declined,
  accountNotEnabled,
  // The bank, the network or an approver still has it.
  undecided: [
    "collect_request_pending",
    "deemed_transaction",
    "payment_pending",
    "payment_pending_approval",
    "verification_failed",
    "idempotency_key_in_use"
  ],
  duplicate: [
    "duplicate_refund_id",
    "duplicate_request",
    "duplicate_rrn_found",
    "order_already_paid",
    "already_captured",
    "idempotency_key",
    "receipt_taken",
    "reference_id_taken"
  ],
  credentials: ["api_key_invalid", "merchant_suspended"]
})

/** For every other request: it declines no payment. */
export const otherCodes = Codes.withoutDeclines(codes)

/**
 * Words for `error.description`, because the reason of these errors is `NA`, `null` or `input_validation_failed`. The fragments are
 * anchored, because a description may repeat what was sent.
 */
const sentences: ReadonlyArray<readonly [fragment: RegExp, word: string]> = [
  [/^the requested url was not found on the server/i, "endpoint_not_enabled"],
  [/^upi transactions are not enabled for the merchant/i, "upi_not_enabled"],
  [/^payment links? (?:is|are) not enabled/i, "payment_links_not_enabled"],
  [/^invalid access: cannot create a payment link in live mode/i, "live_mode_disabled"],
  [/^invalid access: cannot create a payment link, as merchant is (?:suspended|blocked)/i, "merchant_suspended"],
  [/^[\w.,[\] ]{1,200} is\/are not required and should not be sent\.?$/i, "extra_field_sent"],
  [/^amount exceeds maximum amount allowed/i, "amount_above_account_limit"],
  [/^currency is not supported/i, "currency_not_supported"],
  [/^account number is mandatory for this merchant/i, "bank_account_required"],
  // The whole text: "Authentication failed due to incorrect otp" is about a payer.
  [/^authentication failed\.?$/i, "api_key_invalid"],
  [/^the api (?:key|secret|\{?key\/secret\}?) provided is invalid/i, "api_key_invalid"],
  // Error Index, Orders; the second wording is that of a public integration.
  [/^order receipt should be unique/i, "receipt_taken"],
  [/^an order with the same receipt/i, "receipt_taken"],
  // API reference, Create a Standard Payment Link, Errors; the second wording is of public reports.
  [/^payment link creation with reference id already attempted/i, "reference_id_taken"],
  [/^payment link with given reference_id/i, "reference_id_taken"],
  // API reference, Capture a Payment, Errors; razorpay-node issue 107.
  [/^(?:this )?payment (?:has|is) already (?:been )?captured/i, "already_captured"],
  [/^your payment has been declined as the order is already paid/i, "order_already_paid"],
  // API reference, Normal Refund with an idempotency key, Errors.
  [/^different request with the same idempotency key/i, "idempotency_key"],
  [/^another request with the same idempotency key is still in progress/i, "idempotency_key_in_use"]
]

/** `undefined`: no word for it. */
export const wordFor = (description: string): string | undefined =>
  sentences.find(([fragment]) => fragment.test(description.trim()))?.[1]

/** Razorpay writes `NA` where it says nothing. */
export const said = (text: string | null | undefined): string | undefined =>
  text === null || text === undefined || text === "" || text === "NA" ? undefined : shortCode(text)

/** A code is kept and shown. Anything longer is prose of the vendor, which may repeat what we sent. */
export const shortCode = (text: string): string => (/^[\w.:-]{1,100}$/.test(text) ? text : "unreadable_code")
