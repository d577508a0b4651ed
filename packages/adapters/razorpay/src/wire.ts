/**
 * What Razorpay answers, as far as it is read: fields that are not named are ignored, and new values of a status are no
 * error. Amounts are in paise, times in s UTC.
 */
import { Currency } from "@paymux/core"
import { Schema } from "effect"

const CurrencyCode = Schema.String.pipe(Schema.refine(Currency.isCurrency))
const Text = Schema.optionalKey(Schema.NullOr(Schema.String))

/** An object, or `[]` if it is empty. */
const Notes = Schema.optionalKey(Schema.Unknown)

export const Order = Schema.Struct({
  id: Schema.NonEmptyString,
  /** `created` until a payment is tried, `attempted` until one is captured, then `paid` for ever. */
  status: Schema.String,
  amount: Schema.Int,
  currency: CurrencyCode,
  receipt: Text
})
export type Order = typeof Order.Type

export const Payment = Schema.Struct({
  id: Schema.NonEmptyString,
  /** `created`, `authorized`, `captured`, `refunded`, `failed`. */
  status: Schema.String,
  amount: Schema.Int,
  currency: CurrencyCode,
  order_id: Text,
  /** Whether it ever was: `false` with `refunded` is money that Razorpay refunded automatically. */
  captured: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  amount_refunded: Schema.optionalKey(Schema.NullOr(Schema.Int)),
  error_code: Text,
  error_reason: Text,
  description: Text,
  notes: Notes,
  created_at: Schema.optionalKey(Schema.NullOr(Schema.Int))
})
export type Payment = typeof Payment.Type

/** What `POST /payments/create/upi` answers; a collect request has no link. */
export const UpiPayment = Schema.Struct({ razorpay_payment_id: Schema.NonEmptyString, link: Text })

export const Refund = Schema.Struct({
  id: Schema.NonEmptyString,
  /** `pending`, `processed`, `failed`. */
  status: Schema.String,
  amount: Schema.Int,
  currency: CurrencyCode,
  receipt: Text
})
export type Refund = typeof Refund.Type

export const Qr = Schema.Struct({
  id: Schema.NonEmptyString,
  /** `active`, `closed`. */
  status: Schema.String,
  image_url: Schema.NonEmptyString,
  close_by: Schema.optionalKey(Schema.NullOr(Schema.Int)),
  /** `on_demand`, `paid`; `null` while it is open, and when its time is over. */
  close_reason: Text,
  notes: Notes
})
export type Qr = typeof Qr.Type

export const PaymentLink = Schema.Struct({
  id: Schema.NonEmptyString,
  /** `created`, `partially_paid`, `paid`, `cancelled`, `expired`. It stays `paid` after a refund. */
  status: Schema.String,
  amount: Schema.Int,
  currency: CurrencyCode,
  reference_id: Text,
  short_url: Schema.NonEmptyString,
  /** Not documented for every response. */
  order_id: Text,
  /** Captured payments only. */
  payments: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Struct({ payment_id: Schema.NonEmptyString }))))
})
export type PaymentLink = typeof PaymentLink.Type

const Paise = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** What was settled. */
export const ReconItem = Schema.Struct({
  /** `pay_…`, `rfnd_…`, `trf_…`, `adj_…` */
  entity_id: Schema.NonEmptyString,
  /** `payment`, `refund`, `transfer`, `adjustment`, and what Razorpay may add. */
  type: Schema.String,
  /** What the settlement lost or gained by it, fees included. */
  debit: Paise,
  credit: Paise,
  amount: Paise,
  currency: CurrencyCode,
  /** With `tax`, which is a part of it. */
  fee: Schema.optionalKey(Schema.NullOr(Paise)),
  settled: Schema.optionalKey(Schema.NullOr(Schema.Boolean)),
  settled_at: Schema.optionalKey(Schema.NullOr(Schema.Int)),
  settlement_id: Text,
  order_id: Text,
  order_receipt: Text,
  dispute_id: Text,
  description: Text,
  /** Also text. */
  notes: Notes
})
export type ReconItem = typeof ReconItem.Type
export const ReconItems = Schema.Struct({ items: Schema.Array(ReconItem) })

export const PaymentLinks = Schema.Struct({ payment_links: Schema.Array(PaymentLink) })
export const Orders = Schema.Struct({ items: Schema.Array(Order) })
export const Payments = Schema.Struct({ items: Schema.Array(Payment) })
export const Refunds = Schema.Struct({ items: Schema.Array(Refund) })
export const Qrs = Schema.Struct({ items: Schema.Array(Qr) })

/** Many errors have the reason `NA`, and differ in their description only. */
export const ErrorBody = Schema.Struct({
  error: Schema.Struct({
    code: Text,
    reason: Text,
    description: Text,
    /** An object, or `[]` if it is empty: the payment or order that the error is about. */
    metadata: Schema.optionalKey(Schema.Unknown)
  })
})

const entity = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(Schema.Struct({ entity: schema })))

/** The envelope of every webhook, also of unknown types. */
export const AnyEvent = Schema.Struct({
  /** `payment.captured`, `refund.processed`, and what Razorpay may add. */
  event: Schema.String,
  /** s UTC. Some published samples do not have it. */
  created_at: Schema.optionalKey(Schema.Unknown),
  payload: Schema.optionalKey(Schema.Unknown)
})

/** `dispute`: of the events of a dispute; see `Dispute`. */
export const PaymentEvent = Schema.Struct({
  payment: Schema.Struct({ entity: Payment }),
  dispute: Schema.optionalKey(Schema.Unknown)
})
export const Dispute = Schema.Struct({
  entity: Schema.Struct({
    id: Schema.NonEmptyString,
    amount: Schema.Int,
    currency: Schema.String,
    /** `chargeback`, `pre_arbitration`, `arbitration`; `retrieval` and `fraud` ask for information. */
    phase: Schema.optionalKey(Schema.NullOr(Schema.String))
  })
})
export const RefundEvent = Schema.Struct({ refund: Schema.Struct({ entity: Refund }) })
export const LinkEvent = Schema.Struct({
  payment_link: Schema.Struct({ entity: PaymentLink }),
  payment: entity(Payment)
})
export const QrEvent = Schema.Struct({
  qr_code: Schema.Struct({
    // Webhooks write some of its numbers as text.
    entity: Schema.Struct({ id: Schema.NonEmptyString, notes: Notes })
  }),
  payment: entity(Payment)
})
