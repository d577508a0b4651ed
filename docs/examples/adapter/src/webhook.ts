/** Northbank's webhooks: several items in one body, each signed on its own fields, and without the time of sending. */
import { type Evidence, type EvidenceClaim, type OperationId, WebhookRefused } from "@paymux/core"
import { WebhookSignature } from "@paymux/provider-kit"
import { Effect, Option, type Redacted, Schema } from "effect"
import { declineOf } from "./errors.ts"
import * as Wire from "./wire.ts"

export const readWebhook =
  (secrets: ReadonlyArray<Redacted.Redacted>) =>
  async (body: Uint8Array): Promise<ReadonlyArray<Evidence>> => {
    const batch = decode(new TextDecoder().decode(body))
    if (Option.isNone(batch)) throw new WebhookRefused({ reason: "malformed" })
    const { items } = batch.value
    // One item that is not authentic, and none is believed.
    for (const item of items) {
      const { signature } = item
      await Effect.runPromise(WebhookSignature.hmacSha256Base64({ secrets, signed: [signedText(item)], signature }))
    }
    return items.flatMap(evidenceOf)
  }

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Wire.Batch))

/** Every field that is read, as Northbank signs them: a JSON array, in which a text cannot reach into the next. */
const signedText = ({ amount, code, currency, event, id, reference, time, type }: Wire.Item): string =>
  JSON.stringify([event, type, time, id, reference, amount, currency, code])

/** A type that is not known is acknowledged and says nothing: an inquiry tells. */
const evidenceOf = (item: Wire.Item): ReadonlyArray<Evidence> => {
  const claim = claimOf(item)
  if (claim === null) return []
  return [
    {
      source: "webhook",
      // Boundary: it was given our id as its reference, and hands it back. One that is not ours finds nothing.
      about: { operation: item.reference as OperationId },
      claim,
      reference: item.id,
      vendorCode: item.code,
      eventId: item.event,
      occurredAt: item.time
    }
  ]
}

const claimOf = (item: Wire.Item): EvidenceClaim | null => {
  switch (item.type) {
    case "order.paid":
      return { kind: "succeeded", amount: Wire.moneyOf(item) }
    case "order.failed": {
      const decline = declineOf(item.code ?? "none")
      return decline === undefined ? null : { kind: "declined", ...decline }
    }
    case "order.canceled":
      return { kind: "canceled" }
    case "order.expired":
      return { kind: "expired" }
    case "refund.settled":
      return { kind: "refund_succeeded", amount: Wire.moneyOf(item) }
    case "refund.failed":
      return { kind: "refund_failed" }
    default:
      return null
  }
}
