/** The Schema of `choose`: how a rule chooses among its providers. */
import { Schema } from "effect"
import { duration, metadataKey, name, notEmpty, optionally, percent, positive, text, weight } from "./words.ts"

const providers = Schema.Array(Schema.String).check(
  Schema.isMinLength(1, { message: "must name at least one provider" })
)

/** The choice `priority`: providers are tried in the order of the list. */
const Priority = Schema.Struct({
  priority: providers.annotateKey({ description: "Providers in the order they are tried." })
})

/**
 * The choice `split`: shares of payments in percent. Payments with the same `sticky_by` fact get the same provider;
 * another `seed` reassigns them.
 */
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

/**
 * The learning window of a rule. Less than a minute would have too few attempts. More than a week would be outdated,
 * and all attempts of the window are kept in memory.
 */
const window = duration(
  "Of success rates: how far back they reach, from 1m to 7d. Default: 1h where at least 60 attempts of the method and flow come in an hour, otherwise up to 24h; longer where outcomes come late.",
  'must be a duration from 1m to 7d, such as "1h"'
).check(
  Schema.isGreaterThanOrEqualTo(60_000, { message: "must be at least 1m" }),
  Schema.isLessThanOrEqualTo(604_800_000, { message: "must be at most 7d" })
)

const expectedRate = percent("A success rate, such as 92%.").check(
  Schema.isGreaterThan(0, { message: "must be more than 0%" }),
  Schema.isLessThan(1, { message: "must be less than 100%" })
)

/**
 * The weights of expired and canceled attempts as failures. In neither is money taken, so by default both count fully.
 */
const Weights = Schema.Struct({
  expired: Schema.optionalKey(percent("Of a failure: an attempt that no payer paid in time. Default: 100%.")),
  authentication_failed: Schema.optionalKey(
    percent("Of a failure: an attempt whose payer was not authenticated. Default: 100%.")
  )
})

/** The maximum number of `segments`: more would divide the attempts into segments that are too small. */
const MOST_SEGMENTS = 4

const always = [
  "payment_method",
  "flow",
  "currency",
  "card.network",
  "card.country",
  "card.funding",
  "card.bin",
  "stablecoin.network"
].map((fact) => [fact, `attempts are always distinguished by ${fact}`])

const never = [
  "capture_method",
  "customer.email",
  "customer.phone_country",
  "stablecoin.asset",
  "livemode",
  "time"
].map((fact) => [fact, `attempts cannot be distinguished by ${fact}`])

const segments = Schema.Array(
  Schema.Union([Schema.Literals(["account", "amount"]), metadataKey]).annotate({
    refusals: Object.fromEntries([...always, ...never])
  })
).check(notEmpty, Schema.isMaxLength(MOST_SEGMENTS, { message: `must have at most ${MOST_SEGMENTS} entries` }))

/** The choice `best`: providers are ordered by success rates learned from attempts, by `fees`, or by both. */
export const Best = Schema.Struct({
  best: Schema.Literals(["success_rate", "cost", "value"]).annotateKey({
    description:
      "success_rate: the provider with the highest success rate. cost: the cheapest by `fees`. value: the one that leaves the most, by both."
  }),
  among: providers.annotateKey({ description: "The providers that are compared; equals are tried in this order." }),
  window: Schema.optionalKey(window),
  segments: optionally(
    segments,
    "By what attempts are distinguished beside method, flow, currency, network, country, funding and issuer: account, amount (its number of digits in the smallest unit) and metadata.<key>, at most 4."
  ),
  learn_from: optionally(
    Schema.Literals(["all", "account", "rule"]),
    "The attempts that success rates are learned from: all of them, those of the payment's account, or those that this rule decided. Default: all."
  ),
  min_samples: optionally(
    positive,
    "How many attempts the success rate of the wider segment counts as, where both seem alike. Default: 40."
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
