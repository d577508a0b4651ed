import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { decodeCreatePayment } from "../../src/index.ts"
import { paymentDifference } from "../../src/domain/requestDifference.ts"
import type { NewPayment } from "../../src/index.ts"
import { PaymentRecords } from "@paymux/test-suites"

const base = {
  amount: 1200,
  currency: "EUR",
  payment_method: "card",
  customer: { email: "asha@example.com", address: { line1: "1 Main Road", postal_code: "560001", country: "IN" } },
  metadata: { Note: "a" },
  payment_method_details: { card: { tokens: { "acme/eu": { clientSecret: "s" } } } },
  client: { user_agent: "Mozilla/5.0", screen: { width: 390, height: 844, color_depth: 24 } }
} as const

const made = (json: object): NewPayment => Effect.runSync(decodeCreatePayment(json))
const difference = (now: object, before: object = base) =>
  paymentDifference(made(now), { ...PaymentRecords.aPayment(1), ...made(before) })
const card = (card: object) => ({ ...base, payment_method_details: { card } })

describe("the first field in which two requests differ", () => {
  it.each([
    ["/currency", { ...base, currency: "USD", capture_method: "manual" }],
    ["/payment_method_details/card/token", card({ token: "tok" })],
    [
      "/payment_method_details/card/tokens/acme~1eu/clientSecret",
      card({ tokens: { "acme/eu": { clientSecret: "t" } } })
    ],
    [
      "/customer/address/postal_code",
      { ...base, customer: { ...base.customer, address: { ...base.customer.address, postal_code: "1" } } }
    ],
    ["/metadata/Note", { ...base, metadata: {} }],
    ["/return_url", { ...base, return_url: "https://shop.example" }],
    [
      "/client/screen/color_depth",
      { ...base, client: { ...base.client, screen: { ...base.client.screen, color_depth: 30 } } }
    ]
  ])("is %s, as the body names it", (pointer, now) => assert.strictEqual(difference(now), pointer))

  it("is none of two that are equal, whichever way `null` was sent", () => {
    assert.isNull(difference({ ...base, description: null }))
  })

  it("is not the coin that the engine chose for the first", () => {
    const coin = { amount: 1, currency: "USD", payment_method: "stablecoin", customer: { email: "asha@example.com" } }
    const chosen = { ...coin, payment_method_details: { stablecoin: { asset: "USDC", network: "base" } } }
    assert.isNull(difference(coin, chosen))
    const other = { ...coin, payment_method_details: { stablecoin: { asset: "USDT", network: "base" } } }
    assert.strictEqual(difference(other, chosen), "/payment_method_details/stablecoin/asset")
  })
})
