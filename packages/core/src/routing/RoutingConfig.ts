/**
 * The routing rules as a payments team writes them: one Schema for YAML, JSON and TypeScript.
 *
 * The first rule whose `when` holds is used, else `default`. Amounts are minor units, durations are text (`45s`, `30m`)
 * that decodes to ms, `explore` is text (`5%`) that decodes to a fraction. A fact that is absent matches no condition.
 *
 * Words are compared as they are written: `visa` does not match `Visa`. `customer.phone_country` is the calling code of
 * E.164 (`"+91"`), not an ISO country: several countries share one code, and a table of their area codes goes stale.
 *
 * @example
 * ```ts
 * import { defineRouting } from "@paymux/core"
 *
 * export default defineRouting({
 *   version: 1,
 *   rules: [
 *     {
 *       name: "domestic cards",
 *       when: { payment_method: "card", "card.country": "IN" },
 *       choose: { split: { stripe: 70, adyen: 30 }, sticky_by: "customer.email" }
 *     }
 *   ],
 *   default: { priority: ["stripe", "adyen"] }
 * })
 * ```
 */
import { Schema, SchemaTransformation } from "effect"
import { isCurrency } from "../domain/Currency.ts"
import { rails } from "../domain/PaymentMethod.ts"

/** Checks are worded as what follows the name of the place: "`when.currency` must be …". */
const word = (pattern: RegExp, message: string) => Schema.String.check(Schema.isPattern(pattern, { message }))

const name = word(/^\S(?:.{0,98}\S)?$/u, "must be 1 to 100 characters on one line, without a space at either end")
const text = word(/^[^]+$/u, "must not be empty")
const iso4217 = Schema.String.check(
  Schema.makeFilter(isCurrency, { message: "must be an ISO 4217 currency in capitals, such as EUR" })
)
const minorUnits = Schema.Finite.check(
  Schema.makeFilter((n: number) => Number.isSafeInteger(n) && n >= 0, {
    message: "must be a whole number of the smallest unit"
  })
)
const clock = word(/^(?:[01]\d|2[0-3]):[0-5]\d$/u, 'must be a time of day such as "23:30"')

const notEmpty = Schema.isMinLength(1, { message: "must not be empty" })
const list = <S extends Schema.Constraint>(item: S) => Schema.Array(item).check(notEmpty)
const oneOperator = Schema.isMinProperties(1, { message: "must name an operator" })

const exists = Schema.optionalKey(Schema.Boolean)

/** Equality, any of a list, or operators. */
const oneOf = <S extends Schema.Constraint>(value: S) =>
  Schema.Union([value, list(value), Schema.Struct({ exists }).check(oneOperator)])

const textual = <S extends Schema.Constraint>(value: S) =>
  Schema.Union([
    value,
    list(value),
    Schema.Struct({
      starts_with: Schema.optionalKey(text),
      ends_with: Schema.optionalKey(text),
      in_prefixes: Schema.optionalKey(list(text)),
      exists
    }).check(oneOperator)
  ])

const amount = Schema.Union([
  minorUnits,
  list(minorUnits),
  Schema.Struct({
    gt: Schema.optionalKey(minorUnits),
    gte: Schema.optionalKey(minorUnits),
    lt: Schema.optionalKey(minorUnits),
    lte: Schema.optionalKey(minorUnits),
    between: Schema.optionalKey(Schema.Tuple([minorUnits, minorUnits])),
    exists
  }).check(oneOperator)
])

/** What a payment may be asked for by name; `metadata.<key>` comes on top. */
const conditions = {
  payment_method: Schema.optionalKey(oneOf(Schema.Literals(rails))),
  flow: Schema.optionalKey(oneOf(Schema.Literals(["intent", "qr", "collect", "hosted", "token", "transfer"]))),
  currency: Schema.optionalKey(oneOf(iso4217)),
  amount: Schema.optionalKey(amount),
  capture_method: Schema.optionalKey(oneOf(Schema.Literals(["automatic", "manual"]))),
  "customer.email": Schema.optionalKey(textual(text)),
  "customer.phone_country": Schema.optionalKey(
    oneOf(word(/^\+[1-9]\d{0,2}$/u, 'must be a country calling code such as "+91"'))
  ),
  "card.bin": Schema.optionalKey(textual(word(/^\d{6,8}$/u, "must be 6 to 8 digits, as text"))),
  "card.network": Schema.optionalKey(textual(text)),
  "card.country": Schema.optionalKey(oneOf(word(/^[A-Z]{2}$/u, "must be an ISO 3166 country in capitals, such as IN"))),
  "card.funding": Schema.optionalKey(textual(text)),
  "stablecoin.asset": Schema.optionalKey(textual(text)),
  "stablecoin.network": Schema.optionalKey(textual(text)),
  livemode: Schema.optionalKey(oneOf(Schema.Boolean)),
  account: Schema.optionalKey(textual(text))
}

const time = Schema.Struct({ between: Schema.Tuple([clock, clock]), zone: Schema.optionalKey(text) })

const metadataKey = Schema.TemplateLiteral(["metadata.", Schema.String])

const Conditions = Schema.StructWithRest(Schema.Struct({ ...conditions, time: Schema.optionalKey(time) }), [
  Schema.Record(metadataKey, textual(text))
])

