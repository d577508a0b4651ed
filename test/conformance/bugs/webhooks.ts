import {
  asOfReceipt,
  Currency,
  type Evidence,
  type Provider,
  type ProviderOperations,
  WebhookRefused
} from "@paymux/core"
import { Clock, Effect, Option, Schema } from "effect"
import { createHmac } from "node:crypto"
import { acme } from "../../../packages/paymux/templates/adapter/src/index.ts"
import { type Bug, withOperations } from "../Bug.ts"

export const webhookBugs: ReadonlyArray<Bug> = [
  {
    check: "webhook-refused",
    name: "does not verify anything",
    adapter: "acme",
    plant: (provider) => hearing(provider, (verify) => (body) => verify(...signedByUs(new TextDecoder().decode(body))))
  },
  {
    check: "webhook-refused",
    name: "verifies what it has parsed and written again",
    adapter: "acme",
    plant: (provider) =>
      hearing(provider, (verify) => (body, headers, receivedAt) => verify(rewritten(body), headers, receivedAt))
  },
  {
    check: "webhook-refused",
    name: "accepts a signature of any age",
    adapter: "acme",
    plant: (provider) =>
      hearing(provider, (verify) => (body, headers) => {
        const [, time = "", signature = ""] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers["acme-signature"] ?? "") ?? []
        const text = new TextDecoder().decode(body)
        return signature === signatureOf(time, text)
          ? verify(...signedByUs(text))
          : Effect.fail(new WebhookRefused({ reason: "bad_signature" }))
      })
  },
  {
    check: "webhook-refused",
    name: "throws where the header is missing",
    adapter: "acme",
    plant: (provider) =>
      hearing(provider, (verify) => (body, headers, receivedAt) => {
        const header = headers["acme-signature"]
        if (header === undefined) throw new TypeError("Cannot read properties of undefined (reading 'split')")
        return verify(body, headers, receivedAt)
      })
  },
  {
    check: "webhook-refused",
    name: "acknowledges what is not signed",
    adapter: "acme",
    plant: (provider) =>
      hearing(
        provider,
        (verify) => (body, headers, receivedAt) =>
          Effect.catchTag(verify(body, headers, receivedAt), "WebhookRefused", () => Effect.succeed([]))
      )
  },
  {
    check: "webhook-refused",
    name: "names the payment by the event's id",
    adapter: "acme",
    plant: (provider) =>
      changedOutcome(provider, (evidence) => ({
        ...evidence,
        about: { provider: provider.id, providerReference: evidence.eventId ?? "" }
      }))
  },
  {
    check: "webhook-refused",
    name: "takes the amount of a refund from elsewhere",
    adapter: "acme",
    plant: (provider) =>
      changedOutcome(provider, (evidence) =>
        evidence.outcome._tag === "RefundSucceeded" && evidence.outcome.amount !== undefined
          ? { ...evidence, outcome: { ...evidence.outcome, amount: { ...evidence.outcome.amount, minorUnits: 1_137 } } }
          : evidence
      )
  },
  {
    check: "webhook-duplicates",
    name: "makes an event id of its own",
    adapter: "acme",
    plant: (provider) => changedOutcome(provider, (evidence) => ({ ...evidence, eventId: crypto.randomUUID() }))
  },
  {
    check: "webhook-duplicates",
    name: "takes the payment's id for the event's",
    adapter: "acme",
    plant: (provider) =>
      changedOutcome(provider, (evidence) => ({ ...evidence, eventId: evidence.outcome.reference ?? null }))
  },
  {
    check: "webhook-duplicates",
    name: "identifies batched events by their body",
    adapter: "northbank",
    plant: (provider) => changedOutcome(provider, (evidence) => ({ ...evidence, eventId: null }))
  },
  {
    check: "webhook-duplicates",
    name: "remembers what it has seen, and answers it with nothing",
    adapter: "acme",
    plant: (provider) => {
      const seen = new Set<string>()
      return hearing(
        provider,
        (verify) => (body, headers, receivedAt) =>
          Effect.map(verify(body, headers, receivedAt), (reported) =>
            reported.filter(({ eventId }) => !seen.has(eventId ?? "") && seen.add(eventId ?? ""))
          )
      )
    }
  },
  {
    check: "webhook-duplicates",
    name: "refuses events that are old, and not only old deliveries",
    adapter: "northbank",
    plant: (provider) =>
      hearing(
        provider,
        (verify) => (body, headers, receivedAt) =>
          Effect.flatMap(verify(body, headers, receivedAt), (reported) =>
            reported.some(({ occurredAt }) => Date.now() - (occurredAt ?? 0) > 300_000)
              ? Effect.fail(new WebhookRefused({ reason: "stale" }))
              : Effect.succeed(reported)
          )
      )
  },
  {
    check: "webhook-refused",
    name: "says of a payment whose time is over that it is paid",
    adapter: "acme",
    plant: (provider) =>
      changedOutcome(provider, (evidence) =>
        evidence.outcome._tag === "Expired" ? { ...evidence, outcome: { _tag: "Captured" } } : evidence
      )
  },
  {
    check: "webhook-refused",
    name: "says of a refund that failed that it is done",
    adapter: "northbank",
    plant: (provider) =>
      changedOutcome(provider, (evidence) =>
        evidence.outcome._tag === "RefundFailed" ? { ...evidence, outcome: { _tag: "RefundSucceeded" } } : evidence
      )
  },
  {
    check: "webhook-refused",
    name: "assumes that every currency has hundredths",
    adapter: "northbank",
    plant: (provider) =>
      changedOutcome(provider, (evidence) => {
        const { outcome } = evidence
        if (outcome._tag !== "Succeeded" || outcome.amount === undefined) return evidence
        const { currency, minorUnits } = outcome.amount
        const amount = { currency, minorUnits: minorUnits * 10 ** (2 - Currency.exponent(currency)) }
        return { ...evidence, outcome: { ...outcome, amount } }
      })
  },
  {
    check: "webhook-duplicates",
    name: "refuses a type that it does not know",
    adapter: "acme",
    plant: (provider) =>
      hearing(
        provider,
        (verify) => (body, headers, receivedAt) =>
          Effect.flatMap(verify(body, headers, receivedAt), (reported) =>
            reported.length === 0 ? Effect.fail(new WebhookRefused({ reason: "malformed" })) : Effect.succeed(reported)
          )
      )
  },
  {
    check: "webhook-batch",
    name: "reads the first event of a body",
    adapter: "northbank",
    plant: (provider) =>
      hearing(
        provider,
        (verify) => (body, headers, receivedAt) =>
          Effect.map(verify(body, headers, receivedAt), (reported) => reported.slice(0, 1))
      )
  },
  {
    check: "webhook-batch",
    name: "says of every event that it is about the first one's payment",
    adapter: "northbank",
    plant: (provider) =>
      hearing(
        provider,
        (verify) => (body, headers, receivedAt) =>
          Effect.map(verify(body, headers, receivedAt), (reported) =>
            reported.map((each) => ({ ...each, about: reported[0]?.about ?? each.about }))
          )
      )
  },
  {
    check: "webhook-batch",
    name: "verifies the first event of a body, and accepts them all",
    adapter: "northbank",
    plant: (provider) =>
      hearing(provider, (verify) => (body, headers, receivedAt) => verify(othersSigned(body), headers, receivedAt))
  },
  {
    check: "webhook-receipt",
    name: "compares the signed time with the clock",
    adapter: "acme",
    plant: (provider) =>
      hearing(provider, (verify) =>
        asOfReceipt((body: Uint8Array, headers: Parameters<Verify>[1], _receivedAt: number) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => verify(body, headers, now))
        )
      )
  },
  {
    check: "webhook-receipt",
    name: "accepts a signature of any age if the webhook was received long ago",
    adapter: "acme",
    plant: (provider) =>
      hearing(provider, (verify) =>
        asOfReceipt((body: Uint8Array, headers: Parameters<Verify>[1], receivedAt: number) => {
          const [, time = "0"] = /^t=(\d+),/.exec(headers["acme-signature"] ?? "") ?? []
          return verify(body, headers, Date.now() - receivedAt > 86_400_000 ? Number(time) * 1000 : receivedAt)
        })
      )
  },
  {
    check: "webhook-receipt",
    name: "does not declare that it verifies as of the receipt",
    adapter: "acme",
    plant: (provider) => hearing(provider, (verify) => (body, headers, receivedAt) => verify(body, headers, receivedAt))
  },
  {
    check: "test-and-live",
    name: "verifies webhooks with the secrets of both modes",
    adapter: "acme",
    plant: (provider) => ({
      ...provider,
      make: (context) =>
        Effect.zipWith(
          provider.make(context),
          acme({ apiKey: "acme_test_any", webhookSecrets: [acmeSecret, "whsec_live_95d4fe"] }).make(context),
          (made, { webhook }) => ({ ...made, ...(webhook && { webhook }) })
        )
    })
  }
]

