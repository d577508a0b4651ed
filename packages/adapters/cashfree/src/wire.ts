/**
 * What Cashfree answers, as far as it is read: fields that are not named are ignored, and a new value of a status is no
 * error. Amounts are read from the text of their numbers, in rupees: there is no other currency on UPI.
 */
import { Amount } from "@paymux/provider-kit"
import { Schema } from "effect"

/** Rupees as text ↔ paise. */
const Rupees = Amount.SafeIntFromMajor(2)

/** Numbers come as their text, so an id is text whether it was a number or not. */
const Id = Schema.NonEmptyString

const nullable = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

export const Order = Schema.Struct({
  order_id: Id,
  /** `ACTIVE`, `PAID`, `EXPIRED`, `TERMINATED`, `TERMINATION_REQUESTED`, and what Cashfree may add. */
  order_status: Schema.NonEmptyString,
  order_amount: Rupees,
  order_currency: Schema.Literal("INR"),
  /** A browser that has it can open a payment. */
  payment_session_id: nullable(Schema.RedactedFromValue(Schema.NonEmptyString)),
  /** ISO 8601 */
  order_expiry_time: nullable(Schema.String)
})
export type Order = typeof Order.Type

export const Link = Schema.Struct({
  link_id: Id,
  /** `ACTIVE`, `PARTIALLY_PAID`, `PAID`, `EXPIRED`, `CANCELLED`, and what Cashfree may add. */
  link_status: Schema.NonEmptyString,
  link_amount: Rupees,
  link_currency: Schema.Literal("INR"),
  link_url: Schema.String.check(Schema.isStartingWith("https://")),
  /** ISO 8601 */
  link_expiry_time: nullable(Schema.String)
})
export type Link = typeof Link.Type

/** The orders of a link: Cashfree makes one, with an id of its own, when the payer opens the page or tries again. */
export const LinkOrders = Schema.Array(
  Schema.Struct({
    order_id: Id,
    /** As of an order. */
    order_status: Schema.NonEmptyString,
    /** ISO 8601 */
    created_at: nullable(Schema.String)
  })
)
export type LinkOrders = typeof LinkOrders.Type

