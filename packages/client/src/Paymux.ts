/**
 * A client of the Paymux API.
 *
 * A class, where the rest of the house has functions: `new Paymux(…)` is what people know from other payment libraries, its
 * name is the type of the thing as well, and it does not look like `createPaymux`, which starts a server.
 *
 * @example
 * ```ts
 * import { Paymux } from "@paymux/client"
 *
 * const paymux = new Paymux({ apiKey: process.env["PAYMUX_API_KEY"] ?? "", baseUrl: "http://127.0.0.1:4310/v1" })
 * const payment = await paymux.payments.create({
 *   amount: 10000,
 *   currency: "INR",
 *   payment_method: "upi",
 *   customer: { email: "asha@example.com", phone: "+919812345678" }
 * })
 * ```
 */
import { events } from "./events.ts"
import type { Events } from "./events.ts"
import { settingsOf } from "./options.ts"
import type { PaymuxOptions } from "./options.ts"
import { payments } from "./payments.ts"
import type { Payments } from "./payments.ts"
import { refunds } from "./refunds.ts"
import type { Refunds } from "./refunds.ts"
import { runtime } from "./Runtime.ts"
import { transport } from "./transport.ts"
import { webhooks } from "./webhooks.ts"
import type { Webhooks } from "./webhooks.ts"

export class Paymux {
  readonly payments: Payments
  readonly refunds: Refunds
  readonly events: Events
  readonly webhooks: Webhooks = webhooks

  /** Fails with `PaymuxUsageError` where an option is wrong. The key is kept where nothing prints it. */
  constructor(options: PaymuxOptions) {
    const calls = transport(settingsOf(options), runtime)
    this.payments = payments(calls)
    this.refunds = refunds(calls)
    this.events = events(calls, runtime)
  }
}
