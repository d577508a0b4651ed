import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { NewPayment, Tenant } from "../../src/domain/Payment.ts"
import type { MethodCapability } from "../../src/provider/Capabilities.ts"
import { facts } from "../../src/routing/Facts.ts"
import { defaultRouting } from "../../src/routing/RoutingConfig.ts"
import {
  anyCard,
  anyCoin,
  card,
  coin,
  compiled,
  order,
  payment,
  paymentId,
  provider,
  providers,
  route,
  tenant,
  upi
} from "./fixtures.ts"

const eur = payment(card(), "EUR")

describe("the rule", () => {
  it("is the first that matches, else the default", async () => {
    const routing = await compiled({
      version: 1,
      rules: [
        { name: "one", when: { currency: "EUR" }, choose: { priority: ["stripe"] } },
        { name: "two", when: { currency: ["EUR", "USD"] }, choose: { priority: ["adyen"] } }
      ],
      default: { priority: ["razorpay"] }
    })
    const ruleOf = (currency: string) => {
      const answer = route(routing, payment(card(), currency))
      return answer._tag === "Plan" ? answer.decision.rule : null
    }
    assert.deepStrictEqual(["EUR", "USD", "INR"].map(ruleOf), ["one", "two", "default"])
  })

  it("matches where every condition holds, and never on a fact that is absent", async () => {
    const matches = async (when: unknown, made: NewPayment, by: Tenant = tenant) => {
      const rules = [{ name: "x", when, choose: { priority: ["stripe"] } }]
      const answer = route(await compiled({ version: 1, rules, default: { priority: ["adyen"] } }), made, undefined, by)
      return order(answer)?.[0] === "stripe"
    }
    const visa = payment(card({ network: "visa", bin: "41111111", country: "IN", funding: "credit" }), "EUR", 500, {
      metadata: { plan: "gold" }
    })
    const matching: ReadonlyArray<unknown> = [
      {},
      { payment_method: "card", flow: "hosted", currency: "EUR", amount: 500, capture_method: "automatic" },
      { "customer.email": "payer@example.com", "customer.phone_country": "+91", account: "default", livemode: false },
      {
        "card.network": ["mastercard", "visa"],
        "card.bin": "41111111",
        "card.country": "IN",
        "card.funding": "credit"
      },
      { "metadata.plan": ["silver", "gold"] }
    ]
    for (const when of matching) assert.isTrue(await matches(when, visa), JSON.stringify(when))
    const other: ReadonlyArray<unknown> = [
      { payment_method: "card", currency: "USD" },
      { currency: "EUR", amount: 501 },
      { "card.network": "visa_electron" },
      { "metadata.constructor": "gold" },
      { "metadata.missing": "gold" },
      { livemode: true }
    ]
    for (const when of other) assert.isFalse(await matches(when, visa), JSON.stringify(when))
  })

  it("does not depend on the order of the keys of `when`", async () => {
    const conditions: ReadonlyArray<readonly [string, unknown]> = [
      ["payment_method", "card"],
      ["currency", ["EUR", "USD"]],
      ["card.network", "visa"],
      ["metadata.plan", "gold"]
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.subarray([...conditions]),
        fc.shuffledSubarray([...conditions], { minLength: conditions.length }),
        fc.constantFrom("EUR", "USD", "JPY"),
        fc.constantFrom("visa", "amex", null),
        fc.constantFrom("gold", "silver"),
        async (chosen, shuffled, currency, network, plan) => {
          const routing = (when: ReadonlyArray<readonly [string, unknown]>) =>
            compiled({
              version: 1,
              rules: [{ name: "x", when: Object.fromEntries(when), choose: { priority: ["stripe"] } }],
              default: { priority: ["adyen"] }
            })
          const reordered = shuffled.filter((condition) => chosen.includes(condition))
          const made = payment(card({ network }), currency, 1, { metadata: { plan } })
          assert.deepStrictEqual(route(await routing(reordered), made), route(await routing(chosen), made))
        }
      )
    )
  })

  it("that leaves nobody is NoRoute with each reason: it does not fall through to the default", async () => {
    const routing = await compiled(
      {
        version: 1,
        rules: [{ name: "euros", when: { currency: "EUR" }, choose: { priority: ["razorpay", "cashfree"] } }],
        default: { priority: ["stripe"] }
      },
      [
        provider("stripe", { card: anyCard }),
        provider("razorpay", { card: { ...anyCard, amount: { max: 5 } } }),
        provider("cashfree", { card: { ...anyCard, flows: { token: {} } } })
      ]
    )
    assert.deepStrictEqual(route(routing, eur), {
      _tag: "NoRoute",
      rule: "euros",
      ruleset: routing.ruleset,
      candidates: [
        { provider: "razorpay", reason: "amount_too_large" },
        { provider: "cashfree", reason: "flow_not_supported" }
      ]
    })
  })
})

