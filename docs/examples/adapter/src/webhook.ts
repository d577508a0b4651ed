/** Northbank's webhooks: several items in one body, each signed on its own fields, and without the time of sending. */
import { type Evidence, type OperationId, Outcome, WebhookRefused } from "@paymux/core"
import { Codes, WebhookSignature } from "@paymux/provider-kit"
import { Effect, Option, type Redacted, Schema } from "effect"
import { codes } from "./codes.ts"
import * as Wire from "./wire.ts"

export const readWebhook =
  (secrets: ReadonlyArray<Redacted.Redacted>) =>
  async (body: Uint8Array): Promise<ReadonlyArray<Evidence>> => {
    const batch = decode(new TextDecoder().decode(body))
    if (Option.isNone(batch)) throw new WebhookRefused({ reason: "malformed" })
    const { items } = batch.value
    // One invalid item refuses all of them.
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

/** An unknown type is acknowledged and is no evidence: an inquiry finds the outcome. */
const evidenceOf = (item: Wire.Item): ReadonlyArray<Evidence> => {
  const outcome = outcomeOf(item)
  if (outcome === null) return []
  return [
    {
      source: "webhook",
      // Boundary: the vendor returns our id as its reference. An id that is not ours matches no operation.
      about: { operation: item.reference as OperationId },
      outcome,
      eventId: item.event,
      occurredAt: item.time
    }
  ]
}

const outcomeOf = (item: Wire.Item): Outcome.Outcome | null => {
  const reference = item.id
  const details = { reference, ...(item.code !== null && { vendorCode: item.code }) }
  switch (item.type) {
    case "order.paid":
      return Outcome.succeeded({ reference, amount: Wire.moneyOf(item) })
    case "order.failed":
      return Codes.declinedBy(codes, item.code, { reference })
    case "order.canceled":
      return Outcome.canceled(details)
    case "order.expired":
      return Outcome.expired(details)
    case "refund.settled":
      return Outcome.refundSucceeded({ reference, amount: Wire.moneyOf(item) })
    case "refund.failed":
      return Outcome.refundFailed(details)
    default:
      return null
  }
}
