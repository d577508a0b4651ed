/**
 * Adyen for Paymux: cards by token, and payment links for cards without one.
 *
 * The rooms: `options` (what is configured), `method` (what it can do), `client` (HTTP), `wire` (schemas and amounts),
 * `names` (references), `request` and `shopper` (bodies), `operations` (what is asked of Adyen), `codes` and `errors` (its words), `webhook`;
 * `statement`, `reports`, `readReport`, `reportLine` and `reportTime` (what was settled).
 */
import { asOfReceipt, defineProvider } from "@paymux/core"
import { Effect } from "effect"
import { makeClient } from "./client.ts"
import { capabilitiesOf } from "./method.ts"
import { makeOperations } from "./operations.ts"
import { AdyenOptions } from "./options.ts"
import { makeReports } from "./reports.ts"
import { timeReader } from "./reportTime.ts"
import { makeStatement } from "./statement.ts"
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
  capabilities: capabilitiesOf,
  make: (options, context) =>
    Effect.gen(function* () {
      const { merchantAccount, reports } = options
      const client = yield* makeClient(options)
      return {
        ...makeOperations(client, options, context),
        webhook: asOfReceipt(readWebhook(context.id, options)),
        ...(reports !== undefined && {
          statement: makeStatement(yield* makeReports(options, reports), merchantAccount, timeReader(reports.timeZone))
        })
      }
    })
})
