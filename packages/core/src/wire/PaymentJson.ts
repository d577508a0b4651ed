/**
 * The public JSON of a payment: what HTTP answers, event rows keep and webhooks send.
 *
 * `paymentJson` writes it; the Schema is its description for the OpenAPI document and for readers. A test holds the two
 * together.
 */
import { Schema } from "effect"
import type { Attempt } from "../domain/Attempt.ts"
import { chargesOf, isPlain, overpaid, overpayment, reversalsOf } from "../domain/balance.ts"
import { failureCodes } from "../domain/Decline.ts"
import { isOpen } from "../domain/Operation.ts"
import type { Operation } from "../domain/Operation.ts"
import type { NextAction } from "../domain/NextAction.ts"
import type { Payment, PaymentRecord } from "../domain/Payment.ts"
import { paymentStatuses, pendingReasons } from "../domain/Payment.ts"
import { rails } from "../domain/PaymentMethod.ts"
import type { PaymentMethod } from "../domain/PaymentMethod.ts"
import { isHoldWanted } from "../domain/reversal.ts"
import { reviewReasons } from "../domain/Review.ts"
import type { Review } from "../domain/Review.ts"
import { isBeingConfirmed } from "../domain/reviews.ts"

const Time = Schema.String.annotate({ description: "RFC 3339, UTC", format: "date-time" })
const Expires = { expires_at: Schema.NullOr(Time) }

const NextActionJson = Schema.Union([
  Schema.Struct({ type: Schema.Literal("upi_intent"), uri: Schema.String, ...Expires }),
  Schema.Struct({
    type: Schema.Literal("upi_qr"),
    payload: Schema.optionalKey(Schema.String),
    image: Schema.optionalKey(Schema.String),
    ...Expires
  }),
  Schema.Struct({ type: Schema.Literal("redirect"), url: Schema.String, ...Expires }),
  Schema.Struct({
    type: Schema.Literal("stablecoin_transfer"),
    address: Schema.String,
    uri: Schema.String,
    amount: Schema.String,
    image: Schema.optionalKey(Schema.String),
    ...Expires
  }),
  Schema.Struct({ type: Schema.Literal("wait"), ...Expires })
])

const DetailsJson = Schema.Struct({
  upi: Schema.optionalKey(
    Schema.Struct({
      flow: Schema.Literals(["intent", "qr", "collect"]),
      vpa: Schema.optionalKey(Schema.String)
    })
  ),
  card: Schema.optionalKey(
    Schema.Struct({
      network: Schema.NullOr(Schema.String),
      country: Schema.NullOr(Schema.String),
      funding: Schema.NullOr(Schema.String),
      bin: Schema.NullOr(Schema.String)
    })
  ),
  stablecoin: Schema.optionalKey(
    Schema.Struct({
      asset: Schema.NullOr(Schema.String),
      network: Schema.NullOr(Schema.String)
    })
  )
})

export const ReviewJson = Schema.Struct({
  id: Schema.String,
  reason: Schema.Literals(reviewReasons),
  provider: Schema.String,
  reference: Schema.NullOr(Schema.String).annotate({
    description: "The provider's reference of the charge or movement in question, where it is known."
  }),
  operation: Schema.NullOr(Schema.String),
  amount: Schema.Int.annotate({ description: "How much is in question, in the smallest unit of `currency`." }),
  currency: Schema.String,
  since: Time
})
export type ReviewJson = typeof ReviewJson.Type

