/**
 * `@paymux/coinbase/testing`: a fake Coinbase on this machine, for tests of an application without an account and without a network.
 * It needs `@paymux/testkit`.
 *
 * @module
 */
import { startFake, type StartFakeOptions } from "@paymux/testkit/fake"
import { fake } from "./fake.ts"
import { optionsOf } from "./options.ts"

export { fake } from "./fake.ts"
export { optionsOf } from "./options.ts"

/**
 * Starts a fake Coinbase on a free port of 127.0.0.1. `options` configures an instance at it, `vendor.ledger` shows what was
 * charged and decides what payers do next, and `close` stops it.
 *
 * @example
 * ```ts
 * import { coinbase } from "@paymux/coinbase"
 * import { fakeCoinbase } from "@paymux/coinbase/testing"
 *
 * const fake = await fakeCoinbase({ webhookUrl: "http://127.0.0.1:4310/webhooks/coinbase" })
 * const provider = coinbase(fake.options)
 * provider.id // => "coinbase"
 * fake.vendor.ledger.payments() // => []
 * await fake.close()
 * ```
 */
export const fakeCoinbase = async (options: StartFakeOptions = {}) => {
  const running = await startFake(fake, options)
  return { ...running, options: optionsOf(running.vendor) }
}
