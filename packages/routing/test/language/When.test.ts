/** What each condition asks, of facts that are there and of facts that are not. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as fc from "fast-check"
import type { NewPayment, Tenant } from "@paymux/core"
import { conditionOf, predicateOf } from "../../src/match/Condition.ts"
import { facts } from "../../src/Facts.ts"
import type { Facts } from "../../src/Facts.ts"
import { When } from "../../src/language/When.ts"
import { someFacts, someWhen } from "../arbitraryConditions.ts"
import { card, coin, payment, paymentId, tenant, upi } from "../fixtures.ts"

const decode = Schema.decodeUnknownSync(When)
const holds = (when: unknown, facts: Facts): boolean => predicateOf(conditionOf(decode(when), {}))(facts)

const of = (made: NewPayment, by: Tenant = tenant): Facts => facts(made, by, paymentId(1), 0)
const visa = payment(card({ network: "visa", bin: "41111111", country: "IN", funding: "credit" }), "EUR", 500, {
  metadata: { plan: "gold", empty: "" },
  captureMethod: "manual"
})
const bare = payment(card(), "EUR", 500)

/** By condition: what holds, and what does not. */
const check = (holding: ReadonlyArray<unknown>, failing: ReadonlyArray<unknown>, made: NewPayment) => {
  for (const when of holding) assert.isTrue(holds(when, of(made)), JSON.stringify(when))
  for (const when of failing) assert.isFalse(holds(when, of(made)), JSON.stringify(when))
}

describe("equality", () => {
  it("holds for the value as it is written, and no other", () =>
    check(
      [
        { payment_method: "card" },
        { flow: "hosted" },
        { currency: "EUR" },
        { amount: 500 },
        { capture_method: "manual" },
        { "customer.email": "payer@example.com" },
        { "customer.phone_country": "+91" },
        { "card.bin": "41111111" },
        { "card.network": "visa" },
        { "card.country": "IN" },
        { "card.funding": "credit" },
        { "metadata.plan": "gold" },
        { livemode: false },
        { account: "default" }
      ],
      [
        { payment_method: "upi" },
        { flow: "token" },
        { currency: "USD" },
        { amount: 501 },
        { capture_method: "automatic" },
        { "customer.email": "Payer@example.com" },
        { "customer.phone_country": "+1" },
        { "card.bin": "411111" },
        { "card.network": "visa_electron" },
        { "card.country": "US" },
        { "card.funding": "debit" },
        { "metadata.plan": "golden" },
        { "metadata.Plan": "gold" },
        { livemode: true },
        { account: "defaul" }
      ],
      visa
    ))

  it("of a list holds for any of it", () =>
    check(
      [{ currency: ["USD", "EUR"] }, { amount: [1, 500] }, { livemode: [true, false] }, { "metadata.plan": ["gold"] }],
      [
        { currency: ["USD", "INR"] },
        { amount: [499, 501] },
        { livemode: [true] },
        { "metadata.plan": ["silver", "g"] }
      ],
      visa
    ))

  it("asks stablecoins for their asset and network", () =>
    check(
      [{ "stablecoin.asset": "USDC", "stablecoin.network": "base", flow: "transfer" }],
      [{ "stablecoin.asset": "USDT" }, { "stablecoin.network": "ethereum" }, { "card.network": "base" }],
      payment(coin({ asset: "USDC", network: "base" }), "USD")
    ))

  it("distinguishes accounts and modes", () => {
    const live = of(visa, { account: "shop", livemode: true })
    assert.isTrue(holds({ account: "shop", livemode: true }, live))
    assert.isFalse(holds({ account: "default" }, live))
    assert.isFalse(holds({ livemode: false }, live))
  })
})

describe("amounts", () => {
  const operators: ReadonlyArray<readonly [operator: object, holding: ReadonlyArray<number>]> = [
    [{ gt: 100 }, [101, 999]],
    [{ gte: 100 }, [100, 101, 999]],
    [{ lt: 100 }, [1, 99]],
    [{ lte: 100 }, [1, 99, 100]],
    [{ between: [99, 101] }, [99, 100, 101]],
    [{ between: [100, 100] }, [100]],
    [{ gt: 99, lt: 101 }, [100]],
    [{ gte: 99, lte: 999, between: [101, 5000] }, [101, 999]],
    [{ exists: true }, [1, 99, 100, 101, 999]],
    [{ exists: false }, []]
  ]
  for (const [amount, holding] of operators) {
    it(`hold for ${JSON.stringify(amount)} at and beside its ends`, () =>
      assert.deepStrictEqual(
        [1, 99, 100, 101, 999].filter((minorUnits) => holds({ amount }, of(payment(card(), "EUR", minorUnits)))),
        [...holding]
      ))
  }

  it("are compared up to the largest that a number holds", () => {
    const largest = of(payment(card(), "EUR", Number.MAX_SAFE_INTEGER))
    assert.isTrue(holds({ amount: { gt: Number.MAX_SAFE_INTEGER - 1 } }, largest))
    assert.isFalse(holds({ amount: { gt: Number.MAX_SAFE_INTEGER } }, largest))
    assert.isTrue(holds({ amount: { gte: Number.MAX_SAFE_INTEGER } }, largest))
    assert.isFalse(holds({ amount: { lt: Number.MAX_SAFE_INTEGER } }, largest))
  })
})

