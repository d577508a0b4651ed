import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { NewPayment, Tenant } from "../../src/domain/Payment.ts"
import type { MethodCapability } from "../../src/provider/Capabilities.ts"
import { facts } from "../../src/routing/Facts.ts"
import { defaultRouting } from "../../src/routing/RoutingConfig.ts"
import {
  anyCard,
  anyCoin,
  anyUpi,
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
const three = ["a", "b", "c"].map((id) => provider(id, { card: anyCard }))

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
      { "card.network": "Visa" },
      { "stablecoin.asset": "USDC" },
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
        provider("cashfree", { upi: { ...anyUpi, currencies: "any" } })
      ]
    )
    assert.deepStrictEqual(route(routing, eur), {
      _tag: "NoRoute",
      rule: "euros",
      ruleset: routing.ruleset,
      candidates: [
        { provider: "razorpay", reason: "amount_too_large" },
        { provider: "cashfree", reason: "method_not_supported" }
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

describe("split", () => {
  const shares = async (config: unknown, payments: number, among = three) => {
    const routing = await compiled(config, among)
    const counts = new Map<string, number>()
    for (let n = 0; n < payments; n++) {
      const first = order(route(routing, eur, paymentId(n)))?.[0] ?? "nobody"
      counts.set(first, (counts.get(first) ?? 0) + 1)
    }
    return (id: string) => ((counts.get(id) ?? 0) / payments) * 100
  }
  const splitting = (split: unknown, more: object = {}) => ({ version: 1, default: { split, ...more } })

  // A fixed seed: 100,000 draws stray by more than half a point once in a thousand, which would be nobody's fault.
  it("gives each its share over 100,000 payments, within half a point", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 100 }), async (one, two) => {
        const [low, high] = [Math.min(one, two), Math.max(one, two)]
        const split = { a: low, b: high - low, c: 100 - high }
        const share = await shares(splitting(split), 100_000)
        for (const [id, weight] of Object.entries(split)) assert.approximately(share(id), weight, 0.5)
      }),
      { numRuns: 8, seed: 2026 }
    )
  })

  it("gives them too where payments have sequential or nearly equal sticky keys", async () => {
    const routing = await compiled(splitting({ a: 70, b: 30 }, { sticky_by: "customer.email" }), three)
    let first = 0
    for (let n = 0; n < 100_000; n++) {
      const made = { ...eur, customer: { ...eur.customer, email: `payer${n}@example.com` } }
      if (order(route(routing, made, paymentId(1)))?.[0] === "a") first++
    }
    assert.approximately(first / 1000, 70, 0.5)
  })

  it("shares what one cannot take among the others by their weights", async () => {
    const among = [provider("a", { upi: anyUpi }), ...three.slice(1)]
    const share = await shares(splitting({ a: 60, b: 30, c: 10 }), 100_000, among)
    assert.approximately(share("b"), 75, 0.5)
    assert.approximately(share("c"), 25, 0.5)
  })

  it("always sends the same payment the same way, and lets the others follow by weight", async () => {
    const split = { a: 20, b: 30, c: 50 }
    const reversed = { c: 50, b: 30, a: 20 }
    const [routing, again] = [await compiled(splitting(split), three), await compiled(splitting(reversed), three)]
    fc.assert(
      fc.property(fc.string(), (id) => {
        const names = order(route(routing, eur, paymentId(id))) ?? []
        assert.deepStrictEqual(order(route(again, eur, paymentId(id))), names)
        assert.deepStrictEqual(
          names.slice(1),
          ["c", "b", "a"].filter((name) => name !== names[0])
        )
      })
    )
  })

  it("says each one's weight of all that can take the payment", async () => {
    const routing = await compiled(splitting({ a: 70, b: 30 }), three)
    const answer = route(routing, eur)
    const reasons = { a: "split 70/100", b: "split 30/100" }
    assert.isTrue(answer._tag === "Plan" && answer.decision.reason === "split")
    assert.deepStrictEqual(
      answer._tag === "Plan" && Object.fromEntries(answer.candidates.map((c) => [c.provider, c.reason])),
      reasons
    )
  })

  it("never draws a weight of zero, but keeps it for failover", async () => {
    const routing = await compiled(splitting({ a: 0, b: 100 }), three)
    for (let n = 0; n < 1000; n++) assert.deepStrictEqual(order(route(routing, eur, paymentId(n))), ["b", "a"])
  })

  it("moves nobody when another rule, the failover policy or a provider elsewhere is edited", async () => {
    const x = { name: "x", when: { currency: "EUR" }, choose: { split: { a: 50, b: 50 } } }
    const other = (name: string, weight: number) => ({
      name,
      when: { currency: "USD" },
      choose: { split: { a: weight, b: 100 - weight } }
    })
    const before = await compiled({ version: 1, rules: [x], default: { priority: ["a"] } }, three)
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.constantFrom("p", "q", "r"), { maxLength: 3 }),
        fc.integer({ min: 0, max: 100 }),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        fc.string(),
        async (names, weight, attempts, first, id) => {
          const others = names.map((name) => other(name, weight))
          const after = await compiled(
            {
              version: 1,
              rules: first ? [x, ...others] : [...others, x],
              default: { split: { c: 100 } },
              failover: { max_attempts: attempts }
            },
            [provider("new", { card: anyCard }), ...three]
          )
          assert.deepStrictEqual(order(route(after, eur, paymentId(id))), order(route(before, eur, paymentId(id))))
        }
      )
    )
  })

  it("moves only the payments of the one that is taken out", async () => {
    const [before, after] = [
      await compiled(splitting({ a: 40, b: 40, c: 20 }), three),
      await compiled(splitting({ a: 40, b: 40, c: 20 }), [provider("a", { upi: anyUpi }), ...three.slice(1)])
    ]
    for (let n = 0; n < 5000; n++) {
      const [was] = order(route(before, eur, paymentId(n))) ?? []
      const [is] = order(route(after, eur, paymentId(n))) ?? []
      if (was !== "a") assert.strictEqual(is, was)
    }
  })

  it("splits the same payments otherwise under another name or seed", async () => {
    const rule = (name: string, seed?: string) => ({
      version: 1,
      rules: [{ name, when: {}, choose: { split: { a: 50, b: 50 }, ...(seed !== undefined && { seed }) } }],
      default: { priority: ["a"] }
    })
    const winners = async (config: unknown) => {
      const routing = await compiled(config, three)
      return Array.from({ length: 1000 }, (_, n) => order(route(routing, eur, paymentId(n)))?.[0])
    }
    const base = await winners(rule("x"))
    for (const config of [rule("y"), rule("x", "1"), rule("x", "2")]) {
      const moved = (await winners(config)).filter((id, n) => id !== base[n]).length
      assert.approximately(moved, 500, 100)
    }
  })

  it("sticks to its fact over payments, and to the payment's id where the fact is absent", async () => {
    const config = splitting({ a: 50, b: 50 }, { sticky_by: "metadata.user" })
    const inherited = await compiled(splitting({ a: 50, b: 50 }, { sticky_by: "metadata.constructor" }), three)
    const [sticky, plain] = [await compiled(config, three), await compiled(splitting({ a: 50, b: 50 }), three)]
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (user, one, two) => {
        const made = { ...eur, metadata: { user } }
        assert.deepStrictEqual(order(route(sticky, made, paymentId(one))), order(route(sticky, made, paymentId(two))))
        assert.deepStrictEqual(order(route(sticky, eur, paymentId(one))), order(route(plain, eur, paymentId(one))))
        assert.deepStrictEqual(order(route(inherited, eur, paymentId(one))), order(route(plain, eur, paymentId(one))))
      })
    )
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
    const all = facts(payment(upi(), "INR"), tenant, paymentId(1))
    assert.isNull(all["card.bin"])
    assert.isNull(all["stablecoin.asset"])
    assert.strictEqual(all.flow, "intent")
    assert.isNull(facts(eur, tenant, paymentId(1))["card.network"])
  })

  it("know the calling code of one, two and three digits", () => {
    const codeOf = (phone: string) =>
      facts({ ...eur, customer: { ...eur.customer, phone } }, tenant, paymentId(1))["customer.phone_country"]
    const phones = ["+14155550100", "+79161234567", "+919999999999", "+447700900000", "+971501234567", "+353861234567"]
    assert.deepStrictEqual(phones.map(codeOf), ["+1", "+7", "+91", "+44", "+971", "+353"])
    assert.isNull(codeOf("9999999999"))
  })
})
