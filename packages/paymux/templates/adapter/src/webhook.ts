/**
 * Acme's webhooks: one event per body, signed with its time (`acme-signature: t=<s>,v1=<hex>`), verified before it is
 * read.
 */
import { type Evidence, Outcome, WebhookRefused } from "@paymux/core"
import { Codes, WebhookSignature } from "@paymux/provider-kit"
import { Effect, type Redacted, Schema } from "effect"
import { codes } from "./codes.ts"
import * as Wire from "./wire.ts"

export const readWebhook = (instance: string, secrets: ReadonlyArray<Redacted.Redacted>) =>
  Effect.fnUntraced(function* (
    body: Uint8Array,
    headers: { readonly [name: string]: string },
    receivedAt: number
  ): Effect.fn.Return<ReadonlyArray<Evidence>, WebhookRefused> {
    const header = headers["acme-signature"]
    yield* WebhookSignature.stripeStyle({ secrets, body, header, receivedAt })
    const json = yield* Effect.mapError(decodeJson(new TextDecoder().decode(body)), malformed)
    // An unknown type is acknowledged, whatever its shape, and is no evidence: an inquiry finds the outcome.
    if (!Wire.isKnownType(json.type)) return []
    const event = yield* Effect.mapError(decode(json), malformed)
    const outcome = outcomeOf(event)
    if (outcome === null) return []
    return [
      {
        source: "webhook",
        about: { provider: instance, providerReference: event.refund?.id ?? event.payment.id },
        outcome,
        eventId: event.id,
        occurredAt: event.created * 1000
      }
    ]
  })

const decodeJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Wire.AnyEvent))
const decode = Schema.decodeUnknownEffect(Wire.Event)
const malformed = () => new WebhookRefused({ reason: "malformed" })

/** `null`: the code of a decline is unknown; an inquiry reports it. */
const outcomeOf = ({ payment, refund, type }: Wire.Event): Outcome.Outcome | null => {
  const { amount, amount_captured, currency, decline_code } = payment
  const reference = refund?.id ?? payment.id
  switch (type) {
    case "payment.authorized":
      return Outcome.authorized({ reference, amount: { minorUnits: amount, currency } })
    case "payment.captured":
      return Outcome.captured({ reference, amount: { minorUnits: amount_captured, currency } })
    case "payment.declined":
      return Codes.declinedBy(codes, decline_code, { reference })
    case "payment.canceled":
      return Outcome.canceled({ reference })
    case "payment.expired":
      return Outcome.expired({ reference })
    case "refund.succeeded":
      return refund === null || refund === undefined
        ? null
        : Outcome.refundSucceeded({ reference, amount: { minorUnits: refund.amount, currency } })
    case "refund.failed":
      return Outcome.refundFailed({ reference })
  }
}
