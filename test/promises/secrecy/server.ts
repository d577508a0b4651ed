/**
 * A server whose provider is careless: it has card numbers in codes, throws secrets, and quotes what it was sent.
 * Arguments: its database, the address of a webhook endpoint, and that of a collector of telemetry, if there is one. Its
 * address and keys go over the channel.
 */
import { defineProvider, invalidRequest, misconfigured, Outcome, WebhookRefused } from "@paymux/core"
import type { Evidence, ProviderOperation } from "@paymux/core"
import { hardenedServer } from "@paymux/http"
import { Effect, Redacted, Schema } from "effect"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { createPaymux } from "paymux"
import { panOf, secretOf } from "./canaries.ts"

const careless = (id: string) =>
  defineProvider({
    id,
    options: Schema.Struct({ apiKey: Schema.RedactedFromValue(Schema.String) }),
    mode: () => "test",
    capabilities: () => ({
      methods: {
        card: { currencies: "any", flows: { token: {}, hosted: {} }, captureMethods: ["automatic", "manual"] },
        upi: { currencies: ["INR"], flows: { intent: {}, qr: {}, collect: {} } }
      },
      operations: { create: idempotent, capture: inParts, cancel: idempotent, refund: inParts }
    }),
    make: ({ apiKey }) =>
      Effect.succeed({
        create: (operation) => (id === "misconfigured" ? refusedCredentials(apiKey) : answered(operation)),
        capture: () => Effect.succeed(Outcome.succeeded()),
        cancel: () => Effect.succeed(Outcome.succeeded()),
        refund: () =>
          Effect.succeed(
            Outcome.declined({ code: "processing_error", retry: "never", vendorCode: panOf("vendor code of a refund") })
          ),
        webhook: (body, headers) => reported(new TextDecoder().decode(body), headers)
      })
  })({ id, apiKey: secretOf(`api key of ${id}`, "sk_live_") })

const idempotent = { idempotency: { by: "header", lifetime: "24 hours" } } as const
const inParts = { ...idempotent, partial: true } as const

const refusedCredentials = (apiKey: Redacted.Redacted) =>
  Effect.fail(misconfigured(`the key ${Redacted.value(apiKey)} is not valid`))

/** What the payment's metadata asks for. */
const answered = ({ metadata }: ProviderOperation) => {
  const position = metadata["case"] ?? "none"
  const pan = panOf(`provider answer: ${position}`)
  const secret = secretOf(`provider answer: ${position}`, "sk_live_")
  switch (position) {
    case "vendor code":
      return Effect.succeed(Outcome.declined({ code: "do_not_honor", retry: "never", vendorCode: pan }))
    case "vendor code among words":
      return Effect.succeed(Outcome.unknown({ reason: "unmapped", vendorCode: `E51 card ${pan} refused` }))
    case "invalid request":
      return Effect.fail(invalidRequest(`number ${pan} with key ${secret}`))
    case "defect":
      return Effect.die(new Error(`POST failed, Authorization: Bearer ${secret}, card ${pan}`))
    case "no outcome":
      return Effect.succeed(Outcome.declined({ code: "do_not_honor", retry: "never", vendorCode: pan.repeat(60) }))
    default:
      return Effect.succeed(Outcome.succeeded())
  }
}

/** A webhook whose signature is the word `right`. */
const reported = (body: string, headers: { readonly [name: string]: string }) => {
  if (headers["x-signature"] === "broken") {
    return Effect.die(new Error(`cannot read ${body} with ${secretOf("webhook secret", "whsec_")}`))
  }
  if (headers["x-signature"] !== "right") return Effect.fail(new WebhookRefused({ reason: "bad_signature" }))
  return Effect.succeed([
    {
      source: "webhook",
      about: { provider: "careless", providerReference: "ref_unknown" },
      outcome: { _tag: "Declined", code: "do_not_honor", retry: "never", vendorCode: panOf("webhook: vendor code") },

      eventId: panOf("webhook: event id"),
      occurredAt: null
    } satisfies Evidence
  ])
}

const [database = ":memory:", receiver = "", collector = ""] = process.argv.slice(2)
const paymux = await createPaymux({
  providers: [careless("careless"), careless("misconfigured")],
  routing: {
    version: 1,
    rules: [{ name: "refused", when: { currency: "USD" }, choose: { priority: ["misconfigured"] } }],
    default: { priority: ["careless"] }
  },
  database,
  secret: secretOf("server secret"),
  webhooks: { allow: ["127.0.0.1"] },
  metricsToken: secretOf("metrics token in use"),
  ...(collector === ""
    ? {}
    : { telemetry: { otlpEndpoint: collector, headers: { "x-key": secretOf("collector's key") } } })
})
const server = hardenedServer(paymux.node).listen(0, "127.0.0.1")
await once(server, "listening")
const key = await paymux.apiKeys.create({ name: "in use" })
const revoked = await paymux.apiKeys.create({ name: "revoked" })
await paymux.apiKeys.revoke(revoked.id)
const endpoint = await paymux.webhookEndpoints.add({ url: receiver })

process.on("message", () => {
  server.close()
  void paymux.close().then(() => process.exit(0))
})
process.send?.({
  // A TCP server's address is never a pipe's name.
  port: (server.address() as AddressInfo).port,
  key: key.key,
  revoked: revoked.key,
  endpointSecret: endpoint.secret
})
