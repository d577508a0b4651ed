/** How a rule chooses among its providers, as it is written. */
import { Schema } from "effect"
import { duration, metadataKey, optionally, percent, positive, text, weight } from "./words.ts"

const providers = Schema.Array(Schema.String).check(
  Schema.isMinLength(1, { message: "must name at least one provider" })
)

/** Tried in this order. */
export const Priority = Schema.Struct({
  priority: providers.annotateKey({ description: "Providers in the order they are tried." })
})

/** Shares in percent. The same `sticky_by` fact (else the same payment) always goes the same way; `seed` reshuffles. */
export const Split = Schema.Struct({
  split: Schema.Record(Schema.String, weight)
    .check(Schema.isMinProperties(1, { message: "must name at least one provider" }))
    .annotateKey({ description: "The share of each provider in percent; together 100." }),
  sticky_by: optionally(
    Schema.Union([
      Schema.Literals([
        "customer.email",
        "customer.phone_country",
        "card.bin",
        "card.network",
        "card.country",
        "card.funding",
        "stablecoin.asset",
        "stablecoin.network",
        "account"
      ]),
      metadataKey
    ]),
    "What always goes the same way, such as customer.email. Default: the payment."
  ),
  seed: optionally(text, "Any text. Another one shares the payments out anew.")
})

/** Less than a minute holds no record; longer ago than a week says little, and all of it is kept in memory. */
const window = duration(
  "Of success_rate: how far back it looks, from 1m to 7d. Default: 1h. At most the latest 250 attempts count."
).check(
  Schema.isGreaterThanOrEqualTo(60_000, { message: "must be at least 1m" }),
  Schema.isLessThanOrEqualTo(604_800_000, { message: "must be at most 7d" })
)

const expectedRate = percent("A success rate, such as 92%.").check(
  Schema.isGreaterThan(0, { message: "must be more than 0%" }),
  Schema.isLessThan(1, { message: "must be less than 100%" })
)

const Weights = Schema.Struct({
  expired: Schema.optionalKey(percent("Of a failure: an attempt that no payer paid in time. Default: 25%.")),
  authentication_failed: Schema.optionalKey(
    percent("Of a failure: an attempt whose payer was not authenticated. Default: 50%.")
  )
})

/** The one with the best record, learned from the attempts themselves, or the cheapest by `fees`. */
export const Best = Schema.Struct({
  best: Schema.Literals(["success_rate", "cost", "value"]).annotateKey({
    description:
      "success_rate: who probably takes the payment. cost: who is cheapest by `fees`. value: who leaves the most, by both."
  }),
  among: providers.annotateKey({ description: "The providers that are compared; equals are tried in this order." }),
  window: Schema.optionalKey(window),
  min_samples: optionally(
    positive,
    "Of success_rate: how many attempts outweigh what is expected of a provider, or known of it from other issuers. Default: 5."
  ),
  prior: optionally(
    Schema.Record(Schema.String, expectedRate),
    "Of success_rate: what providers are expected to take before they were tried. Default: what the others take, and a little more."
  ),
  weights: optionally(
    Weights,
    "Of success_rate: how much an attempt counts that may have failed because of the payer."
  ),
  explore: Schema.optionalKey(
    percent(
      "Of success_rate: a share that goes to the others whatever is known of them. Default: 0%, as providers that are little known get payments anyway."
    )
  ),
  margin: Schema.optionalKey(
    percent("Of value, which needs it: what a payment that is taken earns before the fee, as a share of its amount.")
  ),
  floor: Schema.optionalKey(
    percent("Of cost and value: a provider whose success rate is drawn below it comes after the others.")
  ),
  within: Schema.optionalKey(
    percent("Of cost: providers whose success rate is drawn further below the highest come after the others.")
  )
})

export type Split = typeof Split.Type
export type Best = typeof Best.Type

export const Choose = Schema.Union([Priority, Split, Best]).annotate({ identifier: "Choose" })
export type Choose = typeof Choose.Type
