/**
 * `@paymux/adyen/testing`: a fake Adyen on this machine, for tests of an application without an account and without a network.
 * It needs `@paymux/testkit`.
 *
 * @module
 */
import { startFake, type StartFakeOptions } from "@paymux/testkit/fake"
import { fake } from "./fake.ts"
import { optionsOf } from "./options.ts"

export { fake, resultOf } from "./fake.ts"
export { optionsOf } from "./options.ts"
export { pspOf } from "./pspOf.ts"

/**
 * Starts a fake Adyen on a free port of 127.0.0.1. `options` configures an instance at it, `vendor.ledger` shows what was
 * charged and decides what payers do next, and `close` stops it.
 *
 * @example
 * ```ts
 * import { adyen } from "@paymux/adyen"
 * import { fakeAdyen } from "@paymux/adyen/testing"
 *
 * const fake = await fakeAdyen({ webhookUrl: "http://127.0.0.1:4310/webhooks/adyen" })
 * const provider = adyen(fake.options)
 * provider.id // => "adyen"
 * fake.vendor.ledger.payments() // => []
 * await fake.close()
 * ```
 */
export const fakeAdyen = async (options: StartFakeOptions = {}) => {
  const running = await startFake(fake, options)
  return { ...running, options: optionsOf(running.vendor) }
}
