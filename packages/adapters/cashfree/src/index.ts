/**
 * Cashfree Payments for Paymux: UPI on Cashfree's page, and with Order Pay (S2S) by intent and by QR code.
 *
 * Files: `options`, `method` (capabilities), `client` (HTTP), `request` and `wire` (schemas), `links` (payments on the page),
 * `create` (with S2S), `later` (capture, cancel, refund), `inquire`, `status`, `codes` and `errors` (what answers mean), `statement`
 * and `movements` (what was booked), `webhook`, `simulate` (sandbox only).
 */
import { asOfReceipt, defineProvider } from "@paymux/core"
import { Effect } from "effect"
import { makeClient } from "./client.ts"
import { makeCreate } from "./create.ts"
import { operation as outcomeOf } from "./errors.ts"
import { makeInquire } from "./inquire.ts"
import { makeLater } from "./later.ts"
import { makeLinks } from "./links.ts"
import { capabilities } from "./method.ts"
import { CashfreeOptions, modeOf, webhookSecrets } from "./options.ts"
import { isByLink } from "./request.ts"
import { makeStatement } from "./statement.ts"
import { readWebhook } from "./webhook.ts"

export { simulatePayment, SimulationRefused } from "./simulate.ts"
export type { Simulation } from "./simulate.ts"

/**
 * An instance for one account of Cashfree.
 *
 * @example
 * ```ts
 * cashfree({ environment: "sandbox", clientId: "TEST…", clientSecret: "cfsk_ma_test_…" })
 * ```
 */
export const cashfree = defineProvider({
  id: "cashfree",
  options: CashfreeOptions,
  mode: modeOf,
  capabilities,
  make: (options, context) =>
    Effect.map(makeClient(options), (client) => {
      const links = makeLinks(client, options)
      const onOrder = makeCreate(client, options, context)
      const { cancel, capture, refund } = makeLater(client, links)
      return {
        create: (operation) => outcomeOf(isByLink(operation) ? links.create(operation) : onOrder(operation)),
        cancel,
        refund,
        ...(options.preauthorization === true && { capture }),
        inquire: makeInquire(client, links),
        statement: makeStatement(client),
        webhook: asOfReceipt(readWebhook(webhookSecrets(options), options.preauthorization === true))
      }
    })
})
