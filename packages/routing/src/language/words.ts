/** The basic value types of the rules language, such as names, durations and percentages. */
import { Schema, SchemaTransformation } from "effect"
import { Currency } from "@paymux/core"

/**
 * The Schema of text with a pattern. Its messages continue a sentence that begins with the location: "`when.currency`
 * must be …".
 */
export const word = (pattern: RegExp, message: string) => Schema.String.check(Schema.isPattern(pattern, { message }))

/**
 * The Schema of a name. Names are printed in logs and on terminals, so control characters, line breaks and invisible
 * characters are rejected.
 */
export const name = word(
  /^[^\s\p{C}](?:[^\p{C}\p{Zl}\p{Zp}]{0,98}[^\s\p{C}])?$/u,
  "must be 1 to 100 visible characters on one line, without a space at either end"
)
export const isName = Schema.is(name)
export const notEmpty = Schema.isMinLength(1, { message: "must not be empty" })
export const text = Schema.String.check(notEmpty)
export const iso4217 = Schema.String.check(
  Schema.makeFilter(Currency.isCurrency, {
    message: "must be an ISO 4217 currency in capitals, such as EUR",
    toJsonSchema: () => ({ enum: Currency.currencyCodes })
  })
).annotate({ identifier: "Currency" })

const wholeFrom = (minimum: number, message: string) =>
  Schema.Finite.check(
    Schema.makeFilter((n: number) => Number.isSafeInteger(n) && n >= minimum, {
      message,
      toJsonSchema: () => ({ type: "integer", minimum, maximum: Number.MAX_SAFE_INTEGER })
    })
  )

export const minorUnits = wholeFrom(0, "must be a whole number of the smallest unit")
export const positive = wholeFrom(1, "must be a whole number from 1 on")
export const clock = word(/^(?:[01]\d|2[0-3]):[0-5]\d$/u, 'must be a time of day such as "23:30"')

export const list = <S extends Schema.Constraint>(item: S) => Schema.Array(item).check(notEmpty)
export const oneOperator = Schema.isMinProperties(1, { message: "must name an operator" })

const DURATION = /^([1-9]\d{0,8})(ms|s|m|h|d)$/u
const units: { readonly [unit: string]: number } = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Parses text such as `45s` to ms (45000); `null` if it is not a duration. */
export const durationMs = (text: string): number | null => {
  const [, digits = "", unit = ""] = DURATION.exec(text) ?? []
  return digits === "" ? null : Number(digits) * (units[unit] ?? Number.NaN)
}

/** The Schema of a duration such as `45s`, decoded to ms. Editors show `description`. */
export const duration = (description: string, message = 'must be a duration such as "45s" (ms, s, m, h or d)') =>
  word(DURATION, message)
    .annotate({ description })
    .pipe(
      Schema.decodeTo(
        Schema.Number,
        SchemaTransformation.transform({
          decode: (text: string) => durationMs(text) ?? Number.NaN,
          encode: (ms: number) => (ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`)
        })
      )
    )

/** The Schema of a percentage such as `5%`, decoded to a fraction. Editors show `description`. */
export const percent = (description: string) =>
  word(/^(?:100|\d{1,2}(?:\.\d{1,3})?)%$/u, 'must be a percentage such as "5%"')
    .annotate({ description })
    .pipe(
      Schema.decodeTo(
        Schema.Number,
        SchemaTransformation.transform({
          decode: (text: string) => Number.parseFloat(text) / 100,
          encode: (fraction: number) => `${fraction * 100}%`
        })
      )
    )

/** The Schema of an optional key. Editors show `description`. */
export const optionally = <S extends Schema.Top>(value: S, description: string) =>
  Schema.optionalKey(value).annotateKey({ description })

export const weight = Schema.Finite.check(
  Schema.isBetween({ minimum: 0, maximum: 100 }, { message: "must be from 0 to 100" })
)

/** The Schema of a key of the merchant's metadata, such as `metadata.channel`. */
export const metadataKey = Schema.TemplateLiteral(["metadata.", Schema.String])
