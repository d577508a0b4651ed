/** The Schema of `when`: the conditions of a rule. */
import { Schema } from "effect"
import { isCountry } from "./Country.ts"
import { rails } from "@paymux/core"
import { Dates, Weekday } from "./Days.ts"
import { isTimeZone } from "../match/TimeOfDay.ts"
import { clock, iso4217, list, metadataKey, minorUnits, oneOperator, optionally, text, word } from "./words.ts"

const exists = optionally(Schema.Boolean, "true: the payment has it. false: it has none.")

/** The Schema of a condition on a fact: one value, a list of values, or operators. */
const oneOf = <S extends Schema.Constraint>(value: S) =>
  Schema.Union([value, list(value), Schema.Struct({ exists }).check(oneOperator)])

const textual = <S extends Schema.Constraint>(value: S) =>
  Schema.Union([
    value,
    list(value),
    Schema.Struct({
      starts_with: optionally(text, "Begins with this text."),
      ends_with: optionally(text, "Ends with this text."),
      in_prefixes: optionally(list(text), "Begins with one of these texts, such as a table of BINs."),
      exists
    }).check(oneOperator)
  ])

const amount = Schema.Union([
  minorUnits,
  list(minorUnits),
  Schema.Struct({
    gt: optionally(minorUnits, "More than this."),
    gte: optionally(minorUnits, "This or more."),
    lt: optionally(minorUnits, "Less than this."),
    lte: optionally(minorUnits, "This or less."),
    between: optionally(Schema.Tuple([minorUnits, minorUnits]), "From the first to the second, both included."),
    exists
  }).check(oneOperator)
])

export const flows = ["intent", "qr", "collect", "hosted", "token", "transfer"] as const
const callingCode = word(/^\+[1-9]\d{0,2}$/u, 'must be a country calling code such as "+91"')
const bin = word(/^\d{6,8}$/u, "must be 6 to 8 digits, as text")
const COUNTRY = "must be an ISO 3166 country in capitals, such as IN"
export const country = word(/^[A-Z]{2}$/u, COUNTRY).check(
  // Text in another format is skipped here, since `word` already reports it.
  Schema.makeFilter((code: string) => !/^[A-Z]{2}$/u.test(code) || isCountry(code), { message: COUNTRY })
)
// The Schema of a card network, with the format that the API requires of payments: any other value would never be
// equal.
export const cardNetwork = word(/^[a-z][a-z_]{1,31}$/u, "must be a card network in small letters, such as visa")
export const fundings = ["credit", "debit", "prepaid", "unknown"] as const
export const captureMethods = ["automatic", "manual"] as const
const asset = word(/^[A-Z][A-Z0-9]{1,11}$/u, "must be an asset in capitals, such as USDC")
export const chain = word(/^[a-z][a-z0-9_-]{1,31}$/u, "must be a network in small letters, such as base")

/** The Schemas of the conditions by fact name, except `metadata.<key>`. */
const conditions = {
  payment_method: optionally(oneOf(Schema.Literals(rails)), "How the payer pays."),
  flow: optionally(
    oneOf(Schema.Literals(flows)),
    "How the payment goes on: intent, qr or collect of upi, hosted or token of card, transfer of stablecoin."
  ),
  currency: optionally(oneOf(iso4217), "ISO 4217, in capitals."),
  amount: optionally(
    amount,
    "In the smallest unit, so 500000 is 5,000 rupees. With a currency beside it, or a method that implies one (upi)."
  ),
  capture_method: optionally(oneOf(Schema.Literals(captureMethods)), "Whether the money is taken at once."),
  "customer.email": optionally(textual(text), "The payer's address, as it was given."),
  "customer.phone_country": optionally(oneOf(callingCode), 'The calling code of the payer\'s number, such as "+91".'),
  "card.bin": optionally(textual(bin), "The first 6 to 8 digits of the card, where they are known."),
  "card.network": optionally(textual(cardNetwork), "Such as visa, where it is known."),
  "card.country": optionally(oneOf(country), "ISO 3166 code of the issuer's country, where it is known."),
  "card.funding": optionally(textual(Schema.Literals(fundings)), "Such as credit or debit, where it is known."),
  "stablecoin.asset": optionally(textual(asset), "Such as USDC, where the payment names it."),
  "stablecoin.network": optionally(textual(chain), "Such as base, where the payment names it."),
  livemode: optionally(oneOf(Schema.Boolean), "true: a live payment. false: a test payment."),
  account: optionally(textual(text), "The account that takes the payment.")
}

export type ConditionName = keyof typeof conditions | "time"

/**
 * The Schema of a time window: from the first time, inclusive, to the second, exclusive. If the second is earlier, the
 * window spans midnight.
 */
const hours = Schema.Tuple([clock, clock]).check(
  Schema.makeFilter(([from, to]: readonly [string, string]) => from !== to, {
    message: "must not begin and end at the same time"
  })
)

const oneOrMore = Schema.Union([text, list(text)])

const zone = Schema.String.check(
  Schema.makeFilter(isTimeZone, { message: "must be a time zone of the IANA database, such as Asia/Kolkata" })
)

const asksOfTime = ["between", "weekdays", "dates", "holidays"]

const time = optionally(
  Schema.Struct({
    between: optionally(
      hours,
      "From the first, up to and without the second; over midnight where the second is earlier. Default: the whole day."
    ),
    zone: optionally(zone, "A time zone of the IANA database, such as Asia/Kolkata. Default: UTC."),
    weekdays: optionally(list(Weekday), "Any of these; a window over midnight belongs to the day on which it begins."),
    dates: optionally(Dates, "Any of these days, or of the days from one to another."),
    holidays: optionally(oneOrMore, "Any day of a calendar of `holidays` at the top, or of several.")
  }).check(
    Schema.makeFilter((time: object) => asksOfTime.some((key) => Object.hasOwn(time, key)), {
      message: `must have one of ${asksOfTime.map((key) => `\`${key}\``).join(", ")}`,
      toJsonSchema: () => ({ minProperties: 1 })
    })
  ),
  "The time when the payment is routed. All that is given here must hold."
)

const metadata = textual(text).annotate({ description: "What the payment has under this key of its metadata." })

const Conditions = Schema.StructWithRest(Schema.Struct({ ...conditions, time }), [Schema.Record(metadataKey, metadata)])

/**
 * The conditions of a rule, all of which must hold. `all` and `any` contain further conditions; `not` holds if its
 * conditions do not.
 */
export interface When extends Schema.Schema.Type<typeof Conditions> {
  readonly all?: ReadonlyArray<When>
  readonly any?: ReadonlyArray<When>
  readonly not?: When
}

const nested = Schema.suspend((): Schema.Codec<When> => When)

export const When: Schema.Codec<When> = Schema.StructWithRest(
  Schema.Struct({
    ...conditions,
    time,
    all: optionally(list(nested), "Every one of these must hold."),
    any: optionally(list(nested), "At least one of these must hold."),
    not: optionally(nested, "These conditions must not all hold.")
  }),
  [Schema.Record(metadataKey, metadata)]
).annotate({ identifier: "When" })
