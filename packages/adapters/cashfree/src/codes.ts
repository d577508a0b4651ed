/**
 * Cashfree's codes, as data: those of answers that are no success (`codes`), and those of payments (`paymentCodes`).
 *
 * A code alone is not a key: `request_failed`, `link_post_failed` and `request_invalid` stand for several things each. They
 * have no row; the error's type, or the beginning of its message, decides for them (`wordOf`).
 */
import { Codes } from "@paymux/provider-kit"

const s2sHelp =
  "Ask Cashfree (care@cashfree.com) to enable Order Pay (S2S), or remove the option s2s: payers then pay on Cashfree's page."

export const codes = Codes.table({
  undecided: [
    // The order ended between two requests, or an earlier session of it was paid.
    "order_inactive",
    "order_token_invalid",
    "orderpay_not_found",
    "payment_session_id_invalid"
  ],
  duplicate: ["idempotency_error", "link_already_exists", "order_already_exists", "refund_already_exists"],
  accountNotEnabled: {
    feature_not_enabled: {
      about: "kind",
      help: "Ask Cashfree (care@cashfree.com) to enable the feature for the account; the dashboard's API logs name it.",
      source: 'Cashfree, API reference, Errors: the type for "Requested feature is not enabled for the account"'
    },
    s2s_enabled_not_approved: {
      about: "kind",
      help: s2sHelp,
      source: "Cashfree, troubleshooting of payments: without the flag no session is created, so the payer gets nothing"
    },
    PaymentLink_link_creation_api_failed: {
      about: "kind",
      help: "Ask Cashfree (care@cashfree.com) to enable Payment Links by API (link_creation_api) for the account.",
      source: "Logs and tests of two integrators, 2026: the answer to POST /links instead of a link"
    },
    transactions_not_enabled: {
      about: "kind",
      help: "Complete the activation (KYC) of the account in Cashfree's dashboard.",
      source: "Logs and tests of several integrators, 2026: the answer to POST /orders instead of an order"
    },
    payment_mode_not_enabled: {
      about: "kind",
      help: "Enable UPI in Cashfree's dashboard: Settings > Payment Methods.",
      source: "Cashfree, troubleshooting of payments: refused before a payment is made"
    },
    payment_method_unsupported: {
      about: "kind",
      help: "Enable UPI in Cashfree's dashboard: Settings > Payment Methods.",
      source: "Cashfree, API reference, Errors: the payment method is not accepted, refused before a payment is made"
    },
    payment_gateway_unsupported: {
      about: "kind",
      help: "Ask Cashfree (care@cashfree.com) which payment gateway the account may use for UPI.",
      source: "Cashfree, API reference, Errors: the gateway is not supported, refused before a payment is made"
    },
    currency_not_enabled: {
      about: "kind",
      help: "Ask Cashfree (care@cashfree.com) to enable the currency for the account.",
      source: "getlago/lago-api, tests of payment links: the answer to POST /links instead of a link"
    },
    // No request is below 1.00 or has a third decimal: it is the account's own maximum.
    order_amount_invalid: amountAbove("order_amount"),
    link_amount_invalid: amountAbove("link_amount"),
    customer_phone_missing: phoneRefused(),
    customer_phone_invalid: phoneRefused(),
    "customer_details.customer_phone_missing": phoneRefused(),
    "customer_details.customer_phone_invalid": phoneRefused()
  },
  credentials: ["authentication_error"]
})

function amountAbove(field: string) {
  return {
    about: "payment",
    help: "Ask Cashfree to raise the account's limit of one transaction, or route larger amounts to another provider.",
    source: `Cashfree, API reference, Errors: ${field} exceeds the limits; validated before anything is made`
  } as const
}

function phoneRefused() {
  return {
    about: "customer.phone",
    help: "Send the payer's Indian mobile number as customer.phone.",
    source: "Cashfree's sandbox, as an integrator reports it: validated before anything is made"
  } as const
}

/** What a message begins with, where the code stands for several things: the word of ours that `codes` has. */
const wordings: ReadonlyArray<{
  readonly codes: ReadonlyArray<string>
  readonly begins: RegExp
  readonly word: string
}> = [
  {
    codes: ["request_failed", "api_request_failed"],
    begins: /^transactions are not enabled for your payment gateway account/i,
    word: "transactions_not_enabled"
  },
  {
    codes: ["request_failed", "api_request_failed"],
    begins: /^payment mode not (?:enabled|configured) for/i,
    word: "payment_mode_not_enabled"
  },
  {
    codes: ["request_failed", "api_request_failed"],
    begins: /^[\w/ -]{1,60} is not enabled or approved/i,
    word: "feature_not_enabled"
  },
  { codes: ["link_post_failed"], begins: /^currency [a-z]{3} is not enabled/i, word: "currency_not_enabled" },
  { codes: ["link_post_failed"], begins: /^link_id already exists/i, word: "link_already_exists" }
]

/** `null`: the code says enough, or the message is not known. */
export const wordOf = (code: string | null, message: string | null): string | null =>
  code === null || message === null
    ? null
    : (wordings.find((each) => each.codes.includes(code) && each.begins.test(message))?.word ?? null)

export const paymentCodes = Codes.table({
  declined: {
    // `error_code_raw`: response codes of the UPI network, as banks and payment service providers publish them.
    "59": { code: "suspected_fraud", retry: "never" },
    B1: { code: "not_permitted", retry: "never" },
    B3: { code: "not_permitted", retry: "never" },
    B6: { code: "processing_error", retry: "same_later" },
    U28: { code: "issuer_unavailable", retry: "other_provider" },
    U30: { code: "do_not_honor", retry: "same_later" },
    U69: { code: "customer_timeout", retry: "same_later" },
    XB: { code: "do_not_honor", retry: "same_later" },
    XC: { code: "processing_error", retry: "other_provider" },
    XH: { code: "account_closed", retry: "never" },
    XI: { code: "processing_error", retry: "other_provider" },
    YE: { code: "not_permitted", retry: "never" },
    YF: { code: "processing_error", retry: "other_provider" },
    Z6: { code: "incorrect_pin", retry: "same_later" },
    Z7: { code: "limit_exceeded", retry: "same_later" },
    Z8: { code: "limit_exceeded", retry: "same_later" },
    Z9: { code: "insufficient_funds", retry: "same_later" },
    ZA: { code: "customer_canceled", retry: "same_later" },
    ZE: { code: "not_permitted", retry: "never" },
    ZG: { code: "not_permitted", retry: "never" },
    ZH: { code: "invalid_vpa", retry: "never" },
    ZM: { code: "incorrect_pin", retry: "same_later" },
    // `error_reason`
    auth_declined: { code: "do_not_honor", retry: "same_later" },
    bank_rejected: { code: "do_not_honor", retry: "same_later" },
    // `error_code`
    ISSUER_NOT_AVAILABLE: { code: "issuer_unavailable", retry: "other_provider" },
    TRANSACTION_DECLINED: { code: "generic_decline", retry: "same_later" },
    // `payment_status`. The payer's time was over; a success after that is reversed, and called cancelled.
    USER_DROPPED: { code: "customer_timeout", retry: "same_later" },
    CANCELLED: { code: "customer_timeout", retry: "same_later" }
  },
  // `error_code_raw`: in progress (`01`), timed out between the banks (`BT`, `U67`, `U68`) or deemed (`RB`, `96`). The money may
  // have been taken, and a success may follow.
  undecided: ["01", "96", "BT", "RB", "U67", "U68"]
})
