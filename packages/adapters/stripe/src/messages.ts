/**
 * Stripe's errors without a code of their own, as a word of ours for the table in `codes.ts`.
 *
 * Most errors about the account have a message only. A fixed part of it is compared, in lower case, and never kept. Stripe may
 * reword a message: it then means what its status means.
 */
import type { ProviderOperation } from "@paymux/core"
import type * as Wire from "./wire.ts"

/** What a refused create is about; `null`: it has a code that decides, or says nothing that is listed. */
export const wordOf = (error: Wire.Refusal, operation: ProviderOperation): string | null => {
  if (error.type !== "invalid_request_error") return null
  const { code = null, message, param } = error
  // The merchant writes the keys and values, and the message may repeat them.
  if (/(?:^|\[)metadata\]?\[/.test(param ?? "")) return null
  const text = message?.toLowerCase() ?? ""
  const sign = signs.find(
    (each) => each.code === code && (each.param?.test(param ?? "") ?? true) && text.includes(each.text ?? "")
  )
  return sign === undefined ? null : narrowed(sign.word, operation)
}

/** What an error is recognized by: its code, with its parameter or a part of its message. */
interface Sign {
  readonly code: string | null
  readonly param?: RegExp
  readonly text?: string
  readonly word: string
}

const ofMessage = (text: string, word: string, code: string | null = null): Sign => ({ code, text, word })

// cspell:ignore antiwork carsnoop flowcore gumroad luttaka nateshmbhat opencollective restrictcontentpro webbot

const noMethods = "no valid payment method types for this"

/**
 * The first one that fits decides. Of India: support.stripe.com/questions/failed-international-payments-from-stripe-accounts-in-india.
 *
 * @internal Exported for the test of each message.
 */
export const signs: ReadonlyArray<Sign> = [
  // github.com/Automattic/woocommerce-payments#7187
  { code: "parameter_missing", param: /shipping\]?\[name\]$/, word: "customer_name_missing" },
  { code: "parameter_missing", param: /shipping\]?\[address\]/, word: "customer_address_missing" },
  { code: "parameter_missing", param: /^description$|\[description\]$/, word: "description_missing" },
  // github.com/restrictcontentpro/restrict-content-pro#148, flowcore-io/luttaka-open#100
  { code: null, param: /^currency$|\[currency\]$/, word: "account_currency" },
  ofMessage("goods export transactions require a billing and a shipping address", "india_export_details"),
  // github.com/stripe/stripe-php#895, stripe/stripe-cli#367
  ofMessage("export transactions require a customer name and address", "india_export_details"),
  // github.com/stripe/stripe-php#791
  ofMessage("customer name and address are required for non-inr", "india_export_details"),
  // github.com/CleverProgrammers/react-challenge-amazon-clone#28
  ofMessage("export transactions require a description", "description_missing"),
  // github.com/liberapay/liberapay.com#1606
  ofMessage("only registered indian businesses", "india_not_a_business"),
  ofMessage("export transactions require a purpose code", "india_purpose_code"),
  ofMessage("domestic transactions in india must present in inr", "india_domestic_currency"),
  // github.com/liberapay/liberapay.com#1606, nateshmbhat/webbot#64
  ofMessage("enabled to make cross border transactions", "cross_border"),
  // github.com/Automattic/woocommerce-payments#248, antiwork/gumroad#4479, opencollective/opencollective#5997
  ofMessage("cannot currently make charges", "charges_disabled"),
  ofMessage("cannot currently make live charges", "charges_disabled"),
  // github.com/CarSnoop-Inc/carsnoop-issues#135
  ofMessage(noMethods, "no_payment_method_types"),
  ofMessage(noMethods, "no_payment_method_types", "payment_intent_invalid_parameter"),
  // github.com/opencollective/opencollective#8564
  ofMessage("please ensure the provided types are activated", "payment_method_types_inactive"),
  // github.com/stripe-samples/checkout-single-subscription#34, stripe/vscode-stripe#631
  ofMessage("you must set an account or business name", "business_name_missing"),
  // With the status 402: github.com/stripe/stripe-node#737
  ofMessage("without the card_payments capability enabled", "card_payments_inactive"),
  ofMessage("without the `card_payments` capability enabled", "card_payments_inactive")
]

/**
 * In INR only payments by foreign cards are exports. The address is sent with the name or not at all; where both were sent, they
 * have to come with the card.
 */
const narrowed = (word: string, { amount, customer }: ProviderOperation): string => {
  switch (word) {
    case "india_not_a_business":
    case "india_purpose_code":
      return amount.currency === "INR" ? "india_foreign_card" : word
    case "india_export_details":
      if (customer.name === null) return "customer_name_missing"
      return customer.address === null ? "customer_address_missing" : word
    default:
      return word
  }
}
