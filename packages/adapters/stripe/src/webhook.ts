/**
 * Stripe's webhooks: one event per body, signed with its time (`Stripe-Signature`), verified before it is read.
 *
 * What is ours is told by the operation's id in the metadata, which takes the secret key to write. An event of the other
 * mode is acknowledged and says nothing: Stripe sends some of both to one address.
 */
import {
  type Evidence,
  type EvidenceClaim,
  type OperationId,
  type Outcome,
  type ProviderMode,
  WebhookRefused
} from "@paymux/core"
import { WebhookSignature } from "@paymux/provider-kit"
import { Effect, Option, type Redacted, Schema } from "effect"
import { closedByUs } from "./client.ts"
import { intentAnswer, refundAnswer, unreadableAmount } from "./errors.ts"
import * as Wire from "./wire.ts"

export const readWebhook = (instance: string, mode: ProviderMode, secrets: ReadonlyArray<Redacted.Redacted>) =>
  Effect.fnUntraced(function* (
    body: Uint8Array,
    headers: { readonly [name: string]: string }
  ): Effect.fn.Return<ReadonlyArray<Evidence>, WebhookRefused> {
    yield* WebhookSignature.stripeStyle({ secrets, body, header: headers["stripe-signature"] })
    const { account, created, data, id, livemode, type } = yield* Effect.mapError(
      decodeEvent(new TextDecoder().decode(body)),
      () => new WebhookRefused({ reason: "malformed" })
    )
    // A connected account writes the metadata of its own objects as it likes: they are none of ours.
    const isOurs = account === null || account === undefined
    if (livemode !== (mode === "live") || !isOurs) return []
    const told = tellingOf(instance, type, data.object)
    // It is acknowledged and says nothing: an inquiry tells.
    if (told === null) return []
    return [{ source: "webhook", ...told, eventId: id, occurredAt: created * 1000 }]
  })

type Telling = Pick<Evidence, "about" | "claim" | "reference" | "vendorCode">

/** `null`: of a type or a shape that is not known, about what is not ours, or nothing that is decided. */
const tellingOf = (instance: string, type: string, object: unknown): Telling | null => {
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
      return Option.match(decodeDispute(object), { onNone: () => null, onSome: ofDispute(instance) })
    default:
      return null
  }
}

/** The PaymentIntent as it was when it happened. */
const ofIntent = (intent: Wire.PaymentIntent): Telling | null => {
  const operation = operationIn(intent.metadata)
  const answer = intentAnswer(intent)
  const claim = claimOf(answer)
  if (operation === null || claim === null) return null
  // Whoever closed it tells why, and may not have told it yet.
  if (claim.kind === "canceled" && intent.cancellation_reason === closedByUs) return null
  const isDecided = claim.kind === "captured" || claim.kind === "authorized" || claim.kind === "unreadable"
  // On a page that is open the shopper may take another card, and what is asked of them is shown there.
  if (intent.metadata?.["paymux_flow"] === "page" && !isDecided) return null
  return { about: { operation }, claim, reference: intent.id, vendorCode: answer.vendorCode ?? null }
}

const claimOf = (answer: ReturnType<typeof intentAnswer>): EvidenceClaim | null => {
  switch (answer._tag) {
    case "Succeeded":
      return { kind: "captured", amount: answer.amount ?? null }
    case "Authorized":
      return { kind: "authorized", amount: answer.amount ?? null }
    case "Pending":
      return { kind: "pending", nextAction: answer.nextAction ?? null, awaitingFinality: false }
    case "Declined":
      return { kind: "declined", code: answer.code, retry: answer.retry }
    case "Canceled":
      return { kind: "canceled" }
    case "Expired":
      return { kind: "expired" }
    case "Unknown":
      return unreadable(answer)
    case "NotExecuted":
    case "NotFound":
      return null
  }
}

/** Of money that moved it is told that nobody can read how much; of a word that is not known, nothing. */
const unreadable = ({ vendorCode }: Outcome.Unknown): EvidenceClaim | null =>
  vendorCode === unreadableAmount ? { kind: "unreadable" } : null

/** Of one that somebody has begun to pay on, an inquiry tells: that may be under way. */
const ofExpiredSession = ({ id, metadata, payment_intent: intent }: Wire.Session): Telling | null => {
  const operation = operationIn(metadata)
  return operation === null || (intent !== null && intent !== undefined)
    ? null
    : { about: { operation }, claim: { kind: "expired" }, reference: id, vendorCode: null }
}

/**
 * As it was when it was made, and this word may be the last to come: a success in it may have been taken back by now. It is
 * told as under way, and an inquiry finds out.
 */
const ofNewRefund = (refund: Wire.Refund): Telling | null => {
  const told = ofRefund(refund)
  return told?.claim.kind === "refund_succeeded" ? { ...told, claim: { kind: "refund_pending" } } : told
}

/** One that somebody made elsewhere has no operation. */
const ofRefund = (refund: Wire.Refund): Telling | null => {
  const operation = operationIn(refund.metadata)
  const answer = refundAnswer(refund)
  const told = { reference: refund.id, vendorCode: answer.vendorCode ?? null }
  if (operation === null) return null
  switch (answer._tag) {
    case "Succeeded":
      return { about: { operation }, claim: { kind: "refund_succeeded", amount: answer.amount ?? null }, ...told }
    case "Pending":
      return { about: { operation }, claim: { kind: "refund_pending" }, ...told }
    case "Declined":
      return { about: { operation }, claim: { kind: "refund_failed" }, ...told }
    case "Unknown": {
      const claim = unreadable(answer)
      return claim === null ? null : { about: { operation }, claim, ...told }
    }
  }
}

/** It has no metadata of ours: it is told by the PaymentIntent, the reference of whatever was paid. */
const ofDispute =
  (instance: string) =>
  ({ payment_intent }: typeof Wire.Dispute.Type): Telling | null =>
    payment_intent === null || payment_intent === undefined
      ? null
      : {
          about: { provider: instance, providerReference: payment_intent },
          claim: { kind: "disputed" },
          reference: null,
          vendorCode: null
        }

const operationIn = (metadata: Wire.PaymentIntent["metadata"]): OperationId | null => {
  const id = metadata?.["paymux_operation"]
  // Boundary: the shape of an operation's id, as it was given to Stripe.
  return id !== undefined && /^op_[0-9a-z]{26}$/.test(id) ? (id as OperationId) : null
}

const decodeEvent = Schema.decodeUnknownEffect(Schema.fromJsonString(Wire.Event))
const decodeIntent = Schema.decodeUnknownOption(Wire.PaymentIntent)
const decodeSession = Schema.decodeUnknownOption(Wire.Session)
const decodeRefund = Schema.decodeUnknownOption(Wire.Refund)
const decodeDispute = Schema.decodeUnknownOption(Wire.Dispute)
