/** What Adyen answers, as far as it is read: fields that are not named are ignored, and a new value of a status is no error. */
import { Currency, type Money } from "@paymux/core"
import { Schema } from "effect"

/** Adyen's own id of a payment, or of what was asked of it. */
const PspReference = Schema.String.check(Schema.isPattern(/^[0-9A-Za-z]{1,64}$/))

const nullable = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** Text in the specification. A JSON number is read, too: unread, it would hide that a payment was refused or taken. */
const Code = Schema.Union([Schema.String, Schema.Int])

export const Amount = Schema.Struct({ currency: Schema.String, value: Schema.Int })
export type Amount = typeof Amount.Type

/** Of `/payments` and `/payments/details`. */
export const Payment = Schema.Struct({
  resultCode: Schema.NonEmptyString,
  pspReference: nullable(PspReference),
  merchantReference: nullable(Schema.String),
  refusalReasonCode: nullable(Code),
  amount: nullable(Amount),
  action: nullable(
    Schema.Struct({ type: nullable(Schema.String), method: nullable(Schema.String), url: nullable(Schema.String) })
  )
})
export type Payment = typeof Payment.Type

export const Link = Schema.Struct({
  id: Schema.String.check(Schema.isPattern(/^[0-9A-Za-z]{1,64}$/)),
  url: Schema.String.check(Schema.isPattern(/^https?:\/\//)),
  /** `active`, `completed`, `expired`, `paid`, `paymentPending`, and what Adyen may add. */
  status: Schema.NonEmptyString,
  /** ISO 8601 */
  expiresAt: nullable(Schema.String)
})
export type Link = typeof Link.Type

/** Of a capture, cancel, refund or reversal. */
export const Modification = Schema.Struct({ pspReference: PspReference, status: Schema.NonEmptyString })

export const ErrorBody = Schema.Struct({
  errorCode: nullable(Code),
  /** `validation`, `security`, `configuration`, `internal`. */
  errorType: nullable(Schema.String)
})

/** One event of a webhook: all that is signed, and its signature. */
export const Item = Schema.Struct({
  pspReference: Schema.String,
  originalReference: nullable(Schema.String),
  merchantAccountCode: Schema.String,
  merchantReference: nullable(Schema.String),
  amount: Amount,
  eventCode: Schema.NonEmptyString,
  success: Schema.Literals(["true", "false"]),
  additionalData: nullable(Schema.Struct({ hmacSignature: nullable(Schema.String) }))
})
export type Item = typeof Item.Type

/** Of any type: `REPORT_AVAILABLE` has no amount or reference, and others are not signed. */
export const AnyItem = Schema.Struct({
  pspReference: nullable(Schema.String),
  originalReference: nullable(Schema.String),
  merchantAccountCode: nullable(Schema.String),
  merchantReference: nullable(Schema.String),
  amount: nullable(Amount),
  eventCode: Schema.NonEmptyString,
  success: nullable(Schema.String),
  additionalData: nullable(Schema.Struct({ hmacSignature: nullable(Schema.String) }))
})
export type AnyItem = typeof AnyItem.Type

export const Notification = Schema.Struct({
  notificationItems: Schema.NonEmptyArray(Schema.Struct({ NotificationRequestItem: AnyItem })).check(
    Schema.isMaxLength(100)
  )
})

/** Currencies whose decimals at Adyen are not those of ISO 4217. */
const decimalsAtAdyen: { readonly [currency: string]: number | undefined } = { CLP: 2, CVE: 0, IDR: 0, ISK: 2 }

/** How many decimals more Adyen counts than ISO 4217. */
const shiftOf = (currency: Currency.Currency): number =>
  (decimalsAtAdyen[currency] ?? Currency.exponent(currency)) - Currency.exponent(currency)

/** `null`: Adyen has no such amount, as 1.50 rupiah. */
export const toAmount = ({ currency, minorUnits }: Money.Money): Amount | null => {
  const value = shifted(minorUnits, shiftOf(currency))
  return value === null ? null : { currency, value }
}

/** `null`: it is no amount of ours. */
export const ofAmount = ({ currency, value }: Amount): Money.Money | null => {
  if (!Currency.isCurrency(currency) || value < 0) return null
  const minorUnits = shifted(value, -shiftOf(currency))
  return minorUnits === null ? null : { currency, minorUnits }
}

/**
 * The same, and of 100.01 ISK the 100 that ISO 4217 has a word for: less than a unit is lost, and another amount than was
 * asked still shows as one. `null`: not even that can be said, as of a currency that is not known.
 */
export const ofAmountRounded = ({ currency, value }: Amount): Money.Money | null =>
  Currency.isCurrency(currency)
    ? ofAmount({ currency, value: value - (value % 10 ** Math.max(0, shiftOf(currency))) })
    : null

const shifted = (amount: number, decimals: number): number | null => {
  const factor = 10 ** Math.abs(decimals)
  if (decimals < 0 && amount % factor !== 0) return null
  const result = decimals < 0 ? amount / factor : amount * factor
  return Number.isSafeInteger(result) ? result : null
}