type Verify = NonNullable<ProviderOperations["webhook"]>

/** The provider with another `webhook`. */
const hearing = (provider: Provider, change: (verify: Verify) => Verify): Provider =>
  withOperations(provider, ({ webhook }) => (webhook === undefined ? {} : { webhook: change(webhook) }))

/** The provider whose webhooks say something else. */
const changedOutcome = (provider: Provider, change: (evidence: Evidence) => Evidence): Provider =>
  hearing(
    provider,
    (verify) => (body, headers, receivedAt) =>
      Effect.map(verify(body, headers, receivedAt), (reported) => reported.map(change))
  )

// Credentials of the fakes.
const acmeSecret = "whsec_test_8c1a02"
const northbankSecret = "wh_test_5d08a1"

const signatureOf = (time: string, text: string): string =>
  createHmac("sha256", acmeSecret).update(`${time}.${text}`).digest("hex")

/** As if it had been signed a moment ago. */
const signedByUs = (text: string): Parameters<Verify> => {
  const now = Date.now()
  const time = String(Math.floor(now / 1000))
  return [new TextEncoder().encode(text), { "acme-signature": `t=${time},v1=${signatureOf(time, text)}` }, now]
}

const rewritten = (body: Uint8Array): Uint8Array => {
  try {
    return new TextEncoder().encode(JSON.stringify(JSON.parse(new TextDecoder().decode(body))))
  } catch {
    return body
  }
}

/** Every item but the first is signed anew. */
const othersSigned = (body: Uint8Array): Uint8Array => {
  const items = Option.map(decodeItems(new TextDecoder().decode(body)), ({ items }) =>
    items.map((item, index) => {
      const { amount, code, currency, event, id, reference, time, type } = item
      const text = JSON.stringify([event, type, time, id, reference, amount, currency, code])
      return index === 0
        ? item
        : { ...item, signature: createHmac("sha256", northbankSecret).update(text).digest("base64") }
    })
  )
  return Option.match(items, {
    onNone: () => body,
    onSome: (signed) => new TextEncoder().encode(JSON.stringify({ items: signed }))
  })
}

const decodeItems = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ items: Schema.Array(Schema.Record(Schema.String, Schema.Any)) }))
)
