/**
 * Stripe's webhooks: one event per body, signed with its time (`Stripe-Signature`), verified before it is read.
 *
 * Our payments are identified by the operation's id in the metadata, which takes the secret key to write. An event of the other
 * mode is acknowledged and says nothing: Stripe sends some of both to one address.
 */
import { type Evidence, Outcome, type ProviderMode, WebhookRefused } from "@paymux/core"
import { WebhookSignature } from "@paymux/provider-kit"
import { Effect, Option, type Redacted, Schema } from "effect"
import { closedByUs } from "./client.ts"
import { amountOf, intentAnswer, refundAnswer, unreadableAmount } from "./errors.ts"
import { operationIn } from "./operationIn.ts"
import * as Wire from "./wire.ts"

export const readWebhook = (instance: string, mode: ProviderMode, secrets: ReadonlyArray<Redacted.Redacted>) =>
  Effect.fnUntraced(function* (
    body: Uint8Array,
    headers: { readonly [name: string]: string },
    receivedAt: number
  ): Effect.fn.Return<ReadonlyArray<Evidence>, WebhookRefused> {
    yield* WebhookSignature.stripeStyle({ secrets, body, header: headers["stripe-signature"], receivedAt })
    const { account, created, data, id, livemode, type } = yield* Effect.mapError(
      decodeEvent(new TextDecoder().decode(body)),
      () => new WebhookRefused({ reason: "malformed" })
    )
    // A connected account writes the metadata of its own objects as it likes: they are none of ours.
    const isOurs = account === null || account === undefined
    if (livemode !== (mode === "live") || !isOurs) return []
    const reported = evidenceOf(instance, type, data.object)
    // It is acknowledged and reports nothing: an inquiry does.
    if (reported === null) return []
    return [{ source: "webhook", ...reported, eventId: id, occurredAt: created * 1000 }]
  })

type Report = Pick<Evidence, "about" | "outcome">

/** `null`: of a type or a shape that is not known, about what is not ours, or nothing that is decided. */
const evidenceOf = (instance: string, type: string, object: unknown): Report | null => {
  switch (type) {
    case "payment_intent.succeeded":
    case "payment_intent.amount_capturable_updated":
    case "payment_intent.canceled":
    case "payment_intent.payment_failed":
    case "payment_intent.processing":
    case "payment_intent.requires_action":
      return Option.match(decodeIntent(object), { onNone: () => null, onSome: ofIntent })
    case "checkout.session.expired":
      return Option.match(decodeSession(object), { onNone: () => null, onSome: ofExpiredSession })
    case "refund.created":
      return Option.match(decodeRefund(object), { onNone: () => null, onSome: ofNewRefund })
    case "refund.updated":
    case "refund.failed":
      return Option.match(decodeRefund(object), { onNone: () => null, onSome: ofRefund })
    case "charge.dispute.created":
    case "charge.dispute.updated":
    case "charge.dispute.closed":
    case "charge.dispute.funds_withdrawn":
    case "charge.dispute.funds_reinstated":
      return Option.match(decodeDispute(object), { onNone: () => null, onSome: ofDispute(instance) })
    default:
      return null
  }
}

/** The PaymentIntent as it was at the time of the event. */
const ofIntent = (intent: Wire.PaymentIntent): Report | null => {
  const operation = operationIn(intent.metadata)
  const outcome = reportOf(intentAnswer(intent))
  if (operation === null || outcome === null) return null
  // The call that canceled it reports why, perhaps later than this event.
  if (outcome._tag === "Canceled" && intent.cancellation_reason === closedByUs) return null
  const isDecided = outcome._tag === "Captured" || outcome._tag === "Authorized" || outcome._tag === "Unreadable"
  // On an open page the shopper may use another card, and any next action is shown there.
  if (intent.metadata?.["paymux_flow"] === "page" && !isDecided) return null
  return { about: { operation }, outcome }
}

/** A webhook reports nothing that the adapter cannot map, except that money moved by an unreadable amount. */
const reportOf = (answer: Outcome.InquiryOutcome): Outcome.Outcome | null => {
  switch (answer._tag) {
    case "Succeeded":
      return { ...answer, _tag: "Captured" }
    case "Unknown":
      return unreadable(answer)
    case "NotExecuted":
    case "NotFound":
      return null
    default:
      return answer
  }
}

const unreadable = (answer: Outcome.Unknown): Outcome.Unreadable | null =>
  answer.vendorCode === unreadableAmount ? Outcome.unreadable(Outcome.details(answer)) : null

/** If a payment on the session has begun, it may be in progress: an inquiry finds its outcome. */
const ofExpiredSession = ({ id, metadata, payment_intent: intent }: Wire.Session): Report | null => {
  const operation = operationIn(metadata)
  return operation === null || (intent !== null && intent !== undefined)
    ? null
    : { about: { operation }, outcome: Outcome.expired({ reference: id }) }
}

/**
 * The refund at the time of its creation. This event may arrive last, when a success in it has been reversed: it is
 * reported as pending, and an inquiry finds the outcome.
 */
const ofNewRefund = (refund: Wire.Refund): Report | null => {
  const report = ofRefund(refund)
  return report?.outcome._tag === "RefundSucceeded"
    ? { ...report, outcome: Outcome.refundPending(Outcome.details(report.outcome)) }
    : report
}

/** A refund that was made outside of this installation has no operation. */
const ofRefund = (refund: Wire.Refund): Report | null => {
  const operation = operationIn(refund.metadata)
  const answer = refundAnswer(refund)
  const outcome = answer._tag === "Unknown" ? unreadable(answer) : Outcome.ofRefund(answer)
  return operation === null || outcome === null ? null : { about: { operation }, outcome }
}

/**
 * A dispute has no metadata of ours: it is identified by the PaymentIntent, the reference of the payment. Its object is as it
 * was at the time of the event. An inquiry asks for information, and is none; it becomes one when its status does. An amount
 * that cannot be read counts as the whole charge.
 */
const ofDispute =
  (instance: string) =>
  ({ amount, currency, id: reference, payment_intent, status }: typeof Wire.Dispute.Type): Report | null => {
    if (payment_intent === null || payment_intent === undefined || status?.startsWith("warning_") === true) return null
    const money = amountOf(amount, currency)
    return {
      about: { provider: instance, providerReference: payment_intent },
      outcome: Outcome.disputed({
        reference,
        status: status === "won" || status === "lost" ? status : "open",
        ...(money !== null && { amount: money })
      })
    }
  }

const decodeEvent = Schema.decodeUnknownEffect(Schema.fromJsonString(Wire.Event))
const decodeIntent = Schema.decodeUnknownOption(Wire.PaymentIntent)
const decodeSession = Schema.decodeUnknownOption(Wire.Session)
const decodeRefund = Schema.decodeUnknownOption(Wire.Refund)
const decodeDispute = Schema.decodeUnknownOption(Wire.Dispute)
