/** The webhook of the simulated vendor, and what its adapter makes of it. */
import { Outcome, WebhookRefused } from "@paymux/core"
import type { Currency, Evidence, OperationId } from "@paymux/core"
import { Effect, Schema } from "effect"

export const VendorEvent = Schema.Struct({
  /** Each delivery that is not a retry has its own id. */
  id: Schema.String,
  type: Schema.Literals(["held", "captured", "capture_failed", "refunded"]),
  /** Our operation id, where the vendor returns it. */
  merchantReference: Schema.NullOr(Schema.String),
  /** The vendor's id of the charge. */
  charge: Schema.String,
  /** The vendor's id of the movement; `null`: it reports the charge only. */
  movement: Schema.NullOr(Schema.String),
  minorUnits: Schema.NullOr(Schema.Int),
  currency: Schema.String
})
export type VendorEvent = typeof VendorEvent.Type

export const bytesOf = (event: VendorEvent): Uint8Array => new TextEncoder().encode(JSON.stringify(event))

export const webhookOf =
  (provider: string) =>
  (body: Uint8Array): Effect.Effect<ReadonlyArray<Evidence>, WebhookRefused> =>
    Schema.decodeUnknownEffect(Schema.fromJsonString(VendorEvent))(new TextDecoder().decode(body)).pipe(
      Effect.map((event) => [evidenceOf(provider, event)]),
      Effect.mapError(() => new WebhookRefused({ reason: "malformed" }))
    )

const evidenceOf = (provider: string, event: VendorEvent): Evidence => ({
  source: "webhook",
  about:
    event.merchantReference === null
      ? { provider, providerReference: event.charge }
      : // Boundary: the vendor returns the operation id that it was given.
        { operation: event.merchantReference as OperationId },
  outcome: outcomeOf(event),

  eventId: event.id,
  occurredAt: null
})

const outcomeOf = ({ currency, minorUnits, movement, type }: VendorEvent): Outcome.Outcome => {
  const details = movement === null ? {} : { reference: movement }
  // Boundary: the vendor reports the currency of the payment.
  const money = minorUnits === null ? {} : { amount: { minorUnits, currency: currency as Currency.Currency } }
  switch (type) {
    case "held":
      return Outcome.authorized({ ...details, ...money })
    case "captured":
      return Outcome.captured({ ...details, ...money })
    case "capture_failed":
      return Outcome.captureFailed(details)
    case "refunded":
      return Outcome.refundSucceeded({ ...details, ...money })
  }
}
