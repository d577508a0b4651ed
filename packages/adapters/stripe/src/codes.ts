/**
 * What Stripe's error codes mean, as data. What is not listed means what its status means.
 *
 * Sources: the texts of docs.stripe.com/error-codes, and the closed list in the types of the SDK 23.1.0 (`PaymentIntents.d.ts`). Errors
 * without a code have a word of ours, from `messages.ts`. An account fault counts only if the PaymentIntent in the error, if any,
 * has collected nothing: see `errors.ts`.
 */
import { Codes } from "@paymux/provider-kit"
import { declines, refusals } from "./declines.ts"

const about = (
  what: Codes.AccountFault["about"],
  source: string,
  faults: { readonly [code: string]: string }
): { readonly [code: string]: Codes.AccountFault } =>
  Object.fromEntries(Object.entries(faults).map(([code, help]) => [code, { about: what, help, source }]))

// cspell:ignore unactivated

/** Every payment of the flow and currency. */
const kinds = {
  ...about("kind", "docs.stripe.com/error-codes: the operation cannot be performed", {
    testmode_charges_only: "Activate your account in Stripe's Dashboard: until then it takes test payments only.",
    payment_method_unactivated: "Activate cards in Stripe's Dashboard, Settings, Payment methods."
  }),
  ...about("kind", "Stripe SDK 23.1.0: a code of errors about PaymentIntents, without a description", {
    capability_not_active: "Activate the capability card_payments of your account: see Stripe's Dashboard, Settings."
  }),
  ...about(
    "kind",
    "The message in github.com/Automattic/woocommerce-payments#248: a PaymentIntent that received nothing",
    {
      charges_disabled: "Stripe has disabled charges of your account: its Dashboard shows what it needs from you."
    }
  ),
  ...about("kind", "The message: the request is rejected before a payment is made (see messages.ts)", {
    no_payment_method_types: "Turn on cards for this currency in Stripe's Dashboard, Settings, Payment methods.",
    payment_method_types_inactive: "Turn on cards in Stripe's Dashboard, Settings, Payment methods.",
    business_name_missing: "Set a business name in Stripe's Dashboard: its payment page needs one.",
    account_currency: "Your Stripe account does not take this currency: route it to another provider.",
    card_payments_inactive: "Activate the capability card_payments of your account: see Stripe's Dashboard, Settings."
  }),
  ...about("kind", "support.stripe.com: failed international payments from Stripe accounts in India", {
    india_not_a_business:
      "Stripe exports for registered Indian businesses only: register yours, or route currencies other than INR elsewhere.",
    india_purpose_code: "Set the transaction purpose code for exports in Stripe's Dashboard."
  })
}

/** This payment: its amount, or its card. */
const payments = {
  ...about("payment", "docs.stripe.com/error-codes: the amount is refused before the charge", {
    amount_too_small:
      "Stripe's minimum depends on the currency that your account settles in: route small amounts elsewhere.",
    amount_too_large: "Stripe refuses the amount: route such amounts to another provider.",
    invalid_charge_amount: "Stripe refuses the amount: route such amounts to another provider.",
    charge_exceeds_source_limit: "Ask Stripe for a higher processing limit."
  }),
  ...about(
    "payment",
    "docs.stripe.com/error-codes: the card has no billing address, which only its own page can send",
    {
      payment_method_billing_details_address_missing: "Collect the billing address with the card, in Stripe.js."
    }
  ),
  ...about("payment", "docs.stripe.com/error-codes: a parameter is not allowed for this PaymentIntent", {
    payment_intent_invalid_parameter:
      "Look for the request in Stripe's Dashboard, Developers, Logs: it names the parameter."
  }),
  ...about("payment", "support.stripe.com: failed international payments from Stripe accounts in India", {
    india_foreign_card:
      "Your Stripe account in India may not take cards of other countries: complete its export settings.",
    india_domestic_currency: "Indian cards pay a Stripe account in India in INR only.",
    india_export_details:
      "Collect the billing name and address with the card: see the README of @paymux/stripe, Accounts in India."
  }),
  ...about("payment", "The message in github.com/liberapay/liberapay.com#1606: the account is not enabled", {
    cross_border: "Enable international payments in Stripe's Dashboard (dashboard.stripe.com/account/international)."
  })
}

const missing = "docs.stripe.com/error-codes: the request lacks a parameter"

const codesOfFacts = {
  ...about("customer.name", missing, {
    customer_name_missing: "Send customer.name: an account in India needs it for payments from other countries."
  }),
  ...about("customer.address", missing, {
    customer_address_missing: "Send customer.address: an account in India needs it for payments from other countries."
  }),
  ...about("description", missing, {
    description_missing: "Send description: an account in India needs it for payments from other countries."
  })
}

const common = {
  duplicate: ["idempotency_error"],
  credentials: ["api_key_expired", "platform_api_key_expired", "secret_key_required"],
  // The form is fixed, and its version pinned. `platform_account_required` is of Connect, which is not used.
  request: ["parameter_unknown", "platform_account_required"]
}

/** Of a create. */
export const codes: Codes.Table = Codes.table({
  ...common,
  declined: declines,
  // An earlier send made the PaymentIntent, which has proceeded since.
  undecided: ["idempotency_key_in_use", "payment_intent_unexpected_state", "intent_invalid_state"],
  accountNotEnabled: { ...kinds, ...payments, ...codesOfFacts }
})

/** Of a capture, cancel or refund. */
export const laterCodes: Codes.Table = Codes.table({
  ...common,
  declined: { ...declines, ...refusals },
  undecided: ["idempotency_key_in_use"]
})

/** Of a request that only reads. */
export const readCodes: Codes.Table = Codes.withoutDeclines(laterCodes)
