/**
 * What Coinbase answers, as far as it is read: fields that are not named are ignored, and a new value of a status is no
 * error. Amounts are decimal text in units of the session's asset.
 */
import { Currency, type Money } from "@paymux/core"
import { Amount as Decimal } from "@paymux/provider-kit"
import { Result, Schema } from "effect"

const nullable = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

const Id = Schema.NonEmptyString
const Time = nullable(Schema.String)
/** Read apart from the rest, which an unreadable amount must not hide. */
const Amount = Schema.optionalKey(Schema.Unknown)
const Metadata = nullable(Schema.Record(Schema.String, Schema.String))

/** An authorization, capture, void or refund. */
const action = {
  /** `pending`, `succeeded`, `failed`, and what Coinbase may add. */
  status: Schema.String,
  amount: Amount,
  error: nullable(Schema.Struct({ code: nullable(Schema.String) })),
  metadata: Metadata,
  createdAt: Time
}
const Authorization = Schema.Struct(action)
export const Capture = Schema.Struct({ ...action, captureId: Id })
export const Void = Schema.Struct({ ...action, voidId: Id })
export const Refund = Schema.Struct({ ...action, refundId: Id })
export type Action = typeof Authorization.Type
export type Capture = typeof Capture.Type
export type Void = typeof Void.Type
export type Refund = typeof Refund.Type

export const Authorizations = Schema.Struct({ authorizations: Schema.Array(Authorization) })
export const Captures = Schema.Struct({ captures: Schema.Array(Capture) })
export const Refunds = Schema.Struct({ refunds: Schema.Array(Refund) })
export const Voids = Schema.Struct({ voids: Schema.Array(Void) })

/** What a webhook's summary has, too. */
const summary = {
  paymentSessionId: Id,
  /** The most recent event, and not a state: only `created` and `canceled` are read from it. */
  status: Schema.String,
  /** In lower case. */
  asset: Amount,
  autoCapture: nullable(Schema.Boolean),
  expiries: nullable(Schema.Struct({ authorizationExpiresAt: Time, captureExpiresAt: Time })),
  balances: nullable(Schema.Struct({ capturable: Amount, captured: Amount })),
  externalReferenceId: nullable(Schema.String),
  metadata: Metadata,
  updatedAt: Time
}
export const Summary = Schema.Struct(summary)
export type Summary = typeof Summary.Type

export const Session = Schema.Struct({
  ...summary,
  authorizations: nullable(Schema.Array(Authorization)),
  captures: nullable(Schema.Array(Capture)),
  voids: nullable(Schema.Array(Void)),
  /** Coinbase's page for the payer. */
  url: nullable(Schema.String)
})
export type Session = typeof Session.Type

export const Sessions = Schema.Struct({
  paymentSessions: Schema.Array(Session),
  nextPageToken: nullable(Schema.String)
})

/** A session as its statement reads it. */
export const BookedSession = Schema.Struct({
  paymentSessionId: Id,
  status: Schema.String,
  asset: Amount,
  autoCapture: nullable(Schema.Boolean),
  balances: nullable(Schema.Struct({ captured: Amount, refunded: Amount })),
  externalReferenceId: nullable(Schema.String),
  captures: nullable(Schema.Array(Capture)),
  refunds: nullable(Schema.Array(Refund))
})
export type BookedSession = typeof BookedSession.Type

export const BookedSessions = Schema.Struct({
  paymentSessions: Schema.Array(BookedSession),
  nextPageToken: nullable(Schema.String)
})

export const ErrorBody = Schema.Struct({
  errorType: nullable(Schema.String),
  errorMessage: Schema.optionalKey(Schema.Unknown)
})

/** The type first: what is in `data` depends on it. */
export const Event = Schema.Struct({
  eventId: Id,
  eventType: Schema.String,
  timestamp: Time,
  data: Schema.Unknown
})

export const EventData = Schema.Struct({
  paymentSession: Summary,
  authorization: nullable(Authorization),
  capture: nullable(Capture),
  void: nullable(Void),
  refund: nullable(Refund)
})
export type EventData = typeof EventData.Type

const currencies: { readonly [asset: string]: string } = { usdc: "USD", eurc: "EUR" }

/** What an asset stands for, one to one; `null`: none that is known. */
export const currencyOf = (asset: unknown): Currency.Currency | null => {
  const code = typeof asset === "string" && Object.hasOwn(currencies, asset) ? (currencies[asset] ?? "") : ""
  return Currency.isCurrency(code) ? code : null
}

/** `null`: it is no decimal text, or has a fraction of a minor unit. */
export const money = (text: unknown, currency: Currency.Currency | null): Money.Money | null => {
  if (typeof text !== "string" || currency === null) return null
  const minorUnits = Result.flatMap(Decimal.minorFromMajor(text, Currency.exponent(currency)), Decimal.safeMinor)
  return Result.isSuccess(minorUnits) ? { minorUnits: minorUnits.success, currency } : null
}

/** Decimal text, as a request has it. `null`: it is no amount. */
export const decimal = ({ currency, minorUnits }: Money.Money): string | null =>
  Result.getOrElse(
    Result.flatMap(Decimal.bigMinor(minorUnits), (minor) => Decimal.majorFromMinor(minor, Currency.exponent(currency))),
    () => null
  )

/** ms UTC; `null`: missing. */
export const readTime = (text: string | null | undefined): number | null => {
  const at = Date.parse(text ?? "")
  return Number.isNaN(at) ? null : at
}
