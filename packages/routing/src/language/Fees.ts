/** The Schema of `fees`: the fees of providers. */
import { Schema } from "effect"
import { cardNetwork, chain, country, fundings } from "./When.ts"
import { iso4217, list, minorUnits, optionally, weight } from "./words.ts"

const oneOrMore = <S extends Schema.Constraint>(value: S) => Schema.Union([value, list(value)])

/** The amounts of a fee: a percentage of the amount, and fixed minor units by currency. */
const amounts = {
  percent: optionally(weight, "Percent of the amount."),
  fixed: optionally(Schema.Record(iso4217, minorUnits), "Per payment in the smallest unit, by currency.")
}

/** The conditions of a fee exception, with the same names as in `when`. */
const ofCards = {
  "card.network": optionally(oneOrMore(cardNetwork), "Such as amex."),
  "card.country": optionally(oneOrMore(country), "ISO 3166 code of the issuer's country."),
  "card.funding": optionally(oneOrMore(Schema.Literals(fundings)), "Such as credit.")
}
const ofStablecoins = { "stablecoin.network": optionally(oneOrMore(chain), "Such as base.") }

type FeeCondition = keyof typeof ofCards | keyof typeof ofStablecoins

// Cast at a type boundary: `Object.keys` is typed as strings, although the object has no other keys.
export const feeConditions = Object.keys({ ...ofCards, ...ofStablecoins }) as ReadonlyArray<FeeCondition>

/** Requires that an exception has a condition and an amount, since without an amount its fee would be zero. */
const withBoth = (conditions: object) => {
  const one = Object.keys(conditions)
  return Schema.makeFilter(
    (fee: object) =>
      one.some((key) => Object.hasOwn(fee, key)) && Object.keys(amounts).some((key) => Object.hasOwn(fee, key)),
    { message: `must have ${one.map((key) => `\`${key}\``).join(" or ")}, and \`percent\` or \`fixed\`` }
  )
}

const exceptions = "Other fees: the first whose conditions all hold replaces the whole fee."

const CardFee = Schema.Struct({
  ...amounts,
  except: optionally(list(Schema.Struct({ ...ofCards, ...amounts }).check(withBoth(ofCards))), exceptions)
}).annotate({ identifier: "CardFee" })

const StablecoinFee = Schema.Struct({
  ...amounts,
  except: optionally(list(Schema.Struct({ ...ofStablecoins, ...amounts }).check(withBoth(ofStablecoins))), exceptions)
}).annotate({ identifier: "StablecoinFee" })

const Fee = Schema.Struct(amounts).annotate({ identifier: "Fee" })

type Amounts = typeof Fee.Type
export type OtherFee = Amounts & { readonly [condition in FeeCondition]?: string | ReadonlyArray<string> }
/** The type of a fee before decoding. It fits the fee of any payment method. */
export type WrittenFee = Amounts & { readonly except?: ReadonlyArray<OtherFee> }

/** The fees of a provider by payment method. */
const ProviderFees = Schema.Struct({
  upi: optionally(Fee, "For payments by upi."),
  card: optionally(CardFee, "For payments by card."),
  stablecoin: optionally(StablecoinFee, "For payments by stablecoin.")
})
export type ProviderFees = typeof ProviderFees.Type

/** The Schema of fees by provider, which `best: cost` and `best: value` compare. */
export const Fees = Schema.Record(Schema.String, ProviderFees)
export type Fees = typeof Fees.Type