/** Every condition must hold. `all` and `any` take conditions, `not` holds where its conditions do not. */
export interface When extends Schema.Schema.Type<typeof Conditions> {
  readonly all?: ReadonlyArray<When>
  readonly any?: ReadonlyArray<When>
  readonly not?: When
}

const nested = Schema.suspend((): Schema.Codec<When> => When)

export const When: Schema.Codec<When> = Schema.StructWithRest(
  Schema.Struct({
    ...conditions,
    time: Schema.optionalKey(time),
    all: Schema.optionalKey(list(nested)),
    any: Schema.optionalKey(list(nested)),
    not: Schema.optionalKey(nested)
  }),
  [Schema.Record(metadataKey, textual(text))]
)

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const isUnit = (unit: string): unit is keyof typeof units => Object.hasOwn(units, unit)

/** Text such as `45s`, decoded to ms. */
const duration = word(/^[1-9]\d{0,8}(?:ms|s|m|h|d)$/u, 'must be a duration such as "45s" (ms, s, m, h or d)').pipe(
  Schema.decodeTo(
    Schema.Number,
    SchemaTransformation.transform({
      decode: (text: string) => {
        const unit = text.replace(/^\d+/, "")
        return Number.parseInt(text, 10) * (isUnit(unit) ? units[unit] : Number.NaN)
      },
      encode: (ms: number) => (ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`)
    })
  )
)

/** Text such as `5%`, decoded to a fraction. */
const percent = word(/^(?:100|\d{1,2}(?:\.\d{1,3})?)%$/u, 'must be a percentage such as "5%"').pipe(
  Schema.decodeTo(
    Schema.Number,
    SchemaTransformation.transform({
      decode: (text: string) => Number.parseFloat(text) / 100,
      encode: (fraction: number) => `${fraction * 100}%`
    })
  )
)

const weight = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 100 }, { message: "must be from 0 to 100" }))
const providers = Schema.Array(Schema.String).check(
  Schema.isMinLength(1, { message: "must name at least one provider" })
)
const positive = Schema.Finite.check(
  Schema.makeFilter((n: number) => Number.isSafeInteger(n) && n > 0, { message: "must be a whole number from 1 on" })
)

/** Tried in this order. */
export const Priority = Schema.Struct({ priority: providers })

/** Shares in percent. The same `sticky_by` fact (else the same payment) always goes the same way; `seed` reshuffles. */
export const Split = Schema.Struct({
  split: Schema.Record(Schema.String, weight).check(
    Schema.isMinProperties(1, { message: "must name at least one provider" })
  ),
  sticky_by: Schema.optionalKey(
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
    ])
  ),
  seed: Schema.optionalKey(text)
})

/** The one with the best record, learned from the attempts themselves. */
export const Best = Schema.Struct({
  best: Schema.Literals(["success_rate", "cost"]),
  among: providers,
  window: Schema.optionalKey(duration),
  min_samples: Schema.optionalKey(positive),
  explore: Schema.optionalKey(percent)
})

export const Choose = Schema.Union([Priority, Split, Best])
export type Choose = typeof Choose.Type

export const Rule = Schema.Struct({ name, when: When, choose: Choose })
export type Rule = typeof Rule.Type

/** Percent of the amount, and minor units by currency. */
const Fee = Schema.Struct({
  percent: Schema.optionalKey(weight),
  fixed: Schema.optionalKey(Schema.Record(iso4217, minorUnits))
})

/** By provider and payment method. */
export const Fees = Schema.Record(
  Schema.String,
  Schema.Struct({
    upi: Schema.optionalKey(Fee),
    card: Schema.optionalKey(Fee),
    stablecoin: Schema.optionalKey(Fee)
  })
)

export const Failover = Schema.Struct({
  max_attempts: Schema.optionalKey(positive),
  /** Of the payment: no attempt starts later. */
  deadline: Schema.optionalKey(duration),
  /** There is no "on unknown": a payment whose outcome is not known is never tried elsewhere. */
  on: Schema.optionalKey(Schema.Array(Schema.Literals(["not_executed", "soft_decline"])))
})

export const RoutingConfig = Schema.Struct({
  version: Schema.Literal(1),
  rules: Schema.optionalKey(Schema.Array(Rule)),
  default: Choose,
  fees: Schema.optionalKey(Fees),
  failover: Schema.optionalKey(Failover)
})
/** Decoded: durations in ms. */
export type RoutingConfig = typeof RoutingConfig.Type
/** As it is written. */
export type RoutingConfigInput = typeof RoutingConfig.Encoded

export type FailoverCause = "not_executed" | "soft_decline"

/** How far a payment may be carried to other candidates. It can only narrow what the failover table allows. */
export interface FailoverPolicy {
  readonly maxAttempts: number
  /** ms after the payment was made; no attempt starts later. */
  readonly deadlineMs: number
  readonly on: ReadonlyArray<FailoverCause>
}

export const defaultFailover: FailoverPolicy = {
  maxAttempts: 3,
  deadlineMs: 45_000,
  on: ["not_executed", "soft_decline"]
}

/** Types a configuration written in TypeScript. It is checked when the engine starts, against the providers. */
export const defineRouting = <const Config extends RoutingConfigInput>(config: Config): Config => config

/** What holds without a configuration: providers are tried in the order they were given. */
export const defaultRouting = (providers: ReadonlyArray<{ readonly id: string }>): RoutingConfigInput => ({
  version: 1,
  default: { priority: providers.map(({ id }) => id) }
})
