/**
 * The error of a call to Paymux: one error class with a tagged reason. The data needed for recovery are fields of the
 * reason, so that no client has to parse a message.
 */
import { Schema } from "effect"
import { otherCellText } from "./Cell.ts"

const Dropped = Schema.Struct({ provider: Schema.String, reason: Schema.String })
const Issue = Schema.Struct({ pointer: Schema.String, message: Schema.String })

/** The reason "malformed request". Nothing was written, and no idempotency key was used. */
export class InvalidPayment extends Schema.TaggedError<InvalidPayment>()("InvalidPayment", {
  /**
   * The validation errors, each with a JSON pointer (RFC 6901) to the field. An error never repeats the field's value.
   */
  errors: Schema.Array(Issue)
}) {}

/**
 * The reason "raw card data": the request contains a card number or a security code. The data are neither stored nor
 * repeated in the error.
 */
export class RawCardData extends Schema.TaggedError<RawCardData>()("RawCardData", {
  pointer: Schema.String
}) {}

/** The reason "no route": no configured provider can take this payment. Nothing was written. */
export class NoRoute extends Schema.TaggedError<NoRoute>()("NoRoute", {
  candidates: Schema.Array(Dropped)
}) {}

/**
 * The card has a final decline, or its declines at all providers have reached the card network's retry limit, so no
 * provider is tried. Nothing was written.
 */
export class CardNotRetried extends Schema.TaggedError<CardNotRetried>()("CardNotRetried", {
  reason: Schema.Literals(["hard_decline", "retry_limit"]),
  retryAfterMs: Schema.Finite
}) {}

/**
 * No capable provider admits the payment now (its circuit breaker is open, or it has no free slot). Nothing was
 * written, and no idempotency key was used.
 */
export class NoProviderAvailable extends Schema.TaggedError<NoProviderAvailable>()("NoProviderAvailable", {
  retryAfterMs: Schema.Finite,
  /** The kind of operation requested on an existing payment; absent if the request was to create a payment. */
  kind: Schema.optionalKey(Schema.Literals(["capture", "cancel", "refund"]))
}) {
  override get message(): string {
    return this.kind === undefined
      ? "Every provider for this payment is unavailable at the moment; nothing was charged."
      : `The provider of this payment is unavailable at the moment; nothing was ${done[this.kind]}.`
  }
}

const done = { capture: "captured", cancel: "canceled", refund: "refunded" } as const

/**
 * The reason "restoring": the database was restored to an earlier time, so the request may have been sent before, and
 * no provider can prove yet that it was not. Nothing was written, and no idempotency key was used.
 */
export class Restoring extends Schema.TaggedError<Restoring>()("Restoring", {
  retryAfterMs: Schema.Finite
}) {
  override get message(): string {
    return "The database was restored, and whether this request was carried out before is not known yet; nothing was done."
  }
}

/**
 * The reason "overloaded": more requests arrived at once than can be written. Nothing was written, and no idempotency
 * key was used.
 */
export class Overloaded extends Schema.TaggedError<Overloaded>()("Overloaded", {
  retryAfterMs: Schema.Finite
}) {}

/** The reason that the idempotency key belongs to another request. Nothing was written or sent. */
export class IdempotencyKeyReused extends Schema.TaggedError<IdempotencyKeyReused>()("IdempotencyKeyReused", {
  /** The id of the payment that the first request created, of the same account and mode. */
  paymentId: Schema.String,
  /**
   * The first field that differs: a JSON pointer (RFC 6901) into the request body, or `id` if the payment is another
   * one. `null` if the payment no longer has the field, for example after an erasure.
   */
  pointer: Schema.NullOr(Schema.String)
}) {
  override get message(): string {
    return `This idempotency key was used with another request, for payment ${this.paymentId}${
      this.pointer === null ? "." : `; the first difference is in ${this.pointer}.`
    }`
  }
}

/** The order has another open or paid payment. Nothing was written or sent, and no idempotency key was used. */
export class OrderTaken extends Schema.TaggedError<OrderTaken>()("OrderTaken", {
  /** The id of the other payment, of the same account and mode. */
  paymentId: Schema.String,
  status: Schema.Literals(["pending", "authorized", "succeeded"]),
  /** The reason why the other payment was not closed, if the request was to replace it. */
  unclosed: Schema.NullOr(Schema.String)
}) {
  override get message(): string {
    const state = { pending: "is open", authorized: "is authorized", succeeded: "is paid" }[this.status]
    const first = `This order has the payment ${this.paymentId}, which ${state}; nothing was done.`
    return this.unclosed === null ? first : `${first} It was not closed: ${this.unclosed}`
  }
}

/** The reason that the first request with this idempotency key is still running. */
export class IdempotencyInFlight extends Schema.TaggedError<IdempotencyInFlight>()("IdempotencyInFlight", {
  retryAfterMs: Schema.Finite
}) {}

/**
 * The name of the cell that made the id, if it is another cell than `here`. `here` is `null` if this installation is
 * not a cell.
 */
const OtherCell = Schema.Struct({ cell: Schema.String, here: Schema.NullOr(Schema.String) })

export class PaymentNotFound extends Schema.TaggedError<PaymentNotFound>()("PaymentNotFound", {
  otherCell: Schema.optionalKey(OtherCell)
}) {
  override get message(): string {
    return `There is no such payment.${whereMade(this.otherCell)}`
  }
}