describe("text", () => {
  it("starts_with, ends_with and in_prefixes ask its ends, letter by letter", () =>
    check(
      [
        { "card.bin": { starts_with: "4" } },
        { "card.bin": { starts_with: "41111111" } },
        { "card.bin": { in_prefixes: ["5", "4111"] } },
        { "customer.email": { ends_with: "@example.com" } },
        { "customer.email": { starts_with: "payer", ends_with: "com" } },
        { "metadata.plan": { starts_with: "gold", ends_with: "gold", in_prefixes: ["go"] } }
      ],
      [
        { "card.bin": { starts_with: "1" } },
        { "card.bin": { starts_with: "411111112" } },
        { "card.bin": { in_prefixes: ["5", "42"] } },
        { "customer.email": { ends_with: "@EXAMPLE.com" } },
        { "customer.email": { ends_with: "example" } },
        { "customer.email": { starts_with: "payer", ends_with: "org" } },
        { "metadata.plan": { starts_with: "gold", in_prefixes: ["si"] } }
      ],
      visa
    ))

  it("that is empty is there: it exists, and begins with nothing", () =>
    check([{ "metadata.empty": { exists: true } }], [{ "metadata.empty": { starts_with: "a" } }], visa))

  it("of two letters that look alike is two texts", () => {
    const made = (plan: string) => of(payment(card(), "EUR", 1, { metadata: { plan } }))
    assert.isTrue(holds({ "metadata.plan": "caf\u00e9" }, made("caf\u00e9")))
    assert.isFalse(holds({ "metadata.plan": "caf\u00e9" }, made("cafe\u0301")))
  })
})

describe("a fact that is absent", () => {
  const asked: ReadonlyArray<readonly [fact: string, operators: ReadonlyArray<unknown>]> = [
    ["card.bin", ["411111", ["411111"], { starts_with: "4" }, { ends_with: "1" }, { in_prefixes: ["4"] }]],
    ["card.network", ["visa", ["visa"], { starts_with: "v" }, { ends_with: "a" }, { in_prefixes: ["v"] }]],
    ["card.country", ["IN", ["IN", "US"]]],
    ["card.funding", ["credit", { starts_with: "c" }]],
    ["stablecoin.asset", ["USDC", { in_prefixes: ["USD"] }]],
    ["stablecoin.network", ["base", { ends_with: "e" }]],
    ["metadata.missing", ["x", ["x"], { starts_with: "x" }, { ends_with: "x" }, { in_prefixes: ["x"] }]],
    ["metadata.constructor", ["x", { starts_with: "f" }]],
    ["metadata.__proto__", ["x", { starts_with: "o" }]]
  ]
  for (const [fact, operators] of asked) {
    it(`makes every condition on ${fact} false but that it does not exist`, () => {
      const facts = of(bare)
      for (const operator of operators) {
        assert.isFalse(holds({ [fact]: operator }, facts), JSON.stringify(operator))
        assert.isTrue(holds({ not: { [fact]: operator } }, facts), JSON.stringify(operator))
      }
      assert.isFalse(holds({ [fact]: { exists: true } }, facts))
      assert.isTrue(holds({ [fact]: { exists: false } }, facts))
      assert.isFalse(holds({ not: { [fact]: { exists: false } } }, facts))
    })
  }

  it("is a calling code that the number does not begin with", () => {
    const local = of({ ...bare, customer: { ...bare.customer, phone: "9999999999" } })
    assert.isTrue(holds({ "customer.phone_country": { exists: false } }, local))
    assert.isFalse(holds({ "customer.phone_country": "+91" }, local))
  })

  it("is every fact of another method", () => {
    const upiFacts = of(payment(upi(), "INR"))
    for (const fact of ["card.bin", "card.network", "card.country", "card.funding", "stablecoin.asset"]) {
      assert.isTrue(holds({ [fact]: { exists: false } }, upiFacts), fact)
    }
  })

  it("does not exist together with no other operator", () =>
    assert.isFalse(holds({ "metadata.missing": { exists: false, starts_with: "x" } }, of(bare))))
})

describe("conditions together", () => {
  it("must all hold, whether they stand side by side or in all", () =>
    check(
      [{}, { currency: "EUR", amount: 500 }, { all: [{ currency: "EUR" }, { amount: 500 }] }, { all: [{}] }],
      [{ currency: "EUR", amount: 501 }, { all: [{ currency: "EUR" }, { amount: 501 }] }],
      visa
    ))

  it("of which one must hold stand in any", () =>
    check(
      [{ any: [{ currency: "USD" }, { amount: 500 }] }, { any: [{}] }, { any: [{ currency: "EUR" }, { amount: 500 }] }],
      [{ any: [{ currency: "USD" }, { amount: 501 }] }, { amount: 501, any: [{ currency: "EUR" }] }],
      visa
    ))

  it("that must not all hold stand in not", () =>
    check(
      [{ not: { currency: "USD" } }, { not: { currency: "EUR", amount: 501 } }, { not: { not: { currency: "EUR" } } }],
      [{ not: {} }, { not: { currency: "EUR" } }, { not: { currency: "EUR", amount: 500 } }],
      visa
    ))
})

describe("by law", () => {
  const check = (name: string, same: (a: When, b: When) => readonly [When, When]) =>
    it(`says that ${name}`, () => {
      const property = fc.property(someWhen(1), someWhen(1), someFacts, (a, b, facts) => {
        const [one, other] = same(a, b)
        assert.strictEqual(holds(one, facts), holds(other, facts))
      })
      fc.assert(property, { numRuns: 1000, seed: 1 })
    })

  check("not of not is nothing", (a) => [{ not: { not: a } }, a])
  check("not of any is all of not", (a, b) => [{ not: { any: [a, b] } }, { all: [{ not: a }, { not: b }] }])
  check("not of all is any of not", (a, b) => [{ not: { all: [a, b] } }, { any: [{ not: a }, { not: b }] }])
  check("all and any mind no order", (a, b) => [
    { all: [a, b], any: [a, b] },
    { all: [b, a], any: [b, a] }
  ])
  check("keys mind no order", (a) => [a, Object.fromEntries(Object.entries(a).toReversed())])
})
