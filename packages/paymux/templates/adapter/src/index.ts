/** Acme for Paymux. Its parts: `client` (HTTP), `wire` (schemas), `codes`, `errors`, `webhook`, `method` (the rail). */
import { asOfReceipt, defineProvider } from "@paymux/core"
import { Codes } from "@paymux/provider-kit"
import { Effect, Redacted, Schema } from "effect"
import { makeClient } from "./client.ts"
import { codes, proofCodes } from "./codes.ts"
import { methods, operations } from "./method.ts"
import { readWebhook } from "./webhook.ts"

/** It decides the mode. */
const ApiKey = Schema.String.check(Schema.isPattern(/^acme_(test|live)_/))

/**
 * @example
 * ```ts
 * acme({ apiKey: "acme_test_…", webhookSecrets: ["whsec_…"] })
 * ```
 */
export const acme = defineProvider({
  id: "acme",
  options: Schema.Struct({
    apiKey: Schema.RedactedFromValue(ApiKey),
    /** The newest first; while one is being replaced, both. */
    webhookSecrets: Schema.NonEmptyArray(Schema.RedactedFromValue(Schema.NonEmptyString)),
    baseUrl: Schema.optionalKey(Schema.String)
  }),
  mode: ({ apiKey }) => (Redacted.value(apiKey).startsWith("acme_live_") ? "live" : "test"),
  capabilities: () => ({
    methods,
    operations: { ...operations, create: { ...operations.create, proof: proofCodes } },
    accountHelp: Codes.accountHelp(codes)
  }),
  make: (options, context) =>
    Effect.map(makeClient(options, context), ({ capture, ...client }) => ({
      ...client,
      // Where no funds are held there is nothing to capture.
      ...(operations.capture && { capture }),
      webhook: asOfReceipt(readWebhook(context.id, options.webhookSecrets))
    }))
})
