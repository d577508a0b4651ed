/**
 * Fields of the public JSON that several objects share: schemas with descriptions, and the formats of single values.
 */
import { Schema } from "effect"
import { failureCodes } from "../domain/Decline.ts"
import { MAX_MINOR_UNITS } from "../domain/Money.ts"

/** A field with its description for the OpenAPI document, the API reference and the types of the client. */
export const described = <S extends Schema.Top>(field: S, description: string): S["Rebuild"] =>
  field.annotate({ description })
/** A field that may be absent. */
export const optional = <S extends Schema.Top>(field: S, description: string) =>
  described(Schema.optionalKey(field), description)
/** A field that may be absent or `null`. */
export const optionalOrNull = <S extends Schema.Top>(field: S, description: string) =>
  optional(Schema.NullOr(field), description)
/** A text in responses. The texts of requests have limits: see `text`. */
export const textField = (description: string) => described(Schema.String, description)
export const textOrNull = (description: string) => described(Schema.NullOr(Schema.String), description)
export const integer = (description: string) => described(Schema.Int, description)

export const Time = Schema.String.annotate({ description: "RFC 3339, UTC.", format: "date-time" })

export const EndTime = described(Schema.NullOr(Time), "RFC 3339, UTC. `null`: not ended.")

export const Livemode = described(Schema.Boolean, "`false`: created with a test key; no money moves.")

export const Provider = textField("The provider instance, by its name in the server's configuration.")

export const amountDescription = "In the smallest unit of the currency: 10000 is ₹100.00, $100.00 or ¥10000."
export const MinorUnits = integer(amountDescription)

/** Makes the schema of a failure. The argument is the description of its field `retryable`. */
export const failureJson = (retryable: string) =>
  described(
    Schema.NullOr(
      Schema.Struct({
        code: described(Schema.Literals(failureCodes), "The same codes for every provider."),
        message: textField("For people; it may change."),
        retryable: described(Schema.Boolean, retryable)
      })
    ),
    "`null` unless it failed."
  )

/** Descriptions of payment method fields that requests and payments share, although their schemas differ. */
export const methodDescriptions = {
  flow: "`intent`: a link that opens a UPI app. `qr`: a QR code to scan. `collect`: a payment request in the payer's UPI app.",
  cardNetwork: "In lower case, such as `visa` or `mastercard`. It determines the limit of declines.",
  country: "The issuer's country: ISO 3166, two capitals. Used for routing.",
  funding: "Used for routing.",
  bin: "The first six to eight digits. Used for routing."
} as const

/**
 * Formats ms UTC by RFC 3339. Caches the text of the last second, since a payment contains the same second several
 * times.
 */
export const iso = (ms: number): string => {
  const whole = Math.floor(ms)
  const second = Math.floor(whole / 1000)
  if (second !== lastSecond) {
    // A pure conversion of a given time, without reading the clock.
    // oxlint-disable-next-line no-restricted-globals
    lastText = new Date(second * 1000).toISOString().slice(0, -4)
    lastSecond = second
  }
  return `${lastText}${String(whole - second * 1000).padStart(3, "0")}Z`
}

let lastSecond = Number.NaN
let lastText = ""

/** Like `iso`, for a time that may be absent. */
export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms))

const amountMessage = `must be a whole number of the smallest currency unit, as a JSON number from 1 to ${MAX_MINOR_UNITS}`

/** A positive integer in minor units; the error is one sentence. */
export const PositiveMinorUnits = Schema.Number.annotate({ message: amountMessage }).check(
  Schema.isInt({ message: amountMessage }).abort(),
  Schema.isBetween({ minimum: 1, maximum: MAX_MINOR_UNITS }, { message: amountMessage })
)

/** A phone number in E.164; Indian numbers have ten digits after +91. */
const e164 = /^\+(?:91\d{10}|(?!91)[1-9]\d{6,14})$/

/** The separators in phone numbers: spaces, dashes and brackets, of any script; no tabs and line feeds. */
const separators = /[\p{Zs}()[\]\u2010-\u2015\u2212-]/gu

/**
 * Matches a trunk zero in brackets, as in `+49 (0)30 …`. The country decides whether the zero belongs to the number.
 */
const trunkZero = /\(0\)/

/** The number in E.164 without separators; `null`: not a phone number. */
export const phoneNumber = (text: string): string | null => {
  if (e164.test(text)) return text
  if (trunkZero.test(text)) return null
  const digits = text.length > 40 ? "" : text.replace(separators, "")
  return e164.test(digits) ? digits : null
}

export const text = (max: number) =>
  Schema.String.check(
    Schema.isMaxLength(max, { message: `must have at most ${max} characters` }),
    Schema.isPattern(/^[^\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]*$/, {
      message: "must not have bidirectional control characters"
    })
  )
/** The schema of a text that is not blank. A blank text usually comes from a variable that is not set. */
export const name = (max: number) => text(max).check(Schema.isPattern(/\S/, { message: "must not be blank" }))
export const matching = (pattern: RegExp, message: string) =>
  Schema.String.check(Schema.isPattern(pattern, { message }))
/** A check of a text by a predicate, with the message of its failure. */
export const passing = (isValid: (text: string) => boolean, message: string) =>
  Schema.makeFilter((text: string) => isValid(text) || message)