export class RefundNotFound extends Schema.TaggedError<RefundNotFound>()("RefundNotFound", {
  otherCell: Schema.optionalKey(OtherCell)
}) {
  override get message(): string {
    return `There is no such refund.${whereMade(this.otherCell)}`
  }
}

const whereMade = (other: typeof OtherCell.Type | undefined): string =>
  other === undefined ? "" : ` The id is ${otherCellText(other.cell, other.here)}.`

/**
 * The reason that a capture, cancel or refund is not possible with this provider, in this state of the payment, or now.
 * Nothing was sent.
 */
export class OperationRefused extends Schema.TaggedError<OperationRefused>()("OperationRefused", {
  reason: Schema.Literals(["not_supported", "not_configured", "wrong_state", "in_flight"]),
  sentence: Schema.String
}) {}

/**
 * The refund exceeds the available amount: the charge minus its disputes, and minus refunds that were made outside of
 * Paymux. Nothing was written or sent. All amounts are minor units of the payment's currency.
 */
export class RefundExceedsAvailable extends Schema.TaggedError<RefundExceedsAvailable>()("RefundExceedsAvailable", {
  captured: Schema.Int,
  refunded: Schema.Int,
  pending: Schema.Int,
  refundedElsewhere: Schema.Int,
  disputed: Schema.Int,
  available: Schema.Int
}) {
  override get message(): string {
    const { available, captured, disputed, pending, refunded, refundedElsewhere } = this
    return (
      `At most ${available} can be refunded. Captured: ${captured}; refunded: ${refunded}; refunds in progress: ${pending}; ` +
      `refunded outside of Paymux: ${refundedElsewhere}; disputed: ${disputed}.`
    )
  }
}

/**
 * The reason that the payment has another version than the one on which the request is based. Nothing was written or
 * sent.
 */
export class VersionConflict extends Schema.TaggedError<VersionConflict>()("VersionConflict", {
  /** The current version number of the payment. */
  version: Schema.Int
}) {}

/** The reason that a list query would have had to skip too many payments. Narrower filters make the query fast. */
export class ListTimedOut extends Schema.TaggedError<ListTimedOut>()("ListTimedOut", {}) {
  override get message(): string {
    return "The list took longer than two seconds: narrow the filters."
  }
}

/** The reason that the database did not accept the write. Nothing was acknowledged. */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", {
  cause: Schema.Defect()
}) {}

/** The cause of `Unavailable` for a call after `close`. Nothing was started. */
export class PaymuxClosed extends Schema.TaggedError<PaymuxClosed>()("PaymuxClosed", {}) {
  override get message(): string {
    return "This Paymux was closed; nothing was done."
  }
}

const Reason = Schema.Union([
  InvalidPayment,
  RawCardData,
  NoRoute,
  CardNotRetried,
  NoProviderAvailable,
  Restoring,
  Overloaded,
  IdempotencyKeyReused,
  OrderTaken,
  IdempotencyInFlight,
  PaymentNotFound,
  RefundNotFound,
  OperationRefused,
  RefundExceedsAvailable,
  VersionConflict,
  ListTimedOut,
  Unavailable
])
export type PaymentErrorReason = typeof Reason.Type

export class PaymentError extends Schema.TaggedError<PaymentError>()("PaymentError", { reason: Reason }) {
  override get message(): string {
    return messageOf(this.reason)
  }
}

export const paymentError = (reason: PaymentErrorReason): PaymentError => new PaymentError({ reason })

/** The advice in an error for shops whose order numbers look like card numbers. */
export const orderNumberHint =
  "Send an order number that looks like a card number in `metadata.order_id`, or in another key that the setting `orderNumberKeys` names."

const messageOf = (reason: PaymentErrorReason): string => {
  switch (reason._tag) {
    case "InvalidPayment":
      return `The request is not valid: ${reason.errors.map((e) => `${e.pointer || "/"} ${e.message}`).join("; ")}`
    case "RawCardData":
      return `Raw card data is not accepted (${reason.pointer}): send a token instead. ${orderNumberHint}`
    case "NoRoute":
      return `No provider can take this payment: ${
        reason.candidates.map((c) => `${c.provider} (${c.reason})`).join(", ") || "none is configured for it"
      }.`
    case "CardNotRetried":
      return reason.reason === "hard_decline"
        ? "This card was declined for good: ask for another one."
        : "This card was declined as often as its network allows: ask for another one."
    case "Overloaded":
      return "Too many payments are being made at once; nothing was done."
    case "IdempotencyInFlight":
      return "The first request with this idempotency key is still running."
    case "OperationRefused":
      return reason.sentence
    case "VersionConflict":
      return "The payment has changed since it was read: read it again, and decide on what is known now."
    case "IdempotencyKeyReused":
    case "OrderTaken":
    case "PaymentNotFound":
    case "RefundNotFound":
    case "RefundExceedsAvailable":
    case "ListTimedOut":
    case "NoProviderAvailable":
    case "Restoring":
      return reason.message
    case "Unavailable":
      return reason.cause instanceof PaymuxClosed
        ? reason.cause.message
        : "The database is unavailable; nothing was acknowledged."
  }
}
