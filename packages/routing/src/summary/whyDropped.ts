/** Explains why providers were dropped, as a clause of a sentence. */
import type { DropReason } from "@paymux/core/routing"
import type { Facts } from "../Facts.ts"
import { cut, joined } from "./lists.ts"

/**
 * Formats the clause. `providers` are all providers with this reason, at least one.
 *
 * @example
 * ```ts
 * whyDropped(["it"], "currency_not_supported", facts) // => "it does not support EUR"
 * whyDropped(["adyen", "stripe"], "outage: fire drill", facts) // => "adyen and stripe have a planned outage (fire drill)"
 * ```
 */
export const whyDropped = (providers: ReadonlyArray<string>, reason: string, facts: Facts): string => {
  const who = joined(providers)
  if (reason === "excluded") return `the rules exclude ${who}`
  const [verb, rest] = predicateOf(reason, facts)
  return `${who} ${providers.length === 1 ? singular[verb] : verb} ${rest}`
}

const singular = { "do not": "does not", have: "has", require: "requires", take: "takes", were: "was" } as const

/** The predicate of the clause: its verb in the plural, and the rest. */
type Predicate = readonly [keyof typeof singular, string]

const predicateOf = (reason: string, facts: Facts): Predicate => {
  if (reason === "outage") return ["have", "a planned outage"]
  if (reason.startsWith(OUTAGE)) return ["have", `a planned outage (${cut(reason.slice(OUTAGE.length))})`]
  // An unknown reason was stored by another router or release.
  return isKnown(reason) ? predicates[reason](facts) : ["were", `dropped with the reason "${cut(reason)}"`]
}

const OUTAGE = "outage: "

const isKnown = (reason: string): reason is DropReason => Object.hasOwn(predicates, reason)

const predicates: { readonly [reason in DropReason]: (facts: Facts) => Predicate } = {
  retired: () => ["take", "no new payments (retired)"],
  mode_mismatch: ({ livemode }) => ["take", `${livemode ? "test" : "live"} payments only`],
  method_not_supported: ({ payment_method }) => ["do not", `support ${payment_method} payments`],
  flow_not_supported: ({ flow }) => ["do not", `support the ${flow} flow`],
  currency_not_supported: ({ currency }) => ["do not", `support ${currency}`],
  amount_too_small: () => ["require", "a larger amount"],
  amount_too_large: () => ["do not", "accept an amount this large"],
  capture_method_not_supported: ({ capture_method }) => ["do not", `support ${capture_method} capture`],
  asset_not_supported: (facts) => ["do not", `support ${facts["stablecoin.asset"] ?? "the asset"}`],
  network_not_supported: (facts) => [
    "do not",
    `support the network ${facts["card.network"] ?? facts["stablecoin.network"] ?? "of the payment"}`
  ],
  customer_phone_not_supported: () => ["do not", "accept the customer's phone number"],
  customer_phone_required: () => ["require", "the customer's phone number"],
  customer_email_required: () => ["require", "the customer's e-mail address"],
  client_required: () => ["require", "data of the client that the payment lacks"],
  customer_name_required: () => ["require", "the customer's name"],
  customer_address_required: () => ["require", "the customer's address"],
  description_required: () => ["require", "a description"],
  return_url_required: () => ["require", "a return URL"],
  no_usable_token: () => ["have", "no usable card token"]
}