export const PaymentJson = Schema.Struct({
  id: Schema.String,
  object: Schema.Literal("payment"),
  livemode: Schema.Boolean,
  status: Schema.Literals(paymentStatuses),
  pending_reason: Schema.NullOr(Schema.Literals(pendingReasons)),
  amount: Schema.Int,
  amount_captured: Schema.Int,
  amount_refunded: Schema.Int,
  amount_received: Schema.optionalKey(Schema.Int),
  currency: Schema.String,
  payment_method: Schema.Literals(rails),
  payment_method_details: DetailsJson,
  capture_method: Schema.Literals(["automatic", "manual"]),
  description: Schema.NullOr(Schema.String),
  customer: Schema.Struct({ email: Schema.String, phone: Schema.String, name: Schema.NullOr(Schema.String) }),
  metadata: Schema.Record(Schema.String, Schema.String),
  return_url: Schema.NullOr(Schema.String),
  next_action: Schema.NullOr(NextActionJson),
  failure: Schema.NullOr(
    Schema.Struct({
      code: Schema.Literals(failureCodes),
      message: Schema.String,
      retryable: Schema.Boolean
    })
  ),
  overpayment: Schema.optionalKey(Schema.Int).annotate({
    description: "Captured beyond the payment, and not given back yet, at all its providers together."
  }),
  reviews: Schema.Array(ReviewJson).annotate({
    description: "What an operator has to look at: one item for each question."
  }),
  late: Schema.optionalKey(Schema.Boolean),
  disputed_at: Schema.optionalKey(Time),
  provider: Schema.String,
  routing: Schema.Struct({ rule: Schema.String, ruleset: Schema.String, reason: Schema.String }),
  attempts: Schema.Array(
    Schema.Struct({
      seq: Schema.Int,
      provider: Schema.String,
      status: Schema.String,
      reason: Schema.String,
      code: Schema.NullOr(Schema.String),
      vendor_code: Schema.NullOr(Schema.String),
      reversal: Schema.optionalKey(Schema.Literals(["pending", "succeeded", "failed"])).annotate({
        description: "Its money is not the payment's, and is given back: how far that is."
      }),
      started_at: Time,
      ended_at: Schema.NullOr(Time)
    })
  ),
  operations: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      kind: Schema.Literals(["capture", "cancel"]),
      status: Schema.Literals(["pending", "succeeded", "failed"]),
      amount: Schema.Int,
      code: Schema.NullOr(Schema.String),
      created_at: Time,
      ended_at: Schema.NullOr(Time)
    })
  ).annotate({ description: "Captures and cancels that were asked for." }),
  version: Schema.Int,
  created_at: Time,
  updated_at: Time
}).annotate({ identifier: "Payment" })
export type PaymentJson = typeof PaymentJson.Type

/** Key order is the order of the document: equal payments give equal bytes. */
export const paymentJson = (record: PaymentRecord): PaymentJson => {
  const { attempts, operations, payment } = record
  const { state } = payment
  const tooMuch = isPlain(record) ? 0 : overpayment(record)
  return {
    id: payment.id,
    object: "payment",
    livemode: payment.livemode,
    status: state.status,
    pending_reason: state.status === "pending" ? state.reason : null,
    amount: payment.amount.minorUnits,
    amount_captured: payment.amountCaptured,
    amount_refunded: payment.amountRefunded,
    ...(payment.amountReceived === null ? {} : { amount_received: payment.amountReceived }),
    currency: payment.amount.currency,
    payment_method: payment.method.rail,
    payment_method_details: details(payment.method),
    capture_method: payment.captureMethod,
    description: payment.description,
    customer: { email: payment.customer.email, phone: payment.customer.phone, name: payment.customer.name },
    metadata: payment.metadata,
    return_url: payment.returnUrl,
    next_action: nextAction(payment),
    failure: state.status === "failed" ? state.failure : null,
    ...(tooMuch === 0 ? {} : { overpayment: tooMuch }),
    reviews: payment.reviews.map(reviewJson),
    ...(state.status === "succeeded" && state.late ? { late: true } : {}),
    ...(payment.disputedAt === null ? {} : { disputed_at: iso(payment.disputedAt) }),
    provider: payment.provider,
    routing: { rule: payment.routing.rule, ruleset: payment.routing.ruleset, reason: payment.routing.reason },
    attempts: attempts.map((attempt) => ({
      seq: attempt.seq,
      provider: attempt.provider,
      status: attempt.status,
      reason: attempt.reason,
      code: attempt.code,
      vendor_code: attempt.vendorCode,
      ...(attempt.surplus ? { reversal: reversalOf(record, attempt) } : {}),
      started_at: iso(attempt.startedAt),
      ended_at: attempt.endedAt === null ? null : iso(attempt.endedAt)
    })),
    operations: operations.flatMap(operationJson),
    version: payment.version,
    created_at: iso(payment.createdAt),
    updated_at: iso(payment.updatedAt)
  }
}

