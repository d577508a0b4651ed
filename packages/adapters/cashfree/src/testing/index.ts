/**
 * `@paymux/cashfree/testing`: a fake Cashfree on this machine, for tests of an application without an account and without a network.
 * It needs `@paymux/testkit`.
 *
 * @module
 */
import { startFake, type StartFakeOptions } from "@paymux/testkit/fake"
import { booksOf } from "./books.ts"
import { fake, s2sFake } from "./fake.ts"
import { optionsOf } from "./options.ts"

export { fake, s2sFake } from "./fake.ts"
export { optionsOf } from "./options.ts"

export interface FakeCashfreeOptions extends StartFakeOptions {
  /** Order Pay (S2S) is enabled for the account, and `options` has `s2s: true`. Default: an ordinary account, without it. */
  readonly s2s?: boolean
  /** `false`: the account may not create Payment Links by API, as some accounts. */
  readonly paymentLinks?: boolean
}

/**
 * Starts a fake Cashfree on a free port of 127.0.0.1. `options` configures an instance at it, `vendor.ledger` shows what was
 * charged and decides what payers do next, and `close` stops it.
 *
 * @example
 * ```ts
 * import { cashfree } from "@paymux/cashfree"
 * import { fakeCashfree } from "@paymux/cashfree/testing"
 *
 * const fake = await fakeCashfree({ webhookUrl: "http://127.0.0.1:4310/webhooks/cashfree" })
 * const provider = cashfree(fake.options)
 * provider.id // => "cashfree"
 * fake.vendor.ledger.payments() // => []
 * await fake.close()
 * ```
 */
export const fakeCashfree = async ({ paymentLinks = true, s2s = false, ...options }: FakeCashfreeOptions = {}) => {
  const running = await startFake(s2s ? s2sFake : fake, options)
  booksOf(running.vendor.ledger).hasLinks = paymentLinks
  return { ...running, options: { ...optionsOf(running.vendor), s2s } }
}
