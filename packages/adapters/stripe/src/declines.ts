/**
 * Stripe's decline codes in the words of the contract, as data: `decline_code`, and the codes of a card error.
 *
 * `other_provider` is for what broke on the way; an issuer that said no says it to every provider. `never` is for cards that
 * no provider will accept again, for any payment: not for what is wrong with this payment, with what was typed, with
 * the account at Stripe, or in the eyes of its risk engine. Where the issuer or the network means it for good beside such
 * a code, its advice says so.
 */
import type { RetryClass } from "@paymux/core"
import type { Codes } from "@paymux/provider-kit"

const all = (codes: string, decline: Codes.Decline): { readonly [code: string]: Codes.Decline } =>
  Object.fromEntries(codes.split(" ").map((code) => [code, decline]))

export const declines: { readonly [code: string]: Codes.Decline } = {
  ...all("insufficient_funds", { code: "insufficient_funds", retry: "same_later" }),
  ...all("card_velocity_exceeded withdrawal_count_limit_exceeded card_decline_rate_limit_exceeded", {
    code: "limit_exceeded",
    retry: "same_later"
  }),
  ...all("do_not_honor call_issuer no_action_taken approve_with_id", { code: "do_not_honor", retry: "same_later" }),
  ...all(
    "card_declined generic_decline testmode_decline payment_intent_payment_attempt_failed payment_method_provider_decline",
    { code: "generic_decline", retry: "same_later" }
  ),
  ...all("payment_method_customer_decline", { code: "customer_canceled", retry: "same_later" }),
  // `payment_method_not_available`: the payment processor is temporarily unavailable (docs.stripe.com/error-codes).
  ...all("try_again_later reenter_transaction processing_error payment_method_not_available", {
    code: "processing_error",
    retry: "other_provider"
  }),
  ...all("issuer_not_available", { code: "issuer_unavailable", retry: "other_provider" }),
  // Taken for a repeat of another charge: a second road would make it one.
  ...all("duplicate_transaction", { code: "processing_error", retry: "same_later" }),
  // Invalid, or more than the card may be charged.
  ...all("invalid_amount", { code: "limit_exceeded", retry: "same_later" }),
  // The same number may be in use with another date: typed wrongly here, or on the card that followed.
  ...all("expired_card expired_payment_method invalid_expiry_month invalid_expiry_year", {
    code: "expired_card",
    retry: "same_later"
  }),
  ...all("incorrect_cvc invalid_cvc", { code: "incorrect_cvc", retry: "same_later" }),
  ...all("incorrect_number invalid_number", { code: "invalid_number", retry: "never" }),
  ...all("invalid_account", { code: "account_closed", retry: "never" }),
  // What is new may be no more than the date.
  ...all("new_account_information_available", { code: "account_closed", retry: "same_later" }),
  ...all("incorrect_pin invalid_pin offline_pin_required online_or_offline_pin_required pin_try_exceeded", {
    code: "incorrect_pin",
    retry: "same_later"
  }),
  // The address that was given with the card.
  ...all("incorrect_zip incorrect_postal_code incorrect_address", { code: "generic_decline", retry: "same_later" }),
  ...all(
    "authentication_required authentication_not_handled mobile_device_authentication_required payment_intent_action_required",
    { code: "authentication_required", retry: "same_later" }
  ),
  ...all("payment_intent_authentication_failure authentication_failure", {
    code: "authentication_failed",
    retry: "same_later"
  }),
  ...all("payment_intent_payment_attempt_expired", { code: "customer_timeout", retry: "same_later" }),
  ...all("lost_card stolen_card pickup_card", { code: "lost_or_stolen", retry: "never" }),
  // To a country or a trade, or blocked for a while: Visa counts its 62 among what may pass another time.
  ...all("restricted_card payment_method_restricted", { code: "lost_or_stolen", retry: "same_later" }),
  // Of this payment, and by Stripe's risk engine or the merchant's own lists as often as by the issuer.
  ...all("fraudulent merchant_blacklist security_violation highest_risk_level", {
    code: "suspected_fraud",
    retry: "same_later"
  }),
  ...all("do_not_try_again", { code: "not_permitted", retry: "never" }),
  // The cardholder asked the issuer to stop payments to this merchant, at every provider.
  ...all("stop_payment_order revocation_of_authorization revocation_of_all_authorizations", {
    code: "not_permitted",
    retry: "never"
  }),
  // This kind of payment, or this currency.
  ...all("not_permitted transaction_not_allowed service_not_allowed", { code: "not_permitted", retry: "same_later" }),
  ...all("card_not_supported currency_not_supported invalid_card_type", { code: "unsupported", retry: "same_later" })
}

/**
 * What the issuer (`advice_code`) and the network (`network_advice_code`, Mastercard's merchant advice) make of the class.
 * They make it stricter only: `try_again_later` is no word against another road.
 */
export const advised = (
  retry: RetryClass,
  advice: string | null | undefined,
  networkAdvice: string | null | undefined
): RetryClass => {
  if (advice === "do_not_try_again" || neverAgain.has(networkAdvice ?? "")) return "never"
  const isForLater = advice === "confirm_card_data" || later.has(networkAdvice ?? "")
  return isForLater && retry === "other_provider" ? "same_later" : retry
}

/** Do not try again; recurring payments canceled. */
const neverAgain: ReadonlySet<string> = new Set(["03", "21"])
/** New account information; not now; after an hour, a day, two, four, six, eight or ten days. */
const later: ReadonlySet<string> = new Set(["01", "02", "24", "25", "26", "27", "28", "29", "30"])

/** Of a capture, cancel or refund: a definite no, because of what became of the payment. */
export const refusals: typeof declines = all(
  "amount_too_large capture_charge_authorization_expired charge_already_captured charge_already_refunded charge_disputed " +
    "charge_expired_for_capture charge_not_refundable intent_invalid_state payment_intent_unexpected_state " +
    "refund_disputed_payment",
  { code: "processing_error", retry: "never" }
)
