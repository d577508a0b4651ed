/** A provider that reports by webhooks, signed over the raw bytes together with their time. */
import { Outcome, WebhookRefused } from "@paymux/core"
import type { Evidence, ProviderOperation } from "@paymux/core"
import { decodeEvidence } from "@paymux/core/store"
import { Effect, Redacted } from "effect"
import { createHmac } from "node:crypto"
import { WebhookSignature } from "../../../provider-kit/src/index.ts"
import { acme } from "./server.ts"

const webhookSecret = "whsec_of_the_vendor_of_this_test"

/** What the vendor writes: its event's id, its reference of the payment, and what became of it. */
export interface Reported {
  readonly id?: string
  readonly reference?: string
  readonly operation?: string
  readonly type: string
  readonly amount?: number
  readonly currency?: string
}

export const notifier = (
  create: (operation: ProviderOperation) => Effect.Effect<Outcome.SendOutcome>,
  id = "notifier",
  secret = webhookSecret
) =>
  acme({
    id,
    create,
    webhook: Effect.fnUntraced(function* (body, headers) {
      const time = headers["x-notifier-time"] ?? ""
      yield* WebhookSignature.hmacSha256Hex({
        secrets: [Redacted.make(secret)],
        signed: [time, ".", body],
        signature: headers["x-notifier-signature"]
      })
      yield* WebhookSignature.fresh(time, "s")
      return [yield* evidenceOf(id, new TextDecoder().decode(body))]
    })
  })

const evidenceOf = (provider: string, text: string): Effect.Effect<Evidence, WebhookRefused> =>
  Effect.try({
    try: () => {
      const reported: Reported = JSON.parse(text)
      return {
        source: "webhook",
        // Boundary of a test: the vendor returns the id that we sent for our operation.
        about: (reported.operation === undefined
          ? { provider, providerReference: reported.reference ?? "" }
          : { operation: reported.operation }) as Evidence["about"],
        outcome: outcomeOf(reported),
        eventId: reported.id ?? null,
        occurredAt: null
      } satisfies Evidence
    },
    catch: () => new WebhookRefused({ reason: "malformed" })
  })

const outcomeOf = ({ amount, currency, type }: Reported): Outcome.Outcome => {
  const facts = {
    kind: type,
    ...(type === "declined" && { code: "generic_decline", retry: "never" }),
    ...(type === "succeeded" && amount !== undefined && { amount: { minorUnits: amount, currency } })
  }
  return (
    // Boundary of a test: the vendor's types are named like the stored words.
    decodeEvidence({ claim: facts, vendorCode: type })?.outcome ?? Outcome.unknown({ reason: "unmapped" })
  )
}

/** ms UTC → the signature headers for `body`. */
export const signed = (body: string, now: number, secret = webhookSecret, time = String(Math.floor(now / 1000))) => ({
  "X-Notifier-Time": time,
  "X-Notifier-Signature": createHmac("sha256", secret).update(`${time}.${body}`).digest("hex")
})
