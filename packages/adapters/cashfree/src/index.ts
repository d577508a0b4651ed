/**
 * Cashfree Payments for Paymux: UPI by intent and by QR code.
 *
 * The rooms: `options` (what is configured), `method` (what it can do), `client` (HTTP), `wire` (schemas), `create`, `later`
 * (capture, cancel, refund), `inquire`, `status` and `errors` (words), `statement` and `movements` (what was booked),
 * `webhook`, `simulate` (sandbox only).
 */
import { defineProvider } from "@paymux/core"
import { Effect } from "effect"
import { makeClient } from "./client.ts"
import { makeCreate } from "./create.ts"
import { makeInquire } from "./inquire.ts"
import { makeLater } from "./later.ts"
import { capabilities } from "./method.ts"
import { CashfreeOptions, modeOf, webhookSecrets } from "./options.ts"
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
      const { cancel, capture, refund } = makeLater(client)
      return {
        create: makeCreate(client, options, context),
        cancel,
        refund,
        ...(options.preauthorization === true && { capture }),
        inquire: makeInquire(client),
        statement: makeStatement(client),
        webhook: readWebhook(webhookSecrets(options), options.preauthorization === true)
      }
    })
})
