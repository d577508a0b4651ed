/**
 * Adyen for Paymux: cards by token, and payment links for cards without one.
 *
 * The rooms: `options` (what is configured), `method` (what it can do), `client` (HTTP), `wire` (schemas and amounts),
 * `names` (references), `request` (bodies), `operations` (what is asked of Adyen), `errors` (its words), `webhook`.
 */
import { defineProvider } from "@paymux/core"
import { Effect } from "effect"
import { makeClient } from "./client.ts"
import { capabilities } from "./method.ts"
import { makeOperations } from "./operations.ts"
import { AdyenOptions } from "./options.ts"
import { readWebhook } from "./webhook.ts"

/**
 * An instance for one merchant account of Adyen.
 *
 * @example
 * ```ts
 * adyen({ environment: "test", apiKey: "AQE…", merchantAccount: "ShopEU", hmacKeys: ["44782D…"] })
 * ```
 */
export const adyen = defineProvider({
  id: "adyen",
  options: AdyenOptions,
  mode: ({ environment }) => environment,
  capabilities: () => capabilities,
  make: (options, context) =>
    Effect.map(makeClient(options), (client) => ({
      ...makeOperations(client, options, context),
      webhook: readWebhook(context.id, options)
    }))
})