describe("priority", () => {
  it("keeps the order as written, and explains itself", async () => {
    const routing = await compiled({ version: 1, default: { priority: ["cashfree", "adyen", "stripe"] } })
    const candidates = [
      { provider: "adyen", reason: "priority" },
      { provider: "stripe", reason: "priority" }
    ]
    assert.deepStrictEqual(route(routing, eur), {
      _tag: "Plan",
      candidates,
      decision: {
        rule: "default",
        ruleset: routing.ruleset,
        reason: "priority",
        candidates,
        dropped: [{ provider: "cashfree", reason: "method_not_supported" }]
      }
    })
  })

  it("is the order in which the providers were given where there are no rules", async () => {
    const routing = await compiled(defaultRouting(providers))
    assert.deepStrictEqual(order(route(routing, payment(card(), "INR"))), ["stripe", "adyen", "razorpay"])
    assert.deepStrictEqual(order(route(routing, payment(upi(), "INR"))), ["razorpay", "cashfree"])
  })
})

describe("a provider is dropped", () => {
  const cardOf = (change: Partial<MethodCapability>) => provider("a", { card: { ...anyCard, ...change } })
  const requires = (
    ...facts: ReadonlyArray<"client.ip" | "client.user_agent" | "client.referer" | "customer.name" | "return_url">
  ) => cardOf({ flows: { hosted: { requires: facts } } })
  const reason = async (dropped: ReturnType<typeof provider>, made: NewPayment, by: Tenant = tenant) => {
    const answer = route(await compiled(defaultRouting([dropped]), [dropped]), made, paymentId(1), by)
    return answer._tag === "NoRoute" ? answer.candidates[0]?.reason : null
  }
  const client = { ip: null, userAgent: null, referer: null }

  it("that does not take the method, the flow or the currency", async () => {
    assert.strictEqual(await reason(cardOf({}), payment(upi(), "INR")), "method_not_supported")
    assert.strictEqual(await reason(cardOf({ flows: { token: {} } }), eur), "flow_not_supported")
    assert.strictEqual(await reason(cardOf({ currencies: ["USD"] }), eur), "currency_not_supported")
    assert.isNull(await reason(cardOf({}), eur))
  })

  it("whose limits the amount is outside of; both limits are inside", async () => {
    const limited = cardOf({ amount: { min: 10, max: 20 } })
    const reasons = await Promise.all([9, 10, 20, 21].map((amount) => reason(limited, payment(card(), "EUR", amount))))
    assert.deepStrictEqual(reasons, ["amount_too_small", null, null, "amount_too_large"])
  })

  it("that does not declare the capture method: automatic is what is assumed", async () => {
    const manual = { ...eur, captureMethod: "manual" } as const
    assert.strictEqual(await reason(cardOf({}), manual), "capture_method_not_supported")
    assert.isNull(await reason(cardOf({ captureMethods: ["automatic", "manual"] }), manual))
    assert.strictEqual(await reason(cardOf({ captureMethods: ["manual"] }), eur), "capture_method_not_supported")
  })

  it("that does not take the card's network, where the payment says it", async () => {
    const visaOnly = cardOf({ networks: ["visa"] })
    assert.strictEqual(await reason(visaOnly, payment(card({ network: "amex" }), "EUR")), "network_not_supported")
    assert.isNull(await reason(visaOnly, payment(card({ network: "visa" }), "EUR")))
    assert.isNull(await reason(visaOnly, eur))
  })

  it("that does not take the asset on the network, where the payment says them", async () => {
    const chain = provider("a", { stablecoin: anyCoin })
    const reasonOf = (asset: string | null, network: string | null) =>
      reason(chain, payment(coin({ asset, network }), "USD"))
    assert.isNull(await reasonOf("USDC", "base"))
    assert.isNull(await reasonOf(null, "ethereum"))
    assert.isNull(await reasonOf(null, null))
    assert.strictEqual(await reasonOf("DAI", "base"), "asset_not_supported")
    assert.strictEqual(await reasonOf("USDC", "ethereum"), "network_not_supported")
    assert.strictEqual(await reasonOf(null, "solana"), "network_not_supported")
    const { assets: _, ...none } = anyCoin
    assert.strictEqual(await reason(provider("a", { stablecoin: none }), payment(coin(), "USD")), "asset_not_supported")
  })

  it("whose flow needs a fact that the payment lacks", async () => {
    const lacking = { ...eur, client }
    for (const made of [eur, lacking]) {
      assert.strictEqual(await reason(requires("client.ip"), made), "client_required")
      assert.strictEqual(await reason(requires("client.user_agent"), made), "client_required")
      assert.strictEqual(await reason(requires("client.referer"), made), "client_required")
      assert.strictEqual(await reason(requires("customer.name"), made), "customer_name_required")
      assert.strictEqual(await reason(requires("return_url"), made), "return_url_required")
    }
    const whole: NewPayment = {
      ...eur,
      client: { ip: "192.0.2.1", userAgent: "test", referer: "https://shop.example" },
      customer: { ...eur.customer, name: "A Payer" },
      returnUrl: "https://shop.example/done"
    }
    const all = requires("client.ip", "client.user_agent", "client.referer", "customer.name", "return_url")
    assert.isNull(await reason(all, whole))
  })

  it("that has no usable token for the card; a hosted page needs none", async () => {
    const reasonOf = (change: Parameters<typeof card>[0]) => reason(cardOf({}), payment(card(change), "EUR"))
    assert.strictEqual(await reasonOf({ tokens: { b: "tok_b" } }), "no_usable_token")
    assert.isNull(await reasonOf({ tokens: { a: "tok_a" } }))
    assert.isNull(await reasonOf({ tokens: { b: "tok_b" }, token: "tok_any" }))
    assert.isNull(await reasonOf({}))
  })

  it("that is of the other mode: nothing crosses between test and live", async () => {
    const [test, live] = [cardOf({}), provider("a", { card: anyCard }, "live")]
    const liveTenant = { ...tenant, livemode: true }
    assert.strictEqual(await reason(test, eur, liveTenant), "mode_mismatch")
    assert.strictEqual(await reason(live, eur), "mode_mismatch")
    assert.isNull(await reason(test, eur))
    assert.isNull(await reason(live, eur, liveTenant))
  })
})

describe("facts", () => {
  it("of another rail, or not said, are absent", () => {
    const all = facts(payment(upi(), "INR"), tenant, paymentId(1), 0)
    assert.isNull(all["card.bin"])
    assert.isNull(all["stablecoin.asset"])
    assert.strictEqual(all.flow, "intent")
    assert.isNull(facts(eur, tenant, paymentId(1), 0)["card.network"])
  })

  it("know the calling code of one, two and three digits", () => {
    const codeOf = (phone: string) =>
      facts({ ...eur, customer: { ...eur.customer, phone } }, tenant, paymentId(1), 0)["customer.phone_country"]
    const phones = ["+14155550100", "+79161234567", "+919999999999", "+447700900000", "+971501234567", "+353861234567"]
    assert.deepStrictEqual(phones.map(codeOf), ["+1", "+7", "+91", "+44", "+971", "+353"])
    assert.isNull(codeOf("9999999999"))
  })
})
