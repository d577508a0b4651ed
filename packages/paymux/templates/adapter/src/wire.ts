/**
 * What Acme answers, as far as it is read: fields that are not named are ignored, and new values of a status are no
 * error.
 */
import { Currency } from "@paymux/core"
import { Schema } from "effect"

const CurrencyCode = Schema.String.pipe(Schema.refine(Currency.isCurrency))

export const Payment = Schema.Struct({
  id: Schema.NonEmptyString,
  /** `pending`, `authorized`, `captured`, `declined`, `canceled`, `expired`, and what Acme may add. */
  status: Schema.String,
  /** Minor units. */
  amount: Schema.Int,
  amount_captured: Schema.Int,
  currency: CurrencyCode,
  decline_code: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /** What the payer has to do; its shape is the rail's. */
  action: Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)))
})
export type Payment = typeof Payment.Type

export const Refund = Schema.Struct({
  id: Schema.NonEmptyString,
  /** `pending`, `succeeded`, `failed`. */
  status: Schema.String,
  /** Minor units. */
  amount: Schema.Int,
  currency: CurrencyCode
})
export type Refund = typeof Refund.Type

export type ListOf<A> = Schema.Decoder<{ readonly data: ReadonlyArray<A> }>
export const Payments = Schema.Struct({ data: Schema.Array(Payment) })
export const Refunds = Schema.Struct({ data: Schema.Array(Refund) })

export const ErrorBody = Schema.Struct({ error: Schema.Struct({ code: Schema.String }) })

/** One of any type. */
export const AnyEvent = Schema.StructWithRest(Schema.Struct({ type: Schema.String }), [
  Schema.Record(Schema.String, Schema.Unknown)
])

const EventType = Schema.Literals([
  "payment.authorized",
  "payment.captured",
  "payment.declined",
  "payment.canceled",
  "payment.expired",
  "refund.succeeded",
  "refund.failed"
])
export const isKnownType = Schema.is(EventType)

export const Event = Schema.Struct({
  id: Schema.NonEmptyString,
  type: EventType,
  /** s UTC */
  created: Schema.Int,
  payment: Payment,
  refund: Schema.optionalKey(Schema.NullOr(Refund))
})
export type Event = typeof Event.Type
