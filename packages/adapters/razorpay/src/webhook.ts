/**
 * Razorpay's webhooks: one event per body, signed over the body alone (`x-razorpay-signature`), verified before it is
 * read. No time is signed, so an old one passes: what is applied once is told by `x-razorpay-event-id`.
 *
 * A payment is named by its order, which was kept before the payment was made. Its notes name nothing: whoever opens
 * Razorpay's checkout with the public key id can write them. A QR code's notes and a refund's receipt take the secret key.
 */
import { type Evidence, type EvidenceClaim, type OperationId, WebhookRefused } from "@paymux/core"
import { WebhookSignature } from "@paymux/provider-kit"
import { Effect, type Redacted, Schema } from "effect"
import { failedAnswer, isTaken, moneyOf } from "./errors.ts"
import { noteOf } from "./notes.ts"
import * as Wire from "./wire.ts"

export const readWebhook = (instance: string, secrets: ReadonlyArray<Redacted.Redacted>) =>
  Effect.fnUntraced(function* (
    body: Uint8Array,
    headers: { readonly [name: string]: string }
  ): Effect.fn.Return<ReadonlyArray<Evidence>, WebhookRefused> {
    yield* WebhookSignature.hmacSha256Hex({ secrets, signed: [body], signature: headers["x-razorpay-signature"] })
    const { created_at, event, payload } = yield* Effect.mapError(
      decodeEvent(new TextDecoder().decode(body)),
      malformed
    )
    const told = yield* Effect.mapError(tellingOf(instance, event, payload), malformed)
    if (told === null) return []
    return [
      {
        source: "webhook",
        vendorCode: null,
        ...told,
        eventId: eventIdOf(headers["x-razorpay-event-id"]),
        occurredAt: created_at * 1000
      }
    ]
  })

type Telling = Pick<Evidence, "about" | "claim" | "reference"> & Partial<Pick<Evidence, "vendorCode">>

/** `null`: it says nothing that matters here, or is of a type that is not known. An inquiry tells. */
const tellingOf = (
  instance: string,
  event: string,
  payload: unknown
): Effect.Effect<Telling | null, Schema.SchemaError> => {
  switch (event) {
    case "payment.authorized":
    case "payment.captured":
    case "payment.failed":
    case "payment.dispute.created":
    case "order.paid":
      return Effect.map(decodePayment(payload), ({ payment }) => ofPayment(instance, event, payment.entity))
    case "refund.created":
    case "refund.processed":
    case "refund.failed":
      return Effect.map(decodeRefund(payload), ({ refund }) => ofRefund(instance, event, refund.entity))
    case "qr_code.credited":
    case "qr_code.closed":
      return Effect.map(decodeQr(payload), (told) => ofQr(instance, told))
    default:
      return Effect.succeed(null)
  }
}

const decodeEvent = Schema.decodeUnknownEffect(Schema.fromJsonString(Wire.AnyEvent))
const decodePayment = Schema.decodeUnknownEffect(Wire.PaymentEvent)
const decodeRefund = Schema.decodeUnknownEffect(Wire.RefundEvent)
const decodeQr = Schema.decodeUnknownEffect(Wire.QrEvent)

type PaymentEventName =
  | "payment.authorized"
  | "payment.captured"
  | "payment.failed"
  | "payment.dispute.created"
  | "order.paid"

/** One without an order is of a QR code, of which `qr_code.credited` tells, or none of ours. */
const ofPayment = (instance: string, event: PaymentEventName, payment: Wire.Payment): Telling | null => {
  const order = payment.order_id ?? null
  if (order === null || order === "") return null
  const about = { provider: instance, providerReference: order }
  switch (event) {
    case "payment.authorized":
      // Where Razorpay captures by itself it is not held for us: the capture tells.
      return noteOf(payment.notes, "paymux_capture") === "manual"
        ? { about, reference: order, claim: { kind: "authorized", amount: moneyOf(payment) } }
        : null
    case "payment.captured":
    case "order.paid":
      return { about, reference: order, claim: { kind: "captured", amount: moneyOf(payment) } }
    case "payment.dispute.created":
      return { about, reference: order, claim: { kind: "disputed" } }
    case "payment.failed": {
      const answer = failedAnswer(payment)
      if (answer._tag !== "Declined") return null
      const { code, retry, vendorCode = null } = answer
      return { about, reference: order, claim: { kind: "declined", code, retry }, vendorCode }
    }
  }
}

type RefundEventName = "refund.created" | "refund.processed" | "refund.failed"

const ofRefund = (instance: string, event: RefundEventName, refund: Wire.Refund): Telling => ({
  about: operationNamed(refund.receipt ?? null) ?? { provider: instance, providerReference: refund.id },
  reference: refund.id,
  claim: refundClaim(event, refund)
})

const refundClaim = (event: RefundEventName, refund: Wire.Refund): EvidenceClaim => {
  switch (event) {
    case "refund.created":
      return { kind: "refund_pending" }
    case "refund.processed":
      return { kind: "refund_succeeded", amount: moneyOf(refund) }
    case "refund.failed":
      return { kind: "refund_failed" }
  }
}

/** Closed by being paid says no more than that it was paid. Of a code whose time is over Razorpay tells nothing. */
const ofQr = (instance: string, { payment, qr_code }: typeof Wire.QrEvent.Type): Telling | null => {
  const { close_reason, id: reference, notes } = qr_code.entity
  const about = operationNamed(noteOf(notes, "paymux_operation")) ?? {
    provider: instance,
    providerReference: reference
  }
  const paid = payment?.entity
  if (paid !== undefined && paid !== null && isTaken(paid))
    return { about, reference, claim: { kind: "captured", amount: moneyOf(paid) } }
  return close_reason === "on_demand" ? { about, reference, claim: { kind: "canceled" } } : null
}

/** Our own name for what is told of; `null`: somebody else's. */
const operationNamed = (name: string | null): { readonly operation: OperationId } | null =>
  // Boundary: the shape of an operation's id, as it was given to Razorpay.
  name !== null && /^op_[0-9a-z]{26}$/.test(name) ? { operation: name as OperationId } : null

/** The signature does not cover it: one that cannot be an id of Razorpay's counts as none. */
const eventIdOf = (id: string | undefined): string | null => (id !== undefined && /^[\w-]{1,100}$/.test(id) ? id : null)

const malformed = () => new WebhookRefused({ reason: "malformed" })
