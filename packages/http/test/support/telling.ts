/** A provider that tells what happened by webhooks, signed over the raw bytes together with their time. */
import { WebhookRefused } from "@paymux/core"
import type { Evidence, EvidenceClaim, Outcome, ProviderOperation } from "@paymux/core"
import { Effect, Redacted } from "effect"
import { createHmac } from "node:crypto"
import { WebhookSignature } from "../../../provider-kit/src/index.ts"
import { acme } from "./server.ts"

export const webhookSecret = "whsec_of_the_vendor_of_this_test"

/** What the vendor writes: its event's id, its reference of the payment, and what became of it. */
export interface Told {
  readonly id?: string
  readonly reference?: string
  readonly operation?: string
  readonly type: string
  readonly amount?: number
  readonly currency?: string
}

export const telling = (
  create: (operation: ProviderOperation) => Effect.Effect<Outcome.Outcome>,
  id = "telling",
  secret = webhookSecret
) =>
  acme({
    id,
    create,
    webhook: Effect.fnUntraced(function* (body, headers) {
      const time = headers["x-telling-time"] ?? ""
      yield* WebhookSignature.hmacSha256Hex({
        secrets: [Redacted.make(secret)],
        signed: [time, ".", body],
        signature: headers["x-telling-signature"]
      })
      yield* WebhookSignature.fresh(time, "s")
      return [yield* evidenceOf(id, new TextDecoder().decode(body))]
    })
  })

const evidenceOf = (provider: string, text: string): Effect.Effect<Evidence, WebhookRefused> =>
  Effect.try({
    try: () => {
      const told: Told = JSON.parse(text)
      return {
        source: "webhook",
        // Boundary of a test: what a vendor calls our operation is what we told it.
        about: (told.operation === undefined
          ? { provider, providerReference: told.reference ?? "" }
          : { operation: told.operation }) as Evidence["about"],
        claim: claimOf(told),
        reference: null,
        vendorCode: told.type,
        eventId: told.id ?? null,
        occurredAt: null
      } satisfies Evidence
    },
    catch: () => new WebhookRefused({ reason: "malformed" })
  })

const claimOf = ({ amount, currency, type }: Told): EvidenceClaim =>
  ({
    kind: type,
    ...(type === "pending" && { nextAction: null, awaitingFinality: false }),
    ...(type === "declined" && { code: "generic_decline", retry: "never" }),
    ...(type === "succeeded" && { amount: amount === undefined ? null : { minorUnits: amount, currency } })
  }) as EvidenceClaim

/** ms UTC → the signature headers for `body`. */
export const signed = (body: string, now: number, secret = webhookSecret, time = String(Math.floor(now / 1000))) => ({
  "X-Telling-Time": time,
  "X-Telling-Signature": createHmac("sha256", secret).update(`${time}.${body}`).digest("hex")
})