/** `upi:` opens an app. The sandbox answers `https:`, the page of its simulator. */
const PayerLink = Schema.String.check(Schema.isPattern(/^(?:upi|https):\/\//))
const Image = Schema.String.check(Schema.isStartingWith("data:image/"))

const SessionData = Schema.Struct({
  payload: Schema.Union([
    Schema.Struct({ qrcode: Image, default: nullable(PayerLink) }),
    Schema.Struct({ default: PayerLink })
  ])
})
export type SessionData = typeof SessionData.Type

export const Session = Schema.Struct({ cf_payment_id: Id, data: SessionData })

const ErrorDetails = Schema.Struct({
  error_code: nullable(Schema.String),
  error_reason: nullable(Schema.String),
  /** Of the UPI network, such as `ZM`. */
  error_code_raw: nullable(Schema.String)
})
export type ErrorDetails = typeof ErrorDetails.Type

const Surcharge = Schema.Struct({
  payment_surcharge_service_charge: nullable(Rupees),
  payment_surcharge_service_tax: nullable(Rupees)
})

export const Payment = Schema.Struct({
  cf_payment_id: Id,
  /** `SUCCESS`, `NOT_ATTEMPTED`, `FAILED`, `USER_DROPPED`, `VOID`, `CANCELLED`, `PENDING`, and what Cashfree may add. */
  payment_status: Schema.NonEmptyString,
  /** With the surcharge that the payer bears. */
  payment_amount: Rupees,
  payment_currency: Schema.Literal("INR"),
  payment_surcharge: nullable(Surcharge),
  /** ISO 8601 */
  payment_time: nullable(Schema.String),
  is_captured: nullable(Schema.Boolean),
  authorization: nullable(
    Schema.Struct({
      /** `CAPTURE`, `VOID`. */
      action: nullable(Schema.String),
      /** `SUCCESS`, `PENDING`. */
      status: nullable(Schema.String),
      captured_amount: nullable(Rupees)
    })
  ),
  error_details: nullable(ErrorDetails)
})
export type Payment = typeof Payment.Type
export const Payments = Schema.Array(Payment)
export type Payments = typeof Payments.Type

export const Refund = Schema.Struct({
  refund_id: Id,
  /** `SUCCESS`, `PENDING`, `CANCELLED`, `ONHOLD`, `FAILED`, and what Cashfree may add. */
  refund_status: Schema.NonEmptyString,
  refund_amount: Rupees,
  refund_currency: Schema.Literal("INR")
})
export type Refund = typeof Refund.Type

const Words = nullable(Schema.String)
const Tags = Schema.optionalKey(Schema.Unknown)

/** Of API version 2025-01-01. */
const NestedEvent = Schema.Struct({
  event_details: Schema.Struct({
    event_id: Id,
    /** `PAYMENT`, `REFUND`, `DISPUTE`, `SETTLEMENT`, and what Cashfree may add. */
    event_type: Schema.NonEmptyString,
    event_status: Words,
    /** Major units, in `event_currency`. */
    event_amount: Schema.String,
    event_currency: Schema.String,
    /** What is settled of it, in rupees. */
    event_settlement_amount: Words,
    /** ISO 8601 */
    event_time: Schema.String,
    /** `CREDIT`, `DEBIT`. */
    sale_type: Schema.String,
    event_remarks: Words
  }),
  order_details: nullable(Schema.Struct({ order_id: Words, order_tags: Tags })),
  refund_details: nullable(Schema.Struct({ refund_id: Words })),
  settlement_details: nullable(Schema.Struct({ cf_settlement_id: Words, amount_settled: Words }))
})

/** Of older versions, as their documentation still shows it. */
const FlatEvent = Schema.Struct({
  ...NestedEvent.fields.event_details.fields,
  order_id: Words,
  order_tags: Tags,
  refund_id: Words,
  cf_settlement_id: Words,
  amount_settled: Words,
  adjustment_remarks: Words
})

const ReconRow = Schema.Union([NestedEvent, FlatEvent])

/** `cursor`: of the next page; none, and `""`, at the end. */
export const ReconPage = Schema.Struct({ cursor: Words, data: Schema.Array(ReconRow) })

/** One event, in whichever form it came. Amounts are texts in major units. */
export interface ReconEvent {
  readonly id: string
  readonly kind: string
  readonly status: string | null
  readonly amount: string
  readonly currency: string
  readonly settled: string | null
  readonly time: string
  readonly saleType: string
  readonly remarks: string | null
  readonly order: string | null
  readonly tags: unknown
  readonly refund: string | null
  readonly settlement: string | null
  /** What a settlement transfers to the bank. */
  readonly paidOut: string | null
}

export const eventOf = (row: typeof ReconRow.Type): ReconEvent => {
  const isNested = "event_details" in row
  const event = isNested ? row.event_details : row
  const settlement = isNested ? row.settlement_details : row
  return {
    id: event.event_id,
    kind: event.event_type,
    status: orNull(event.event_status),
    amount: event.event_amount,
    currency: event.event_currency,
    settled: orNull(event.event_settlement_amount),
    time: event.event_time,
    saleType: event.sale_type,
    remarks: orNull(event.event_remarks) ?? (isNested ? null : orNull(row.adjustment_remarks)),
    order: orNull(isNested ? row.order_details?.order_id : row.order_id),
    tags: isNested ? row.order_details?.order_tags : row.order_tags,
    refund: orNull(isNested ? row.refund_details?.refund_id : row.refund_id),
    settlement: orNull(settlement?.cf_settlement_id),
    paidOut: orNull(settlement?.amount_settled)
  }
}

const orNull = (text: string | null | undefined): string | null => (text === undefined || text === "" ? null : text)

export const ErrorBody = Schema.Struct({ code: Words, message: Words, type: Words })

/** The type first: what else is there depends on it. */
export const EventType = Schema.Struct({ type: Schema.String, event_time: nullable(Schema.String) })

/** Whose it is, before the rest is read: other systems may use the same account in their own way. */
export const OrderNamed = Schema.Struct({
  data: Schema.Struct({ order: Schema.Struct({ order_id: Id, order_tags: Tags }) })
})
export const LinkNamed = Schema.Struct({ data: Schema.Struct({ link_id: Id }) })
export const RefundNamed = Schema.Struct({ data: Schema.Struct({ refund: Schema.Struct({ refund_id: Id }) }) })

export const PaymentEvent = Schema.Struct({
  data: Schema.Struct({
    order: Schema.Struct({ order_id: Id, order_tags: Tags }),
    payment: Payment,
    /** Beside the payment in webhooks, within it in answers. */
    payment_surcharge: nullable(Surcharge)
  })
})

/** Flat, with amounts as texts. `order`: the one that caused the event; `null` if the link ended. */
export const LinkEvent = Schema.Struct({
  data: Schema.Struct({
    link_status: Schema.NonEmptyString,
    link_amount: Rupees,
    link_amount_paid: nullable(Rupees),
    order: nullable(Schema.Struct({ order_id: Id, order_amount: Rupees, transaction_status: Words }))
  })
})

export const RefundEvent = Schema.Struct({ data: Schema.Struct({ refund: Refund }) })

export const Simulation = Schema.Struct({ simulation_id: Id })
