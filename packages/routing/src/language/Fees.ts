/** What providers take, as it is written. */
import { Schema } from "effect"
import { cardNetwork, chain, country, fundings } from "./When.ts"
import { iso4217, list, minorUnits, optionally, weight } from "./words.ts"

const oneOrMore = <S extends Schema.Constraint>(value: S) => Schema.Union([value, list(value)])

/** Percent of the amount, and minor units by currency. */
const amounts = {
  percent: optionally(weight, "Percent of the amount."),
  fixed: optionally(Schema.Record(iso4217, minorUnits), "Per payment in the smallest unit, by currency.")
}

/** Named like the conditions of a rule. */
const conditions = {
  "card.network": optionally(oneOrMore(cardNetwork), "Such as amex."),
  "card.country": optionally(oneOrMore(country), "ISO 3166 code of the issuer's country."),
  "card.funding": optionally(oneOrMore(Schema.Literals(fundings)), "Such as credit."),
  "stablecoin.network": optionally(oneOrMore(chain), "Such as base.")
}
export type FeeCondition = keyof typeof conditions

const OtherFee = Schema.Struct({ ...conditions, ...amounts }).check(
  Schema.makeFilter((fee: object) => Object.keys(conditions).some((key) => Object.hasOwn(fee, key)), {
    message: `must have one of ${Object.keys(conditions)
      .map((key) => `\`${key}\``)
      .join(", ")}`
  })
)
export type OtherFee = typeof OtherFee.Type

const Fee = Schema.Struct({
  ...amounts,
  except: optionally(list(OtherFee), "Other fees: the first whose conditions all hold replaces the fee.")
}).annotate({ identifier: "Fee" })
export type WrittenFee = typeof Fee.Type

/** By payment method. */
const ProviderFees = Schema.Struct({
  upi: optionally(Fee, "For payments by upi."),
  card: optionally(Fee, "For payments by card."),
  stablecoin: optionally(Fee, "For payments by stablecoin.")
})
export type ProviderFees = typeof ProviderFees.Type

/** By provider: what `best: cost` and `best: value` compare. */
export const Fees = Schema.Record(Schema.String, ProviderFees)
export type Fees = typeof Fees.Type
