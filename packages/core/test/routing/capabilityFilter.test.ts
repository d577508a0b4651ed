import { assert, describe, it } from "@effect/vitest"
import type { NewPayment } from "../../src/domain/Payment.ts"
import type { MethodCapability } from "../../src/provider/Capabilities.ts"
import { capabilityFacts, capabilityFilter } from "../../src/routing/capabilityFilter.ts"
import type { RoutableProvider } from "../../src/routing/capabilityFilter.ts"
import { flow } from "../../src/domain/PaymentMethod.ts"
import { servedMethod } from "../../src/routing/servedFlow.ts"
import { anyCard, anyCoin, card, coin, payment, provider, tenant, upi } from "./samples.ts"

const eur = payment(card(), "EUR")

describe("a provider is dropped", () => {
  const cardOf = (change: Partial<MethodCapability>) => provider("a", { card: { ...anyCard, ...change } })
  const requires = (
    ...facts: ReadonlyArray<"client.ip" | "client.user_agent" | "client.referer" | "customer.name" | "return_url">
  ) => cardOf({ flows: { hosted: { requires: facts } } })
  const reason = (of: RoutableProvider, made: NewPayment, livemode = false) =>
    capabilityFilter(of)(made, capabilityFacts(made, { ...tenant, livemode }))
  const client = { ip: null, userAgent: null, referer: null }

  it("that does not take the method, the flow or the currency", () => {
    assert.strictEqual(reason(cardOf({}), payment(upi(), "INR")), "method_not_supported")
    assert.strictEqual(reason(cardOf({ flows: { token: {} } }), eur), "flow_not_supported")
    assert.strictEqual(reason(cardOf({ currencies: ["USD"] }), eur), "currency_not_supported")
    assert.isNull(reason(cardOf({}), eur))
  })

  it("whose limits the amount is outside of; both limits are inside", () => {
    const limited = cardOf({ amount: { min: 10, max: 20 } })
    const reasons = [9, 10, 20, 21].map((amount) => reason(limited, payment(card(), "EUR", amount)))
    assert.deepStrictEqual(reasons, ["amount_too_small", null, null, "amount_too_large"])
  })

  it("that does not declare the capture method: automatic is what is assumed", () => {
    const manual = { ...eur, captureMethod: "manual" } as const
    assert.strictEqual(reason(cardOf({}), manual), "capture_method_not_supported")
    assert.isNull(reason(cardOf({ captureMethods: ["automatic", "manual"] }), manual))
    assert.strictEqual(reason(cardOf({ captureMethods: ["manual"] }), eur), "capture_method_not_supported")
  })

  it("that does not take the card's network, where the payment says it", () => {
    const visaOnly = cardOf({ networks: ["visa"] })
    assert.strictEqual(reason(visaOnly, payment(card({ network: "amex" }), "EUR")), "network_not_supported")
    assert.isNull(reason(visaOnly, payment(card({ network: "visa" }), "EUR")))
    assert.isNull(reason(visaOnly, eur))
  })

  it("that does not take the asset on the network, where the payment says them", () => {
    const chain = provider("a", { stablecoin: anyCoin })
    const reasonOf = (asset: string | null, network: string | null) =>
      reason(chain, payment(coin({ asset, network }), "USD"))
    assert.isNull(reasonOf("USDC", "base"))
    assert.isNull(reasonOf(null, "ethereum"))
    assert.isNull(reasonOf(null, null))
    assert.strictEqual(reasonOf("DAI", "base"), "asset_not_supported")
    assert.strictEqual(reasonOf("USDC", "ethereum"), "network_not_supported")
    assert.strictEqual(reasonOf(null, "solana"), "network_not_supported")
    const { assets: _, ...none } = anyCoin
    assert.strictEqual(reason(provider("a", { stablecoin: none }), payment(coin(), "USD")), "asset_not_supported")
  })

  it("that takes phone numbers of another country only", () => {
    const indian = cardOf({ phoneCodes: ["+91", "+977"] })
    const from = (phone: string) => reason(indian, { ...eur, customer: { ...eur.customer, phone } })
    assert.isNull(from("+919812345678"))
    assert.isNull(from("+9779812345678"))
    assert.strictEqual(from("+6591234567"), "customer_phone_not_supported")
    assert.strictEqual(from("+9812345678"), "customer_phone_not_supported")
  })

  it("whose flow needs a fact that the payment lacks", () => {
    const lacking = { ...eur, client }
    for (const made of [eur, lacking]) {
      assert.strictEqual(reason(requires("client.ip"), made), "client_required")
      assert.strictEqual(reason(requires("client.user_agent"), made), "client_required")
      assert.strictEqual(reason(requires("client.referer"), made), "client_required")
      assert.strictEqual(reason(requires("customer.name"), made), "customer_name_required")
      assert.strictEqual(reason(requires("return_url"), made), "return_url_required")
    }
    const whole: NewPayment = {
      ...eur,
      client: { ip: "192.0.2.1", userAgent: "test", referer: "https://shop.example" },
      customer: { ...eur.customer, name: "A Payer" },
      returnUrl: "https://shop.example/done"
    }
    const all = requires("client.ip", "client.user_agent", "client.referer", "customer.name", "return_url")
    assert.isNull(reason(all, whole))
  })

  describe("for an intent that requires the payer's device", () => {
    const device = { ip: "192.0.2.1", userAgent: "test", referer: "https://shop.example" }
    const intent = { requires: ["client.ip"] } as const
    const flows = (hosted: MethodCapability["flows"]["hosted"]) => ({
      intent,
      qr: intent,
      ...(hosted !== undefined && { hosted })
    })
    const upiOf = (hosted: MethodCapability["flows"]["hosted"]) =>
      provider("a", { upi: { currencies: ["INR"], flows: flows(hosted), captureMethods: ["automatic", "manual"] } })
    const minimal = payment(upi(), "INR")
    const served = (made: NewPayment, of: RoutableProvider) => servedMethod(made, of.capabilities.methods)

    it("unless it has a hosted page, which the adapter gets as the flow", () => {
      assert.strictEqual(reason(upiOf(undefined), minimal), "client_required")
      assert.isNull(reason(upiOf({}), minimal))
      assert.deepStrictEqual(served(minimal, upiOf({})), { rail: "upi", flow: "hosted", vpa: null })
      assert.deepStrictEqual(served({ ...minimal, client: device }, upiOf({})), minimal.method)
      const onlyHosted = provider("a", { upi: { currencies: ["INR"], flows: { hosted: {} } } })
      assert.isNull(reason(onlyHosted, { ...minimal, client: device }))
      assert.strictEqual(flow(served({ ...minimal, client: device }, onlyHosted)), "hosted")
    })

    it("also with a hosted page, if that cannot serve the payment", () => {
      assert.strictEqual(reason(upiOf({ requires: ["customer.name"] }), minimal), "customer_name_required")
      const manual = { ...minimal, captureMethod: "manual" } as const
      assert.strictEqual(reason(upiOf({ captureMethods: ["automatic"] }), manual), "client_required")
      assert.isNull(reason(upiOf({ captureMethods: ["automatic"] }), { ...manual, client: device }))
      assert.strictEqual(reason(upiOf({}), payment(upi({ flow: "qr" }), "INR")), "client_required")
    })
  })

  it("that has no usable token for the card; a hosted page needs none", () => {
    const reasonOf = (change: Parameters<typeof card>[0]) => reason(cardOf({}), payment(card(change), "EUR"))
    assert.strictEqual(reasonOf({ tokens: { b: "tok_b" } }), "no_usable_token")
    assert.isNull(reasonOf({ tokens: { a: "tok_a" } }))
    assert.isNull(reasonOf({ tokens: { b: "tok_b" }, token: "tok_any" }))
    assert.isNull(reasonOf({}))
  })

  it("that is of the other mode: nothing crosses between test and live", () => {
    const [test, live] = [cardOf({}), provider("a", { card: anyCard }, "live")]
    assert.strictEqual(reason(test, eur, true), "mode_mismatch")
    assert.strictEqual(reason(live, eur), "mode_mismatch")
    assert.isNull(reason(test, eur))
    assert.isNull(reason(live, eur, true))
  })
})
