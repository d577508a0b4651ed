/**
 * Cashfree's webhooks: one event per body, signed over the time (ms) and the raw bytes with nothing between
 * (`x-webhook-signature`), verified before it is read. Some deliveries name the same two headers `x-cashfree-…` (getlago/lago-api
 * issue 3105). Amounts are read from the text of the body's numbers.
 *
 * They report money that was taken, held or given back. That one try failed says nothing about the other tries of its
 * order: an inquiry reads all of them.
 */
import { type Evidence, type OperationId, Outcome, WebhookRefused } from "@paymux/core"
import { WebhookSignature } from "@paymux/provider-kit"
import { Effect, type Redacted, Schema } from "effect"
import { shortCode } from "./errors.ts"
import { captureMethodOf, operationOfLink, operationOfOrder, operationOfRefund, operationOfTags } from "./request.ts"
import { amountOf, readTime, refundAnswer, rupees, stageOf, takenOf } from "./status.ts"
import * as Wire from "./wire.ts"

export const readWebhook = (secrets: ReadonlyArray<Redacted.Redacted>, preauthorization: boolean) =>
  Effect.fnUntraced(function* (
    body: Uint8Array,
    headers: { readonly [name: string]: string },
    receivedAt: number
  ): Effect.fn.Return<ReadonlyArray<Evidence>, WebhookRefused> {
    const timestamp = headers["x-webhook-timestamp"] ?? headers["x-cashfree-timestamp"]
    if (timestamp === undefined) return yield* new WebhookRefused({ reason: "missing_signature" })
    yield* WebhookSignature.hmacSha256Base64({
      secrets,
      signed: [timestamp, body],
      signature: headers["x-webhook-signature"] ?? headers["x-cashfree-signature"]
    })
    yield* fresh(timestamp, receivedAt)

    const json = yield* parse(body)
    const event = yield* read(Wire.EventType, json)
    const reported = yield* reportOf(event.type, json, preauthorization)
    // It is acknowledged and reports nothing: an inquiry does.
    if (reported === null) return []
    return [
      {
        source: "webhook",
        about: { operation: reported.operation },
        outcome: reported.outcome,
        eventId: eventIdOf(headers["x-idempotency-key"], event.type, reported.outcome),
        occurredAt: readTime(event.event_time)
      }
    ]
  })

/**
 * Cashfree names no time after which a delivery is stale, and sends it again 2, 10 and 30 minutes later; whether it signs
 * it anew is not published.
 */
const fresh = Effect.fnUntraced(function* (
  timestamp: string,
  receivedAt: number
): Effect.fn.Return<void, WebhookRefused> {
  const age = receivedAt - (yield* WebhookSignature.readTimestamp(timestamp, "ms"))
  if (age > 45 * minute || age < -5 * minute) return yield* new WebhookRefused({ reason: "stale" })
})

/** ms */
const minute = 60_000

/**
 * The key is the same for each delivery of an event, and is not signed: alone it could hide another event. `null`: the
 * engine goes by the bytes.
 */
const eventIdOf = (key: string | undefined, type: string, { _tag }: Outcome.Outcome): string | null =>
  key !== undefined && /^[\x21-\x7e]{1,200}$/.test(key) ? `${key}:${type}:${_tag}` : null

interface Reported extends Pick<Evidence, "outcome"> {
  readonly operation: OperationId
}

/** `null`: of a type that is not known, about what is not ours, or nothing that is decided. */
const reportOf = (
  type: string,
  json: unknown,
  preauthorization: boolean
): Effect.Effect<Reported | null, WebhookRefused> => {
  switch (type) {
    case "PAYMENT_SUCCESS_WEBHOOK":
      return ofPayment(json, preauthorization)
    case "PAYMENT_LINK_EVENT":
      return ofLink(json)
    case "REFUND_STATUS_WEBHOOK":
      return ofRefund(json)
    default:
      return Effect.succeed(null)
  }
}

