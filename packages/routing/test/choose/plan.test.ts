import { assert, describe, it } from "@effect/vitest"
import { PriorityRouter, Router } from "@paymux/core/routing"
import { Effect } from "effect"
import * as fc from "fast-check"
import type { NewPayment, Tenant } from "@paymux/core"
import { compile } from "../../src/CompiledRouting.ts"
import { facts } from "../../src/Facts.ts"
import { defaultRouting } from "../../src/RoutingConfig.ts"
import {
  anyCard,
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
} from "../fixtures.ts"

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

  it("that leaves no candidate is NoRoute with each reason: it does not fall through to the default", async () => {
    const routing = await compiled(
      {
        version: 1,
        rules: [{ name: "euros", when: { currency: "EUR" }, choose: { priority: ["razorpay", "cashfree"] } }],
        default: { priority: ["stripe"] }
      },
      [
        provider("stripe", { card: anyCard }),
        provider("razorpay", { card: { ...anyCard, amounts: [{ currency: "EUR", max: "0.05" }] } }),
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

describe("rules that are only an order", () => {
  it.effect("decide as the engine without rules does, under the same name", () =>
    Effect.gen(function* () {
      const routing = yield* compile(defaultRouting(providers), providers)
      const { plan } = yield* Router
      for (const made of [eur, payment(card(), "INR"), payment(upi(), "INR"), payment(coin(), "USD")]) {
        const id = paymentId(1)
        const planned = plan({ id, tenant, payment: made, demotionOf: () => null })
        assert.deepStrictEqual(planned, route(routing, made, id))
      }
    }).pipe(Effect.provide(PriorityRouter.layer(providers)))
  )
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
