/** How a rule chooses among its providers, as it is written. */
import { Schema } from "effect"
import { duration, metadataKey, name, optionally, percent, positive, text, weight } from "./words.ts"

const providers = Schema.Array(Schema.String).check(
  Schema.isMinLength(1, { message: "must name at least one provider" })
)

/** Tried in this order. */
const Priority = Schema.Struct({
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
  seed: optionally(text, "Any text. Another one shares the payments out anew."),
  experiment: optionally(
    name,
    "The name of an experiment whose arms are the providers: each payment keeps its arm, for `paymux rules experiment`."
  )
})

/** Less than a minute holds no record; longer ago than a week says little, and all of it is kept in memory. */
const window = duration(
  "Of success rates: how far back they reach, from 1m to 7d. Default: 1h. About the latest 250 attempts count."
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

/** By success rates, which are learned from the attempts, by `fees`, or by both. */
export const Best = Schema.Struct({
  best: Schema.Literals(["success_rate", "cost", "value"]).annotateKey({
    description:
      "success_rate: the provider with the highest success rate. cost: the cheapest by `fees`. value: the one that leaves the most, by both."
  }),
  among: providers.annotateKey({ description: "The providers that are compared; equals are tried in this order." }),
  window: Schema.optionalKey(window),
  min_samples: optionally(
    positive,
    "How many attempts with one network, country or issuer outweigh the success rate of all of them. Default: 20."
  ),
  prior: optionally(
    Schema.Record(Schema.String, expectedRate),
    "The success rate that is expected of a provider before its first attempts. Default: that of all of them, and a little more."
  ),
  weights: optionally(Weights, "How much attempts count that may have failed because of the payer."),
  explore: Schema.optionalKey(
    percent(
      "Of success_rate: a share that goes to the others, whatever their success rates are. Default: 0%, as providers with few attempts get payments anyway."
    )
  ),
  margin: Schema.optionalKey(
    percent("Of value, which needs it: what a paid payment earns before the fee, as a share of its amount.")
  ),
  floor: Schema.optionalKey(
    percent("Of cost and value: a provider whose success rate is below it comes after the others.")
  ),
  within: Schema.optionalKey(
    percent("Of cost: providers whose success rate is further below the highest come after the others.")
  )
})

export type Split = typeof Split.Type
export type Best = typeof Best.Type

export const Choose = Schema.Union([Priority, Split, Best]).annotate({ identifier: "Choose" })
export type Choose = typeof Choose.Type
