/**
 * Coinbase for Paymux: payment sessions of CDP Payment Acceptance, for payers of stablecoins. Coinbase tags this contract
 * *Under Development*.
 *
 * The modules: `options` (configuration), `key` (credentials), `method` (capabilities and requests), `client` (HTTP), `wire`
 * (schemas), `payments` (creates), `later` (captures, cancels, refunds), `state` (what a session says), `codes` and `errors`
 * (refusals), `signature` and `webhook`, `statement`.
 */
import {
  asOfReceipt,
  defineProvider,
  type InquiryOutcome,
  type ProviderError,
  type ProviderOperation
} from "@paymux/core"
import { HttpOutcome } from "@paymux/provider-kit"
import { Effect } from "effect"
import { makeClient } from "./client.ts"
import { makeLater } from "./later.ts"
import { capabilities } from "./method.ts"
import { CoinbaseOptions, modeOf } from "./options.ts"
import { makePayments } from "./payments.ts"
import { makeStatement } from "./statement.ts"
import { readWebhook } from "./webhook.ts"

/**
 * An instance for one CDP project.
 *
 * **Payment Acceptance is not self-serve: Coinbase must enable it** (docs.cdp.coinbase.com/payments/payment-acceptance/quickstart).
 * What a merchant can open today is Coinbase Business Checkouts, which this adapter does not speak. Until Coinbase has enabled
 * it, each payment is refused as `account_not_enabled`, and the next provider is tried.
 *
 * @example
 * ```ts
 * coinbase({
 *   environment: "sandbox",
 *   apiKeyId: "…",
 *   apiKeySecret: "…",
 *   webhookSecrets: ["…"],
 *   target: { accountId: "account_…", asset: "usdc" }
 * })
 * ```
 */
export const coinbase = defineProvider({
  id: "coinbase",
  options: CoinbaseOptions,
  mode: modeOf,
  capabilities,
  make: (options, context) =>
    Effect.map(makeClient(options), (client) => {
      const payments = makePayments(client, options)
      const later = makeLater(client, options)
      const inquire = (operation: ProviderOperation): Effect.Effect<InquiryOutcome, ProviderError> => {
        const { kind } = operation
        return HttpOutcome.inquiry(
          kind === "create" ? payments.inquire(operation) : later.inquire({ ...operation, kind })
        )
      }
      return {
        create: (operation) => HttpOutcome.operation(payments.create(operation)),
        capture: (operation) => HttpOutcome.operation(later.capture(operation)),
        cancel: (operation) => HttpOutcome.operation(later.cancel(operation)),
        refund: (operation) => HttpOutcome.operation(later.refund(operation)),
        inquire,
        // What comes back with the payer proves nothing: the session is read.
        complete: (operation) => inquire(operation),
        statement: makeStatement(client),
        webhook: asOfReceipt(readWebhook(context.id, options.webhookSecrets))
      }
    })
})
