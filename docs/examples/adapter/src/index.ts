/**
 * Northbank for Paymux, in Promises. Its parts: `client` (its API), `http` (`fetch`), `wire` (its schemas), `codes`, `errors`,
 * `webhook`.
 */
import { asOfReceipt, definePromiseProvider } from "@paymux/core"
import { Codes } from "@paymux/provider-kit"
import { Schema } from "effect"
import { makeClient } from "./client.ts"
import { codes } from "./codes.ts"
import { makeHttp } from "./http.ts"
import { readWebhook } from "./webhook.ts"

/**
 * @example
 * ```ts
 * northbank({
 *   keyId: process.env.NORTHBANK_KEY_ID,
 *   secret: process.env.NORTHBANK_SECRET,
 *   webhookSecrets: [process.env.NORTHBANK_WEBHOOK_SECRET]
 * })
 * ```
 */
export const northbank = definePromiseProvider({
  id: "northbank",
  options: Schema.Struct({
    /** `nb_test_…` or `nb_live_…`: it decides the mode. */
    keyId: Schema.String.check(Schema.isPattern(/^nb_(test|live)_[a-z0-9]+$/)),
    secret: Schema.RedactedFromValue(Schema.NonEmptyString),
    /** The newest first; while one is being replaced, both. */
    webhookSecrets: Schema.NonEmptyArray(Schema.RedactedFromValue(Schema.NonEmptyString)),
    /** Without a slash at its end. The secret crosses no network in the clear: `http` is for this machine only. */
    baseUrl: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^(https:\/\/|http:\/\/127\.0\.0\.1[:/]).*[^/]$/)))
  }),
  mode: ({ keyId }) => (keyId.startsWith("nb_live_") ? "live" : "test"),
  // What is not declared is assumed to be the worst case: declare what Northbank documents, and nothing else.
  capabilities: () => ({
    methods: {
      card: { currencies: ["EUR", "USD", "JPY", "KWD"], flows: { hosted: { requires: ["return_url"] }, token: {} } },
      upi: { currencies: ["INR"], flows: { intent: {} }, amounts: [{ currency: "INR", min: "1.00", max: "100000.00" }] }
    },
    operations: {
      create: {
        idempotency: { by: "reference" },
        inquiry: { by: "reference", notFoundIsFinalAfter: "10 minutes" },
        declineIsFinal: true,
        abandonedAfter: "30 minutes"
      },
      // Asked again Northbank answers the canceled order again, for as long as it keeps orders: the order is the key.
      cancel: { idempotency: { by: "body", lifetime: "90 days" }, inquiry: { by: "providerReference" } },
      refund: { idempotency: { by: "reference" }, inquiry: { by: "reference" }, partial: true, reports: "movement" }
    },
    accountHelp: Codes.accountHelp(codes)
  }),
  make: ({ baseUrl = "https://api.northbank.example", keyId, secret, webhookSecrets }, context) => ({
    ...makeClient(makeHttp({ baseUrl, keyId, secret }), context),
    webhook: asOfReceipt(readWebhook(webhookSecrets))
  })
})