const ofPayment = Effect.fnUntraced(function* (json: unknown, preauthorization: boolean) {
  const named = (yield* read(Wire.OrderNamed, json)).data.order
  const ofOurOrder = operationOfOrder(named.order_id)
  const operation = ofOurOrder ?? operationOfTags(named.order_tags)
  if (operation === null) return null
  const { order, payment: reported, payment_surcharge = null } = (yield* read(Wire.PaymentEvent, json)).data
  const payment = { ...reported, payment_surcharge: reported.payment_surcharge ?? payment_surcharge }
  // A link holds no funds.
  const mayHold = preauthorization && ofOurOrder !== null
  const captureMethod = captureMethodOf(order.order_tags) ?? (mayHold ? null : "automatic")
  const outcome = paymentOutcome(order.order_id, payment, captureMethod)
  return outcome === null ? null : { operation, outcome }
})

/** If funds may be held, and the order does not say how it is captured, only the payment's own status counts. */
const paymentOutcome = (
  reference: string,
  payment: Wire.Payment,
  captureMethod: "automatic" | "manual" | null
): Outcome.Outcome | null => {
  const stage = stageOf(payment, captureMethod ?? "manual")
  switch (stage) {
    case "taken":
      return Outcome.captured({ reference, amount: takenOf(payment) })
    case "held":
    case "held_or_taken":
      // At least it is held, where it is held first.
      return captureMethod === null ? null : Outcome.authorized({ reference, amount: amountOf(payment) })
    case "untouched":
    case "moving":
    case "voided":
    case "failed":
    case "unheard":
      return null
  }
}

/** Only of a link that is paid in full, by the order that the event names. */
const ofLink = Effect.fnUntraced(function* (json: unknown) {
  const operation = operationOfLink((yield* read(Wire.LinkNamed, json)).data.link_id)
  if (operation === null) return null
  const { link_amount, link_amount_paid, link_status, order = null } = (yield* read(Wire.LinkEvent, json)).data
  const isPaid =
    paidStatuses.has(link_status) && link_amount_paid === link_amount && order?.transaction_status === "SUCCESS"
  return isPaid
    ? { operation, outcome: Outcome.captured({ reference: order.order_id, amount: rupees(order.order_amount, "INR") }) }
    : null
})

/** A page that was opened before its link ended may be paid after it. */
const paidStatuses: ReadonlySet<string> = new Set(["PAID", "CANCELLED", "EXPIRED"])

const ofRefund = Effect.fnUntraced(function* (json: unknown) {
  const operation = operationOfRefund((yield* read(Wire.RefundNamed, json)).data.refund.refund_id)
  if (operation === null) return null
  const { refund } = (yield* read(Wire.RefundEvent, json)).data
  const answer = refundAnswer(refund)
  if (answer._tag === "Unknown") return null
  const vendorCode = shortCode(refund.refund_status)
  return { operation, outcome: { ...Outcome.ofRefund(answer), ...(vendorCode !== null && { vendorCode }) } }
})

const parse = (body: Uint8Array): Effect.Effect<unknown, WebhookRefused> =>
  Effect.try({
    try: () => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body), numberText),
    catch: () => new WebhookRefused({ reason: "malformed" })
  })

// The third parameter is ECMAScript's "JSON.parse source text access" (Node 21 and later), not yet in TypeScript's library.
const numberText = (_key: string, value: unknown, context?: { readonly source?: string }) =>
  typeof value === "number" ? (context?.source ?? String(value)) : value

/** An event of ours that cannot be read is refused: it is sent again, until a newer adapter can read it. */
const read = <A>(schema: Schema.Decoder<A>, json: unknown): Effect.Effect<A, WebhookRefused> =>
  Effect.mapError(Schema.decodeUnknownEffect(schema)(json), () => new WebhookRefused({ reason: "malformed" }))
