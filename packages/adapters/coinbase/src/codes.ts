/**
 * Coinbase's `errorType`s, as data: what each means for a create, and for a capture, a void or a refund.
 *
 * Sources: `spec` is what CDP's OpenAPI 2.0.0 says of each `ErrorType` (`x-error-instructions`), `pages` the errors pages of the
 * Payment APIs and of Payment Acceptance, which publish the HTTP status of about half of them, and of every 4xx that it "failed given
 * the information provided". A session is paid on the page that only a successful response has: a refused create takes nothing.
 *
 * A type that is not listed means what its status means: the types of other products, such as `otp_verification_invalid`.
 */
import type { DeclineCode, RetryClass } from "@paymux/core"
import { Codes } from "@paymux/provider-kit"

const spec = "coinbase/cdp-sdk openapi.yaml 2.0.0, ErrorType"
const pages = `${spec}; docs.cdp.coinbase.com, Payment APIs, API Errors, HTTP 400`

const each = <A>(types: string, meaning: A): { readonly [errorType: string]: A } =>
  Object.fromEntries(types.split(" ").map((type) => [type, meaning]))

const no = (code: DeclineCode, retry: RetryClass = "same_later"): Codes.Decline => ({ code, retry })

const kind = (types: string, help: string, source: string) => each(types, { about: "kind", help, source } as const)

const declined = {
  ...each("payment_session_already_canceled payment_session_already_authorized", no("processing_error", "never")),
  ...each("no_capturable_balance no_voidable_balance no_refundable_balance", no("processing_error", "never")),
  ...each("capture_expired refund_expired", no("processing_error", "never")),
  ...each("authorization_expired", no("customer_timeout")),
  // Of refunds: what they are paid from. Of authorizations: the payer.
  ...each("insufficient_balance insufficient_allowance insufficient_liquidity", no("insufficient_funds")),
  ...each("daily_transaction_limit_exceeded daily_amount_limit_exceeded account_limit_exceeded", no("limit_exceeded")),
  ...each("policy_violation travel_rules_recipient_violation customer_not_authorized", no("not_permitted")),
  ...each("settlement_failed transaction_simulation_failed", no("processing_error"))
}

/** The account, and what the instance's options say about it. */
const account = {
  ...kind(
    "entity_not_configured_for_payment_acceptance",
    "Payment Acceptance is not self-serve: ask Coinbase (coinbase.payments@coinbase.com) to enable it for your entity.",
    spec
  ),
  ...kind(
    "account_not_ready",
    "Wait until Coinbase has set up the account, and contact its support if it does not.",
    pages
  ),
  ...kind(
    "payment_method_required",
    "Add a valid payment method to your Coinbase account in the CDP Portal.",
    `${spec}; docs.cdp.coinbase.com, Payment APIs, API Errors, HTTP 402`
  ),
  ...kind(
    "target_account_not_found target_account_invalid",
    "Set the option target.accountId to an account of this CDP entity, as GET /v2/accounts lists it.",
    pages
  ),
  ...kind(
    "target_asset_not_supported transfer_asset_not_supported asset_mismatch",
    "Set the options asset and target.asset to assets that the account can receive.",
    pages
  ),
  ...kind("network_mismatch", "Set the option target.network to the network of the target.", spec)
}

const ofEveryRequest = {
  credentials: ["unauthorized", "forbidden"],
  // They say nothing about the first request.
  duplicate: ["idempotency_error", "already_exists"]
}
const request = ["invalid_request", "malformed_transaction", "transfer_amount_invalid"]
const metadata = ["metadata_too_many_entries", "metadata_key_too_long", "metadata_value_too_long"]

/** The proof that is declared: of a capture, void or refund that was not begun. */
export const actionPending = "payment_session_action_pending"

const allowlist = "recipient_allowlist_violation recipient_allowlist_pending"
const buyer = `${spec}; PaymentSessionCompliance.buyer: "a 400 listing the specific fields needed"`

/** `POST /v2/payment-sessions`. */
export const createCodes = Codes.table({
  ...ofEveryRequest,
  declined,
  undecided: [actionPending],
  accountNotEnabled: {
    ...account,
    ...kind(
      "target_onchain_address_invalid",
      "Set the options target.address and target.network to an address of that network.",
      pages
    ),
    ...kind(
      allowlist,
      "Add the address of the option target to the allowlist at coinbase.com/settings/allowlist; Coinbase needs about two days.",
      pages
    ),
    ...each("travel_rules_field_missing buyer_address_missing", {
      about: "customer.address",
      help: "Send customer.name and a complete customer.address: Coinbase requires both of this entity.",
      source: buyer
    } as const),
    buyer_name_missing: {
      about: "customer.name",
      help: "Send customer.name: Coinbase requires the buyer's full name of this entity.",
      source: buyer
    },
    buyer_fields_missing: {
      about: "payment",
      help: "Send customer.name, customer.address and client.ip: Coinbase requires more about the buyer.",
      source: buyer
    }
  },
  request: [...request, ...metadata, "source_account_invalid", "source_account_not_found", "source_asset_not_supported"]
})

/** Captures, voids and refunds of a session. */
export const actionCodes = Codes.table({
  ...ofEveryRequest,
  declined: { ...declined, ...each(allowlist, no("not_permitted")) },
  accountNotEnabled: {
    ...account,
    ...kind(
      "source_account_invalid source_account_not_found source_asset_not_supported",
      "Set the option refundFrom to an account of this CDP entity that holds the session's asset.",
      pages
    )
  },
  request: [...request, ...metadata, "target_onchain_address_invalid", "travel_rules_field_missing"]
})

/** `error.code` of an authorization that failed: those that are published. */
export const authorizationCodes = Codes.table({
  declined: {
    insufficient_funds: no("insufficient_funds"),
    authorization_expired: no("customer_timeout"),
    invalid_signature: no("authentication_failed")
  }
})

/**
 * The request may have been executed, whatever status carries the type: `timed_out` and the two next to it are published under
 * HTTP 400, and `endpoint_unavailable` is an outage of one endpoint.
 */
export const unanswered: ReadonlySet<string> = new Set([
  "timed_out",
  "client_closed_request",
  "request_canceled",
  "endpoint_unavailable"
])

/**
 * Faults that the errors page publishes under `invalid_request`, by a fixed part of their message. Only `Missing fields` is
 * documented for sessions, without its text; the others are those of transfers.
 */
export const fragments: ReadonlyArray<readonly [fragment: RegExp, code: string]> = [
  [/missing fields?:.*address/is, "buyer_address_missing"],
  [/missing fields?:.*name/is, "buyer_name_missing"],
  [/missing fields?/i, "buyer_fields_missing"],
  [/^target is invalid/i, "target_account_invalid"],
  [/^target not found/i, "target_account_not_found"],
  [/^target is not supported/i, "target_asset_not_supported"],
  [/asset pair is not supported/i, "transfer_asset_not_supported"],
  [/^currency mismatch/i, "asset_mismatch"],
  [/address is invalid for the selected network/i, "target_onchain_address_invalid"],
  [/allowlist does not include/i, "recipient_allowlist_violation"],
  [/^source is invalid/i, "source_account_invalid"],
  [/^source not found/i, "source_account_not_found"],
  [/^source is not supported/i, "source_asset_not_supported"],
  [/^insufficient funds to complete/i, "insufficient_balance"]
]
