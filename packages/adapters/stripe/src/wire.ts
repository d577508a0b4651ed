/**
 * What Stripe answers, as far as it is read: fields that are not named are ignored, and a new value of a status is no
 * error. A client secret is never read.
 */
import { Schema } from "effect"

const nullable = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

const Id = Schema.NonEmptyString
/** Read apart from the rest, which an unreadable amount must not hide. */
const Amount = Schema.optionalKey(Schema.Unknown)
const Metadata = nullable(Schema.Record(Schema.String, Schema.String))

/** The same parts in an error's body and in `last_payment_error`. */
const errorFields = {
  /** `card_error`, `invalid_request_error`, `idempotency_error`, `api_error`. */
  type: nullable(Schema.String),
  code: nullable(Schema.String),
  decline_code: nullable(Schema.String),
  advice_code: nullable(Schema.String),
  network_advice_code: nullable(Schema.String)
}
const PaymentError = Schema.Struct(errorFields)
export type PaymentError = typeof PaymentError.Type

export const PaymentIntent = Schema.Struct({
  id: Id,
  /** `requires_payment_method`, `requires_action`, `processing`, `requires_capture`, `succeeded`, `canceled`, and others. */
  status: Schema.String,
  /** Minor units. */
  amount_capturable: Amount,
  amount_received: Amount,
  /** In lower case. */
  currency: Amount,
  /** s UTC */
  created: Schema.Int,
  cancellation_reason: nullable(Schema.String),
  metadata: Metadata,
  last_payment_error: nullable(PaymentError),
  next_action: nullable(
    Schema.Struct({
      /** `redirect_to_url`, `use_stripe_sdk`, and others. */
      type: Schema.String,
      redirect_to_url: nullable(Schema.Struct({ url: nullable(Schema.String) }))
    })
  )
})
export type PaymentIntent = typeof PaymentIntent.Type

export const Session = Schema.Struct({
  id: Id,
  /** `open`, `complete`, `expired`. */
  status: nullable(Schema.String),
  url: nullable(Schema.String),
  /** s UTC */
  expires_at: Schema.Int,
  metadata: Metadata,
  /** Its id, unless it was asked for. */
  payment_intent: nullable(Schema.Union([PaymentIntent, Schema.String]))
})
export type Session = typeof Session.Type

export const Refund = Schema.Struct({
  id: Id,
  /** `pending`, `requires_action`, `succeeded`, `failed`, `canceled`. */
  status: nullable(Schema.String),
  /** Minor units. */
  amount: Amount,
  currency: Amount,
  failure_reason: nullable(Schema.String),
  metadata: Metadata
})
export type Refund = typeof Refund.Type

const listOf = <S extends Schema.Top>(item: S) => Schema.Struct({ data: Schema.Array(item), has_more: Schema.Boolean })

const reference = nullable(Schema.Union([Schema.Struct({ id: Id }), Schema.String]))

/** A charge, refund, dispute, payout or something else. */
export const BalanceSource = Schema.Struct({
  id: Id,
  object: Schema.String,
  /** Minor units, in `currency`: before it was converted. */
  amount: nullable(Schema.Int),
  /** Of a charge. */
  amount_captured: nullable(Schema.Int),
  currency: nullable(Schema.String),
  payment_intent: reference,
  charge: reference,
  metadata: Metadata
})
export type BalanceSource = typeof BalanceSource.Type

export const BalanceTransaction = Schema.Struct({
  id: Id,
  /** `charge`, `refund`, `adjustment`, `payout`, and many others. */
  type: Schema.String,
  /** Minor units; below zero if the balance lost them. */
  amount: Schema.Int,
  fee: Schema.Int,
  net: Schema.Int,
  /** Of the settlement, in lower case. */
  currency: Schema.String,
  /** s UTC */
  created: Schema.Int,
  /** Its id, unless it was asked for. */
  source: nullable(Schema.Union([BalanceSource, Schema.String]))
})
export type BalanceTransaction = typeof BalanceTransaction.Type

export const BalanceTransactions = listOf(BalanceTransaction)

/** What is looked for in a list has our id in its metadata. */
export const Named = listOf(Schema.Struct({ id: Id, metadata: Metadata }))
export const Refunds = listOf(Refund)

export const ErrorBody = Schema.Struct({
  error: Schema.Struct({
    ...errorFields,
    /** Compared with `messages.ts`, and never kept. */
    message: nullable(Schema.String),
    /** The name of the parameter that is refused, such as `shipping[name]`. */
    param: nullable(Schema.String),
    /** The PaymentIntent that the request made, if it made one. */
    payment_intent: nullable(Schema.Struct({ id: Id, status: nullable(Schema.String), amount_received: Amount }))
  })
})
export type Refusal = (typeof ErrorBody.Type)["error"]

/** The type first: what `object` is depends on it. */
export const Event = Schema.Struct({
  id: Id,
  type: Schema.String,
  /** s UTC */
  created: Schema.Int,
  livemode: Schema.Boolean,
  /** Of what happened in an account that is connected to ours. */
  account: nullable(Schema.String),
  data: Schema.Struct({ object: Schema.Unknown })
})

export const Dispute = Schema.Struct({
  id: Id,
  payment_intent: nullable(Id),
  amount: nullable(Schema.Unknown),
  /** In lower case. */
  currency: nullable(Schema.String),
  /** `warning_…`: an inquiry, which asks for information. */
  status: nullable(Schema.String)
})
