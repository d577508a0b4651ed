/** The payment page of a transfer on a real chain, in a browser: paid in two parts. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { chainId, noAnvil } from "../packages/adapters/evm/test/chain/anvil.ts"
import { Chain } from "../packages/adapters/evm/test/chain/Chain.ts"
import { xpub } from "../packages/adapters/evm/test/keys.ts"
import { evm } from "../packages/adapters/evm/src/index.ts"
import { ends, openCheckout, phone, violations } from "../packages/paymux/test/CheckoutBrowser.ts"
import { hasBrowser } from "./support/browser.ts"

const why = noAnvil ?? (hasBrowser ? null : "no browser for this system, and no CHROMIUM_PATH")

const isAddress = (text: string | null): text is `0x${string}` => text !== null && /^0x[0-9a-fA-F]{40}$/.test(text)

const opened = (rpcUrl: string, contract: string) =>
  Effect.acquireRelease(
    Effect.promise(() =>
      openCheckout({
        providers: [
          evm({
            xpub,
            chains: {
              base: {
                chainId,
                rpcUrls: [rpcUrl],
                tokens: [{ asset: "USDC", contract, decimals: 6, currency: "USD" }],
                pollEvery: "50 millis"
              }
            }
          })
        ],
        checkout: { afterPayment: "stay" },
        logs: false
      })
    ),
    ({ close }) => Effect.promise(close)
  )

describe.skipIf(why !== null)(`a transfer on the payment page${why === null ? "" : ` (skipped: ${why})`}`, () => {
  it.live("that is too small shows what is missing, and is complete when the rest has come", () =>
    Effect.gen(function* () {
      const chain = yield* Chain
      const usdc = yield* chain.token("USDC", 6)
      const checkout = yield* opened(chain.url, usdc.address)
      const { url } = yield* Effect.promise(() =>
        checkout.created({
          amount: 5_000,
          currency: "USD",
          payment_method: "stablecoin",
          customer: { email: "asha@example.com", phone: "+919876543210" }
        })
      )
      const { page, wrong } = yield* Effect.promise(() => checkout.opened(url, phone))
      const address = yield* Effect.promise(() => page.locator("dd .mono bdi").textContent())
      if (!isAddress(address)) return assert.fail(`${address} is no address`)
      yield* chain.pay(usdc, address, 20_000_000n)
      yield* chain.finalize
      yield* Effect.promise(() => page.locator("h1", { hasText: "Send the rest" }).waitFor({ timeout: 30_000 }))
      const value = (name: string) => page.locator("dl > div", { hasText: name }).locator("dd").innerText()
      assert.match(yield* Effect.promise(() => value("Received")), /20\.00/)
      assert.match(yield* Effect.promise(() => value("Missing")), /^30\.00 USDC/)
      // The link and the code of the provider ask for the whole amount.
      assert.strictEqual(yield* Effect.promise(() => page.locator(".code, a[href^=ethereum]").count()), 0)
      assert.deepStrictEqual(yield* Effect.promise(() => violations(page)), [])
      yield* chain.pay(usdc, address, 30_000_000n)
      yield* chain.mine()
      yield* Effect.promise(() => ends(page, "Payment received, waiting for confirmation"))
      yield* chain.finalize
      yield* Effect.promise(() => ends(page, "Payment complete"))
      assert.deepStrictEqual(wrong, [])
    }).pipe(Effect.provide(Chain.layer()), Effect.scoped)
  )
})
