/** How Stripe says that a card took nothing: written from what is published, and not from the adapter. */

/** `decline_code`, beside the code `card_declined`. */
const declineCodes = (
  "approve_with_id call_issuer card_not_supported card_velocity_exceeded currency_not_supported do_not_honor " +
  "do_not_try_again duplicate_transaction fraudulent generic_decline incorrect_pin insufficient_funds invalid_account " +
  "invalid_amount invalid_pin issuer_not_available lost_card merchant_blacklist new_account_information_available " +
  "no_action_taken not_permitted offline_pin_required online_or_offline_pin_required pickup_card pin_try_exceeded " +
  "reenter_transaction restricted_card revocation_of_all_authorizations revocation_of_authorization security_violation " +
  "service_not_allowed stolen_card stop_payment_order testmode_decline transaction_not_allowed try_again_later " +
  "withdrawal_count_limit_exceeded"
).split(" ")

/** `code` alone says it. */
const errorCodes = (
  "authentication_required card_decline_rate_limit_exceeded card_declined expired_card expired_payment_method " +
  "incorrect_address incorrect_cvc incorrect_number incorrect_postal_code incorrect_zip invalid_cvc invalid_expiry_month " +
  "invalid_expiry_year invalid_number payment_intent_action_required payment_intent_authentication_failure " +
  "payment_intent_payment_attempt_expired payment_intent_payment_attempt_failed payment_method_customer_decline " +
  "payment_method_not_available payment_method_provider_decline payment_method_restricted processing_error"
).split(" ")

export const codes = [...declineCodes, ...errorCodes]

/** The error that a card was declined with. */
export const errorBy = (code: string) => ({
  type: "card_error",
  ...(declineCodes.includes(code) ? { code: "card_declined", decline_code: code } : { code }),
  message: "Your card was declined. IN STRIPE'S WORDS"
})
