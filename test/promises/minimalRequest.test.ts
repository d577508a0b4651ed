/**
 * The smallest request that the API accepts, at each provider alone: it becomes a payment that a payer can finish, and is
 * finished there. Real HTTP to each vendor's fake, and a real chain.
 */
import { assert, describe, it } from "@effect/vitest"
import type { Provider } from "@paymux/core"
import type { Fake, HttpVendor } from "@paymux/testkit"
import { Effect } from "effect"
import { createPaymux } from "paymux"
import { noAnvil, chainId } from "../../packages/adapters/evm/test/chain/anvil.ts"
import { Chain } from "../../packages/adapters/evm/test/chain/Chain.ts"
import { xpub } from "../../packages/adapters/evm/test/keys.ts"
import { adyen } from "../../packages/adapters/adyen/src/index.ts"
import { fake as adyenFake } from "../../packages/adapters/adyen/src/testing/fake.ts"
import { optionsOf as adyenOptions } from "../../packages/adapters/adyen/src/testing/options.ts"
import { cashfree } from "../../packages/adapters/cashfree/src/index.ts"
import { fake as cashfreeFake } from "../../packages/adapters/cashfree/src/testing/fake.ts"
import { optionsOf as cashfreeOptions } from "../../packages/adapters/cashfree/src/testing/options.ts"
import { coinbase } from "../../packages/adapters/coinbase/src/index.ts"
import { fake as coinbaseFake } from "../../packages/adapters/coinbase/src/testing/fake.ts"
import { optionsOf as coinbaseOptions } from "../../packages/adapters/coinbase/src/testing/options.ts"
import { evm } from "../../packages/adapters/evm/src/index.ts"
import { razorpay } from "../../packages/adapters/razorpay/src/index.ts"
import { fake as razorpayFake } from "../../packages/adapters/razorpay/src/testing/fake.ts"
import { stripe } from "../../packages/adapters/stripe/src/index.ts"
import { fake as stripeFake } from "../../packages/adapters/stripe/src/testing/fake.ts"
import { optionsOf as stripeOptions } from "../../packages/adapters/stripe/src/testing/options.ts"

/** Nothing but the required fields. */
const minimal = (payment_method: "upi" | "card" | "stablecoin", currency: string) =>
  ({
    amount: 10_000,
    currency,
    payment_method,
    customer: { email: "asha@example.com", phone: "+919812345678" }
  }) as const

const running = (provider: Provider) =>
  Effect.acquireRelease(
    Effect.promise(() =>
      createPaymux({
        providers: [provider],
        routing: { version: 1, default: { priority: [provider.id] } },
        database: ":memory:",
        secret: "a secret of 32 characters or more",
        publicUrl: "https://pay.example",
        logs: false
      })
    ),
    (paymux) => Effect.promise(() => paymux.close())
  )

type Paymux = Effect.Success<ReturnType<typeof running>>

/** Pending, with something that the payer can do. */
const begun = Effect.fnUntraced(function* (
  paymux: Paymux,
  request: ReturnType<typeof minimal>,
  actions: ReadonlyArray<string>
) {
  const payment = yield* Effect.promise(() => paymux.payments.create(request))
  assert.strictEqual(payment.status, "pending", JSON.stringify(payment.failure))
  assert.include(actions, payment.next_action?.type)
  return payment
})

const succeeds = Effect.fnUntraced(function* (paymux: Paymux, id: string) {
  while ((yield* Effect.promise(() => paymux.payments.get(id))).status === "pending") yield* Effect.sleep("20 millis")
  const { amount_captured, reviews, status } = yield* Effect.promise(() => paymux.payments.get(id))
  assert.deepStrictEqual(
    { amount_captured, reviews, status },
    { amount_captured: 10_000, reviews: [], status: "succeeded" }
  )
})

const atVendor = <C extends { readonly [name: string]: string }>(
  fake: Fake<HttpVendor<C>>,
  make: (vendor: HttpVendor<C>) => Provider,
  request: ReturnType<typeof minimal>,
  actions: ReadonlyArray<string>
) =>
  Effect.gen(function* () {
    const vendor = yield* fake.start({ mode: "test" })
    const { webhooks } = vendor
    if (webhooks === null) return assert.fail("the vendor sends webhooks")
    const provider = make(vendor)
    const paymux = yield* running(provider)
    yield* vendor.decide("wait")
    const { id } = yield* begun(paymux, request, actions)
    yield* vendor.decide("approve")
    yield* vendor.payersAct
    for (const event of yield* webhooks.events) {
      const { body, headers } = yield* webhooks.deliver([event])
      const address = `https://pay.example/webhooks/${provider.id}`
      const response = yield* Effect.promise(() =>
        paymux.fetch(new Request(address, { method: "POST", body: new Uint8Array(body), headers }))
      )
      assert.strictEqual(response.status, 200, yield* Effect.promise(() => response.text()))
    }
    yield* succeeds(paymux, id)
  }).pipe(Effect.scoped)

describe("the minimal request", () => {
  it.live("of a UPI payment at Razorpay", () =>
    atVendor(
      razorpayFake,
      ({ credentials: { keyId, keySecret, webhookSecret }, url }) =>
        razorpay({ keyId, keySecret, webhookSecrets: [webhookSecret], baseUrl: url }),
      minimal("upi", "INR"),
      ["redirect"]
    )
  )

  it.live("of a UPI payment at Cashfree", () =>
    atVendor(cashfreeFake, (vendor) => cashfree(cashfreeOptions(vendor)), minimal("upi", "INR"), ["redirect"])
  )

  it.live("of a card payment at Stripe", () =>
    atVendor(stripeFake, (vendor) => stripe(stripeOptions(vendor)), minimal("card", "EUR"), ["redirect"])
  )

  it.live("of a card payment at Adyen", () =>
    atVendor(adyenFake, (vendor) => adyen(adyenOptions(vendor)), minimal("card", "EUR"), ["redirect"])
  )

  it.live("of a stablecoin payment at Coinbase", () =>
    atVendor(coinbaseFake, (vendor) => coinbase(coinbaseOptions(vendor)), minimal("stablecoin", "USD"), [
      "redirect",
      "stablecoin_transfer"
    ])
  )

  it.live.skipIf(noAnvil !== null)(`of a stablecoin payment on a chain${noAnvil === null ? "" : ` (${noAnvil})`}`, () =>
    Effect.gen(function* () {
      const chain = yield* Chain
      const usdc = yield* chain.token("USDC", 6)
      const token = { asset: "USDC", contract: usdc.address, decimals: 6, currency: "USD" }
      const local = { chainId, rpcUrls: [chain.url], tokens: [token], pollEvery: "40 millis" } as const
      const paymux = yield* running(evm({ xpub, chains: { local } }))
      const { id, next_action } = yield* begun(paymux, minimal("stablecoin", "USD"), ["stablecoin_transfer"])
      if (next_action?.type !== "stablecoin_transfer") return assert.fail("it names an address")
      // Boundary: the adapter shows an address of the chain.
      yield* chain.pay(usdc, next_action.address as `0x${string}`, 100_000_000n)
      yield* chain.finalize
      yield* succeeds(paymux, id)
    }).pipe(Effect.provide(Chain.layer()), Effect.scoped)
  )
})
