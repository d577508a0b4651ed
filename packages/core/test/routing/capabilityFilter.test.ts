import { assert, describe, it } from "@effect/vitest"
import type { Client, NewPayment } from "../../src/domain/Payment.ts"
import { requiredFacts } from "../../src/provider/Capabilities.ts"
import type { MethodCapability, RequiredFact } from "../../src/provider/Capabilities.ts"
import { capabilityFacts, capabilityFilter } from "../../src/routing/capabilityFilter.ts"
import type { RoutableProvider } from "../../src/routing/capabilityFilter.ts"
import type { DropReason } from "../../src/routing/Plan.ts"
import { flow } from "../../src/domain/PaymentMethod.ts"
import { servedMethod } from "../../src/routing/servedFlow.ts"
import { anyCard, anyCoin, card, coin, payment, provider, tenant, upi } from "./samples.ts"

const eur = payment(card(), "EUR")

const device: Client = {
  ip: "192.0.2.1",
  userAgent: "test",
  referer: "https://shop.example",
  acceptHeader: "text/html",
  language: "en",
  timeZone: "UTC",
  screen: { width: 1, height: 1, colorDepth: 24 }
}

const reasonWithout: { readonly [fact in RequiredFact]: DropReason } = {
  "client.ip": "client_required",
  "client.user_agent": "client_required",
  "client.referer": "client_required",
  "client.accept_header": "client_required",
  "client.language": "client_required",
  "client.time_zone": "client_required",
  "client.screen": "client_required",
  "customer.email": "customer_email_required",
  "customer.phone": "customer_phone_required",
  "customer.name": "customer_name_required",
  "customer.address": "customer_address_required",
  description: "description_required",
  return_url: "return_url_required"
}

describe("a provider is dropped", () => {
  const cardOf = (change: Partial<MethodCapability>) => provider("a", { card: { ...anyCard, ...change } })
  const requires = (...facts: ReadonlyArray<RequiredFact>) => cardOf({ flows: { hosted: { requires: facts } } })
  const reason = (of: RoutableProvider, made: NewPayment, livemode = false) =>
    capabilityFilter(of)(made, capabilityFacts(made, { ...tenant, livemode }))
  const client: Client = {
    ip: null,
    userAgent: null,
    referer: null,
    acceptHeader: null,
    language: null,
    timeZone: null,
    screen: null
  }

  it("that does not take the method, the flow or the currency", () => {
    assert.strictEqual(reason(cardOf({}), payment(upi(), "INR")), "method_not_supported")
    assert.strictEqual(reason(cardOf({ flows: { token: {} } }), eur), "flow_not_supported")
    assert.strictEqual(reason(cardOf({ currencies: ["USD"] }), eur), "currency_not_supported")
    assert.isNull(reason(cardOf({}), eur))
  })

  it("whose limits of the currency the amount is outside of; both limits are inside", () => {
    const limited = cardOf({
      amounts: [
        { currency: "EUR", min: "0.1", max: "0.20" },
        { currency: "JPY", max: "20" },
        { currency: "KWD", min: "0.010" }
      ]
    })
    const reasons = (currency: string, ...amounts: ReadonlyArray<number>) =>
      amounts.map((amount) => reason(limited, payment(card(), currency, amount)))
    assert.deepStrictEqual(reasons("EUR", 9, 10, 20, 21), ["amount_too_small", null, null, "amount_too_large"])
    assert.deepStrictEqual(reasons("JPY", 1, 20, 21), [null, null, "amount_too_large"])
    assert.deepStrictEqual(reasons("KWD", 9, 10, Number.MAX_SAFE_INTEGER), ["amount_too_small", null, null])
    assert.deepStrictEqual(reasons("USD", 1, Number.MAX_SAFE_INTEGER), [null, null])
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
    const from = (phone: string | null) => reason(indian, { ...eur, customer: { ...eur.customer, phone } })
    assert.isNull(from("+919812345678"))
    assert.isNull(from("+9779812345678"))
    assert.strictEqual(from("+6591234567"), "customer_phone_not_supported")
    assert.strictEqual(from("+9812345678"), "customer_phone_not_supported")
    assert.strictEqual(from(null), "customer_phone_required")
    assert.isNull(reason(cardOf({}), { ...eur, customer: { ...eur.customer, phone: null } }))
  })

  it("whose flow needs a fact that the payment lacks", () => {
    const customer = { email: null, phone: null, name: null, address: null }
    for (const made of [
      { ...eur, customer },
      { ...eur, customer, client }
    ]) {
      for (const fact of requiredFacts) assert.strictEqual(reason(requires(fact), made), reasonWithout[fact], fact)
    }
    const address = { line1: "1 Main Road", line2: null, city: null, state: null, postalCode: null, country: "IN" }
    const whole: NewPayment = {
      ...eur,
      description: "Order 1",
      client: device,
      customer: { ...eur.customer, name: "A Payer", address },
      returnUrl: "https://shop.example/done"
    }
    assert.isNull(reason(requires(...requiredFacts), whole))
  })

  describe("for an intent that requires the payer's device", () => {
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