export const reviewJson = (review: Review): ReviewJson => ({
  id: review.id,
  reason: review.reason,
  provider: review.provider,
  reference: review.reference,
  operation: review.operationId,
  amount: review.minorUnits,
  currency: review.currency,
  since: iso(review.since)
})

/** What is not wanted of an attempt, and cannot be given back from here, counts as failed until it is given back by hand. */
const reversalOf = (record: PaymentRecord, attempt: Attempt) => {
  const isUnderWay = (["refund", "cancel"] as const).some((kind) => reversalsOf(record, attempt, kind).some(isOpen))
  if (isUnderWay || isBeingConfirmed(record, attempt)) return "pending"
  const isLeft = chargesOf(record, attempt).some(
    (charge) => overpaid(charge) > 0 || (charge.held > 0 && !isHoldWanted(attempt))
  )
  return isLeft ? "failed" : "succeeded"
}

const operationJson = (operation: Operation): PaymentJson["operations"] => {
  const { code, createdAt, endedAt, id, kind, minorUnits, purpose, status } = operation
  if (purpose !== "requested" || (kind !== "capture" && kind !== "cancel")) return []
  return [
    {
      id,
      kind,
      status: isOpen(operation) ? "pending" : status === "succeeded" ? "succeeded" : "failed",
      amount: minorUnits,
      code,
      created_at: iso(createdAt),
      ended_at: endedAt === null ? null : iso(endedAt)
    }
  ]
}

/** The bytes of the public JSON: what is answered, kept with an idempotency key and written into event rows. */
export const paymentBody = (record: PaymentRecord): string => JSON.stringify(paymentJson(record))

/** Tokens are credentials: they are not shown again. */
const details = (method: PaymentMethod): PaymentJson["payment_method_details"] => {
  switch (method.rail) {
    case "upi":
      return { upi: { flow: method.flow, ...(method.vpa === null ? {} : { vpa: method.vpa }) } }
    case "card": {
      const { bin, country, funding, network } = method
      return { card: { network, country, funding, bin } }
    }
    case "stablecoin":
      return { stablecoin: { asset: method.asset, network: method.network } }
  }
}

const nextAction = ({ state }: Payment): PaymentJson["next_action"] =>
  state.status === "pending" && state.nextAction !== null ? actionJson(state.nextAction) : null

const actionJson = (action: NextAction): NonNullable<PaymentJson["next_action"]> => {
  const expires_at = action.expiresAt === null ? null : iso(action.expiresAt)
  switch (action.type) {
    case "upi_intent":
      return { type: action.type, uri: action.uri, expires_at }
    case "upi_qr":
      return {
        type: action.type,
        ...(action.payload === null ? {} : { payload: action.payload }),
        ...(action.image === null ? {} : { image: action.image }),
        expires_at
      }
    case "redirect":
      return { type: action.type, url: action.url, expires_at }
    case "stablecoin_transfer":
      return {
        type: action.type,
        address: action.address,
        uri: action.uri,
        amount: action.amount,
        ...(action.image === undefined || action.image === null ? {} : { image: action.image }),
        expires_at
      }
    case "wait":
      return { type: action.type, expires_at }
  }
}

/** ms UTC → RFC 3339. The text of the last second is remembered: a payment writes the same second several times. */
export const iso = (ms: number): string => {
  const whole = Math.floor(ms)
  const second = Math.floor(whole / 1000)
  if (second !== lastSecond) {
    // A pure conversion of a given time; the clock is not read.
    // oxlint-disable-next-line no-restricted-globals
    lastText = new Date(second * 1000).toISOString().slice(0, -4)
    lastSecond = second
  }
  return `${lastText}${String(whole - second * 1000).padStart(3, "0")}Z`
}

let lastSecond = Number.NaN
let lastText = ""
