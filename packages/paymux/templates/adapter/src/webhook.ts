/**
 * Acme's webhooks: one event per body, signed with its time (`acme-signature: t=<s>,v1=<hex>`), verified before it is
 * read.
 */
import { type Evidence, type EvidenceClaim, WebhookRefused } from "@paymux/core"
import { WebhookSignature } from "@paymux/provider-kit"
import { Effect, type Redacted, Schema } from "effect"
import { declined } from "./errors.ts"
import * as Wire from "./wire.ts"

export const readWebhook = (instance: string, secrets: ReadonlyArray<Redacted.Redacted>) =>
  Effect.fnUntraced(function* (
    body: Uint8Array,
    headers: { readonly [name: string]: string }
  ): Effect.fn.Return<ReadonlyArray<Evidence>, WebhookRefused> {
    yield* WebhookSignature.stripeStyle({ secrets, body, header: headers["acme-signature"] })
    const json = yield* Effect.mapError(decodeJson(new TextDecoder().decode(body)), malformed)
    // A type that is not known is acknowledged, whatever its shape, and says nothing: an inquiry tells.
    if (!Wire.isKnownType(json.type)) return []
    const event = yield* Effect.mapError(decode(json), malformed)
    const claim = claimOf(event)
    if (claim === null) return []
    const reference = event.refund?.id ?? event.payment.id
    return [
      {
        source: "webhook",
        about: { provider: instance, providerReference: reference },
        claim,
        reference,
        vendorCode: event.payment.decline_code ?? null,
        eventId: event.id,
        occurredAt: event.created * 1000
      }
    ]
  })

const decodeJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Wire.AnyEvent))
const decode = Schema.decodeUnknownEffect(Wire.Event)
const malformed = () => new WebhookRefused({ reason: "malformed" })

const claimOf = ({ payment, refund, type }: Wire.Event): EvidenceClaim | null => {
  const { amount, amount_captured, currency, decline_code } = payment
  switch (type) {
    case "payment.authorized":
      return { kind: "authorized", amount: { minorUnits: amount, currency } }
    case "payment.captured":
      return { kind: "captured", amount: { minorUnits: amount_captured, currency } }
    case "payment.declined": {
      const answer = declined(decline_code ?? "none", payment.id)
      return answer._tag === "Declined" ? { kind: "declined", code: answer.code, retry: answer.retry } : null
    }
    case "payment.canceled":
      return { kind: "canceled" }
    case "payment.expired":
      return { kind: "expired" }
    case "refund.succeeded":
      return refund === null || refund === undefined
        ? null
        : { kind: "refund_succeeded", amount: { minorUnits: refund.amount, currency } }
    case "refund.failed":
      return { kind: "refund_failed" }
  }
}
