/** The reasons for a decline, the same for every provider. Each adapter maps its vendor's codes to these codes. */
export const declineCodes = [
  "insufficient_funds",
  "do_not_honor",
  "expired_card",
  "incorrect_cvc",
  "invalid_number",
  "authentication_required",
  "authentication_failed",
  "lost_or_stolen",
  "suspected_fraud",
  "limit_exceeded",
  "not_permitted",
  "issuer_unavailable",
  "processing_error",
  "customer_canceled",
  "customer_timeout",
  "invalid_vpa",
  "incorrect_pin",
  "account_closed",
  "unsupported",
  "generic_decline"
] as const
/** The reason for a decline. */
export type DeclineCode = (typeof declineCodes)[number]

/**
 * The failure codes: the decline codes, and the codes of other failures, for example if no provider could be reached.
 */
export const failureCodes = [
  ...declineCodes,
  "provider_unavailable",
  "request_rejected",
  "provider_misconfigured",
  "account_not_enabled",
  "details_required",
  "authorization_expired"
] as const
export type FailureCode = (typeof failureCodes)[number]

/**
 * Whether another try may succeed after a decline.
 *
 * - `never`: no provider will accept the payment (a stolen card, a closed account).
 * - `other_provider`: another provider may accept the payment now (the issuer or a switch could not be reached).
 * - `same_later`: the same payment may succeed later (not enough funds, a limit).
 */
export type RetryClass = "never" | "other_provider" | "same_later"

export interface Failure {
  readonly code: FailureCode
  /** The failure as text for people; never the vendor's raw text. */
  readonly message: string
  /** Whether a new payment for the same purchase may succeed. */
  readonly retryable: boolean
}

const messages: { readonly [code in FailureCode]: string } = {
  insufficient_funds: "The account has not enough funds.",
  do_not_honor: "The issuer declined the payment without a reason.",
  expired_card: "The card has expired.",
  incorrect_cvc: "The security code is wrong.",
  invalid_number: "The account or card number is not valid.",
  authentication_required: "The issuer asks the payer to authenticate.",
  authentication_failed: "The payer's authentication failed.",
  lost_or_stolen: "The issuer declined the payment.",
  suspected_fraud: "The issuer declined the payment.",
  limit_exceeded: "A limit of the account or card is exceeded.",
  not_permitted: "This kind of payment is not permitted for the account or card.",
  issuer_unavailable: "The issuer could not be reached.",
  processing_error: "The payment could not be processed.",
  customer_canceled: "The payer canceled the payment.",
  customer_timeout: "The payer did not finish in time.",
  invalid_vpa: "The UPI id does not exist.",
  incorrect_pin: "The payer's PIN was wrong.",
  account_closed: "The account is closed.",
  unsupported: "The provider does not support this payment.",
  generic_decline: "The payment was declined.",
  provider_unavailable: "No provider could be reached; nothing was charged.",
  request_rejected: "The provider refused the request as invalid; nothing was charged.",
  provider_misconfigured: "The provider refused our credentials; nothing was charged.",
  account_not_enabled: "The account at the provider is not enabled for this kind of payment; nothing was charged.",
  details_required: "The account at the provider requires details that the payment does not have; nothing was charged.",
  authorization_expired: "The hold on the funds lapsed before it was captured."
}

/** Creates a failure with the fixed message for its code. */
export const failure = (code: FailureCode, retryable: boolean): Failure => ({
  code,
  message: messages[code],
  retryable
})
