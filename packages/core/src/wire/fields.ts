/** Fields of the public JSON that several objects share: schemas with descriptions, and the formats of single values. */
import { Schema } from "effect"
import { failureCodes } from "../domain/Decline.ts"
import { MAX_MINOR_UNITS } from "../domain/Money.ts"

export const Time = Schema.String.annotate({ description: "RFC 3339, UTC.", format: "date-time" })

export const EndTime = Schema.NullOr(Time).annotate({ description: "RFC 3339, UTC. `null`: not ended." })

export const Livemode = Schema.Boolean.annotate({ description: "`false`: created with a test key; no money moves." })

export const Provider = Schema.String.annotate({
  description: "The provider instance, by its name in the server's configuration."
})

const smallestUnit = "In the smallest unit of the currency: 10000 is ₹100.00, $100.00 or ¥10000."
export const amountDescription = { description: smallestUnit } as const
export const MinorUnits = Schema.Int.annotate(amountDescription)

/** `retryable`: the description of that field. */
export const failureJson = (retryable: string) =>
  Schema.NullOr(
    Schema.Struct({
      code: Schema.Literals(failureCodes).annotate({ description: "The same codes for every provider." }),
      message: Schema.String.annotate({ description: "For people; it may change." }),
      retryable: Schema.Boolean.annotate({ description: retryable })
    })
  ).annotate({ description: "`null` unless it failed." })

/** Descriptions of payment method fields that requests and payments share, although their schemas differ. */
export const methodDescriptions = {
  flow: {
    description:
      "`intent`: a link that opens a UPI app. `qr`: a QR code to scan. `collect`: a payment request in the payer's UPI app."
  },
  cardNetwork: { description: "In lower case, such as `visa` or `mastercard`. It determines the limit of declines." },
  country: { description: "The issuer's country: ISO 3166, two capitals. Used for routing." },
  funding: { description: "Used for routing." },
  bin: { description: "The first six to eight digits. Used for routing." }
} as const

/** Formats ms UTC by RFC 3339. Caches the text of the last second, since a payment contains the same second several times. */
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

const amountMessage = `must be a whole number of the smallest currency unit, as a JSON number from 1 to ${MAX_MINOR_UNITS}`

/** A positive integer in minor units; the error is one sentence. */
export const PositiveMinorUnits = Schema.Number.annotate({ message: amountMessage }).check(
  Schema.isInt({ message: amountMessage }).abort(),
  Schema.isBetween({ minimum: 1, maximum: MAX_MINOR_UNITS }, { message: amountMessage })
)

/** Like `PositiveMinorUnits`, without an error message. */
export const isPositiveMinorUnits = (input: unknown): input is number =>
  Number.isInteger(input) && Number(input) >= 1 && Number(input) <= MAX_MINOR_UNITS

/** E.164; Indian numbers have ten digits after +91. */
const e164 = /^\+(?:91\d{10}|(?!91)[1-9]\d{6,14})$/

/** Spaces, dashes and brackets, of any script; no tabs and line feeds. */
const separators = /[\p{Zs}()[\]\u2010-\u2015\u2212-]/gu

/** A trunk zero in brackets, as in `+49 (0)30 …`. The country decides whether it belongs to the number. */
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
export const optionalText = (max: number) => Schema.optionalKey(Schema.NullOr(text(max)))
/** A text that is not blank: a blank one comes from a variable that is not set. */
export const name = (max: number) => text(max).check(Schema.isPattern(/\S/, { message: "must not be blank" }))
export const optionalName = (max: number) => Schema.optionalKey(Schema.NullOr(name(max)))
export const matching = (pattern: RegExp, message: string) =>
  Schema.String.check(Schema.isPattern(pattern, { message }))
