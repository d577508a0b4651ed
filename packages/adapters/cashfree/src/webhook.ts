/**
 * Cashfree's webhooks: one event per body, signed over the time (ms) and the raw bytes with nothing between
 * (`x-webhook-signature`), verified before it is read.
 *
 * Cashfree names no time after which a delivery is stale: ours is 5 minutes. `x-idempotency-key` is the same for each
 * delivery of an event. Amounts are read from the text of the body's numbers.
 */
import { type Evidence, type EvidenceClaim, type OperationId, WebhookRefused } from "@paymux/core"
import { WebhookSignature } from "@paymux/provider-kit"
import { Effect, Option, type Redacted, Schema } from "effect"
import { declined } from "./errors.ts"
import { operationOfOrder, operationOfRefund } from "./names.ts"
import { amountOf, isHeld, isTaken, readTime, refundAnswer, takenOf } from "./status.ts"
import * as Wire from "./wire.ts"

export const readWebhook = (secrets: ReadonlyArray<Redacted.Redacted>, preauthorization: boolean) =>
  Effect.fnUntraced(function* (
    body: Uint8Array,
    headers: { readonly [name: string]: string }
  ): Effect.fn.Return<ReadonlyArray<Evidence>, WebhookRefused> {
    const timestamp = headers["x-webhook-timestamp"]
    if (timestamp === undefined) return yield* new WebhookRefused({ reason: "missing_signature" })
    yield* WebhookSignature.hmacSha256Base64({
      secrets,
      signed: [timestamp, body],
      signature: headers["x-webhook-signature"]
    })
    yield* WebhookSignature.fresh(timestamp, "ms")

    const json = yield* parse(body)
    const event = yield* Effect.mapError(decodeType(json), () => new WebhookRefused({ reason: "malformed" }))
    const told = tellsOf(event.type, json, preauthorization)
    // It is acknowledged and says nothing: an inquiry tells.
    if (told === null) return []
    return [
      {
        source: "webhook",
        about: { operation: told.operation },
        claim: told.claim,
        reference: told.reference,
        vendorCode: told.vendorCode,
        eventId: headers["x-idempotency-key"] ?? null,
        occurredAt: readTime(event.event_time)
      }
    ]
  })

interface Told extends Pick<Evidence, "claim" | "reference" | "vendorCode"> {
  readonly operation: OperationId
}

/** `null`: of a type or a shape that is not known, about what is not ours, or nothing that is decided. */
const tellsOf = (type: string, json: unknown, preauthorization: boolean): Told | null => {
  switch (type) {
    case "PAYMENT_SUCCESS_WEBHOOK":
    case "PAYMENT_FAILED_WEBHOOK":
    case "PAYMENT_USER_DROPPED_WEBHOOK":
      return Option.match(decodePayment(json), {
        onNone: () => null,
        onSome: (event) => ofPayment(event, preauthorization)
      })
    case "REFUND_STATUS_WEBHOOK":
      return Option.match(decodeRefund(json), { onNone: () => null, onSome: ofRefund })
    default:
      return null
  }
}

const ofPayment = (
  { data: { error_details, order, payment } }: typeof Wire.PaymentEvent.Type,
  preauthorization: boolean
): Told | null => {
  const operation = operationOfOrder(order.order_id)
  if (operation === null) return null
  const told = (claim: EvidenceClaim, vendorCode: string | null = null): Told => ({
    operation,
    claim,
    reference: order.order_id,
    vendorCode
  })
  if (isHeld(payment)) return told({ kind: "authorized", amount: amountOf(payment) })
  if (isTaken(payment)) {
    // Where funds may be held, a success that does not say whether it was captured is asked about.
    return preauthorization && typeof payment.is_captured !== "boolean"
      ? null
      : told({ kind: "captured", amount: takenOf(payment) })
  }
  if (payment.payment_status !== "FAILED" && payment.payment_status !== "USER_DROPPED") return null
  const details = payment.error_details ?? error_details ?? null
  const answer = declined(payment.payment_status, details, order.order_id)
  return answer._tag === "Declined"
    ? told({ kind: "declined", code: answer.code, retry: answer.retry }, answer.vendorCode ?? null)
    : null
}

const ofRefund = ({ data: { refund } }: typeof Wire.RefundEvent.Type): Told | null => {
  const operation = operationOfRefund(refund.refund_id)
  const claim = claimOfRefund(refund)
  return operation === null || claim === null
    ? null
    : { operation, claim, reference: refund.refund_id, vendorCode: refund.refund_status }
}

const claimOfRefund = (refund: Wire.Refund): EvidenceClaim | null => {
  const answer = refundAnswer(refund)
  switch (answer._tag) {
    case "Succeeded":
      return { kind: "refund_succeeded", amount: answer.amount ?? null }
    case "Pending":
      return { kind: "refund_pending" }
    case "Declined":
      return { kind: "refund_failed" }
    case "Unknown":
      return null
  }
}

const parse = (body: Uint8Array): Effect.Effect<unknown, WebhookRefused> =>
  Effect.try({
    try: () => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body), numberText),
    catch: () => new WebhookRefused({ reason: "malformed" })
  })

// The third parameter is ECMAScript's "JSON.parse source text access" (Node 21 and later), not yet in TypeScript's library.
const numberText = (_key: string, value: unknown, context?: { readonly source?: string }) =>
  typeof value === "number" ? (context?.source ?? String(value)) : value

const decodeType = Schema.decodeUnknownEffect(Wire.EventType)
const decodePayment = Schema.decodeUnknownOption(Wire.PaymentEvent)
const decodeRefund = Schema.decodeUnknownOption(Wire.RefundEvent)
