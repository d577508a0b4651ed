/** What Northbank answers, as far as it is read: fields that are not named are ignored, and new values of a status are no error. */
import { Currency, type Money } from "@paymux/core"
import { Amount } from "@paymux/provider-kit"
import { Result, Schema } from "effect"

/** An amount in major units as text, with its currency: `"170.50"` EUR, `"1000"` JPY, `"1.250"` KWD. */
interface MajorUnits {
  readonly amount: string
  readonly currency: Currency.Currency
}

const minorUnits = ({ amount, currency }: MajorUnits) =>
  Result.flatMap(Amount.minorFromMajor(amount, Currency.exponent(currency)), Amount.safeMinor)

/** What has no exact amount is unreadable. */
const isExact = Schema.makeFilter((given: MajorUnits) => Result.isSuccess(minorUnits(given)))

const money = {
  amount: Schema.String,
  currency: Schema.String.pipe(Schema.refine(Currency.isCurrency))
}

export const moneyOf = (read: MajorUnits): Money.Money => ({
  minorUnits: Result.getOrThrow(minorUnits(read)),
  currency: read.currency
})

export const majorUnits = (asked: Money.Money): string =>
  Result.getOrThrow(Amount.majorFromMinor(BigInt(asked.minorUnits), Currency.exponent(asked.currency)))

/** Where the payer of an order pays. */
export const Session = Schema.Struct({
  page_url: Schema.String,
  upi_uri: Schema.String,
  /** s UTC */
  expires_at: Schema.NullOr(Schema.Int)
})
export type Session = typeof Session.Type

export const Order = Schema.Struct({
  ...money,
  id: Schema.NonEmptyString,
  /** `open`, `paid`, `failed`, `canceled`, `expired`, and what Northbank may add. */
  status: Schema.String,
  /** Why it failed. */
  code: Schema.NullOr(Schema.String),
  /** `null`: its payer has seen nothing yet. An order has one session, and is paid once. */
  session: Schema.NullOr(Session)
}).check(isExact)
export type Order = typeof Order.Type
export const Orders = Schema.Struct({ orders: Schema.Array(Order) })

export const Refund = Schema.Struct({
  ...money,
  id: Schema.NonEmptyString,
  /** `pending`, `settled`, `failed`. */
  status: Schema.String
}).check(isExact)
export type Refund = typeof Refund.Type
export const Refunds = Schema.Struct({ refunds: Schema.Array(Refund) })

export const ErrorBody = Schema.Struct({
  error: Schema.Struct({
    code: Schema.String,
    /** s, of a 429 with a delay. */
    retry_after: Schema.optionalKey(Schema.Int)
  })
})

/** One event. Northbank signs each event, and sends several in one body. */
export const Item = Schema.Struct({
  ...money,
  event: Schema.NonEmptyString,
  /** `order.paid`, `order.failed`, `refund.settled`, and what Northbank may add. */
  type: Schema.String,
  /** ms UTC */
  time: Schema.Int,
  /** The id of the order or refund, and the merchant's reference of it. */
  id: Schema.NonEmptyString,
  reference: Schema.NonEmptyString,
  code: Schema.NullOr(Schema.String),
  signature: Schema.String
}).check(isExact)
export type Item = typeof Item.Type
export const Batch = Schema.Struct({ items: Schema.NonEmptyArray(Item) })
