/** What is said of rules and metadata keys that the payments of a period do not meet, and of which nothing may be said. */
// cspell:ignore chanel shpo
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Payment, Tenant } from "@paymux/core"
import { facts } from "../../src/Facts.ts"
import type { Facts } from "../../src/Facts.ts"
import { conditionOf, predicateOf } from "../../src/match/Condition.ts"
import * as RulesUsage from "../../src/usage/RulesUsage.ts"
import { scopeOf } from "../../src/usage/scope.ts"
import { usageWarnings } from "../../src/usage/usageWarnings.ts"
import { someFacts, someWhen } from "../arbitraryConditions.ts"
import { card, compiled, payment, paymentId, tenant } from "../fixtures.ts"
import { byStripe, rules, top } from "../written.ts"

/** A Wednesday, noon. */
const NOON = Date.parse("2026-11-25T12:00:00Z")
const SINCE = "2026-10-26"

interface Made {
  readonly currency?: string
  readonly metadata?: Payment["metadata"]
  readonly at?: number
  readonly tenant?: Tenant
}

const made = ({ at = NOON, currency = "EUR", metadata = {}, tenant: by = tenant }: Made): Facts =>
  facts(payment(card(), currency, 10_000, { metadata }), by, paymentId(1), at)

/** The warnings that these payments give, each as its place and its message. */
const warnings = async (config: unknown, ...given: ReadonlyArray<Made>) => {
  const usage = RulesUsage.make(config, await compiled(config))
  for (const each of given) usage.add(made(each))
  return usageWarnings(config, usage.report(), SINCE).map(({ message, path }) => [path.join("."), message] as const)
}

const messages = async (config: unknown, ...given: ReadonlyArray<Made>) =>
  (await warnings(config, ...given)).map(([, message]) => message)

const times = (count: number, one: Made): ReadonlyArray<Made> => Array.from({ length: count }, () => one)

describe("a rule that matched no payment", () => {
  it("gets a warning at its conditions, with the number of payments", async () => {
    const config = rules({ currency: "USD" }, { currency: "EUR" }, { currency: "JPY" })
    assert.deepStrictEqual(await warnings(config, ...times(1_234, {})), [
      ["rules.0.when", 'rule "a": it matched none of the 1,234 payments since 2026-10-26'],
      ["rules.2.when", 'rule "c": it matched none of the 1,234 payments since 2026-10-26']
    ])
    assert.deepStrictEqual(await messages(rules({ currency: "USD" }), {}), [
      'rule "a": it matched none of 1 payment since 2026-10-26'
    ])
  })

  it("gets none if there were no payments", async () => {
    const config = top({
      rules: [{ name: "a", when: { "metadata.shop": "nl" }, choose: byStripe }],
      default: { split: { stripe: 100 }, sticky_by: "metadata.shop" }
    })
    assert.deepStrictEqual(await messages(config), [])
    assert.lengthOf(await messages(config, {}), 3)
  })

  it("gets no warning of a key whose absence it asks for", async () => {
    assert.deepStrictEqual(await messages(rules({ "metadata.vip": { exists: false } }), {}), [])
    assert.lengthOf(await messages(rules({ not: { "metadata.vip": "yes" } }), {}), 1)
  })

  it("gets another warning if earlier rules matched all of its payments", async () => {
    const config = rules({ "card.network": { exists: false }, currency: "EUR" }, { currency: ["EUR", "USD"] })
    assert.deepStrictEqual(await warnings(config, ...times(2, {})), [
      [
        "rules.1.when",
        'rule "b": it took none of the 2 payments since 2026-10-26: earlier rules matched all of its payments, "a" 2'
      ]
    ])
    assert.deepStrictEqual(await messages(config, {}, { currency: "USD" }), [])
  })

  it("names at most three of the rules that took its payments", async () => {
    const own = ["AUD", "CAD", "EUR", "USD"].map((currency) => ({ currency }))
    const all = { currency: ["AUD", "CAD", "EUR", "USD", "JPY"] }
    const given = [...own, { currency: "CAD" }]
    assert.deepStrictEqual(await messages(rules(...own, all), ...given), [
      'rule "e": it took none of the 5 payments since 2026-10-26: earlier rules matched all of its payments, ' +
        '"b" 2, "a" 1, "c" 1 and others'
    ])
  })
})

describe("a rule that could not match these payments", () => {
  const DAY = 86_400_000
  const silent: ReadonlyArray<readonly [what: string, when: object]> = [
    ["a date in the future", { currency: "USD", time: { dates: ["2026-12-24"] } }],
    ["a date in the past", { currency: "USD", time: { dates: [{ from: "2025-11-20", to: "2025-11-30" }] } }],
    ["a weekday without payments", { currency: "USD", time: { weekdays: ["sat"] } }],
    ["a time of day without payments", { currency: "USD", time: { between: ["02:00", "03:00"] } }],
    ["everything but the day of the payments", { currency: "USD", not: { time: { dates: ["2026-11-25"] } } }],
    ["the other mode", { currency: "USD", livemode: true }],
    ["another account", { currency: "USD", not: { account: "default" } }],
    ["alternatives without any of these", { any: [{ livemode: true }, { account: "eu" }] }]
  ]
  for (const [what, when] of silent) {
    it(`gets no warning: ${what}`, async () => {
      assert.deepStrictEqual(await messages(rules({ ...when, "metadata.shop": "nl" }), {}), [])
    })
  }

  it("is judged by the payments at its times, and gets a warning with their number", async () => {
    const config = rules({ currency: "USD", time: { between: ["12:00", "13:00"], weekdays: ["wed"] } })
    const given = [NOON - DAY, NOON - 60_000, NOON, NOON + 59 * 60_000, NOON + 60 * 60_000].map((at) => ({ at }))
    assert.deepStrictEqual(await messages(config, ...given), [
      'rule "a": it matched none of the 2 payments at its times since 2026-10-26'
    ])
  })

  it("is judged by all payments if one of its alternatives can match at any time", async () => {
    const config = rules({ any: [{ livemode: true }, { currency: "USD" }] })
    assert.deepStrictEqual(await messages(config, {}, {}), [
      'rule "a": it matched none of the 2 payments since 2026-10-26'
    ])
  })

  it("never matches a payment out of its scope, over random conditions and payments", () => {
    let outside = 0
    fc.assert(
      fc.property(someWhen(), someFacts, (when, one) => {
        const condition = conditionOf(when, {})
        const mayMatch = scopeOf(condition)
        if (mayMatch === null || mayMatch(one)) return
        outside++
        assert.isFalse(predicateOf(condition)(one))
      }),
      { numRuns: 2_000 }
    )
    assert.isAbove(outside, 50)
  })
})

describe("a metadata key that no payment has", () => {
  const when = { any: [{ "metadata.chanel": { starts_with: "app" } }, { not: { "metadata.shop": "nl" } }] }

  it("gets a warning at its place, with the nearest key that payments have", async () => {
    const given = [{ metadata: { channel: "app", order: "7" } }, { metadata: { shop: "nl" } }]
    assert.deepStrictEqual(await warnings(rules(when), ...given), [
      [
        "rules.0.when.any.0.metadata.chanel",
        'rule "a": `when.any[0].metadata.chanel` names a metadata key that none of the 2 payments since 2026-10-26 has; did you mean "channel"?'
      ]
    ])
  })

  it("is compared with keys that other rules name, too", async () => {
    const config = rules({ "metadata.shop": "nl" }, { not: { "metadata.shpo": "nl" } })
    assert.match((await messages(config, { metadata: { shop: "nl" } })).join(), /shpo.*; did you mean "shop"\?$/)
    assert.notMatch((await messages(config, {})).join(), /did you mean/)
  })

  it("gets none once one payment has it", async () => {
    const given = [{ metadata: { chanel: "web" } }, { metadata: { shop: "de" } }]
    assert.deepStrictEqual(await messages(rules(when), ...given), [])
  })

  it("is a key of its own: names that every object has are not taken for keys", async () => {
    const config = rules({ not: { "metadata.constructor": "x" } })
    assert.lengthOf(await messages(config, {}), 1)
    assert.deepStrictEqual(await messages(config, { metadata: { constructor: "y" } }), [])
  })

  it("is found in `sticky_by`, also of the default", async () => {
    const split = { split: { stripe: 100 }, sticky_by: "metadata.cart" }
    const config = top({ rules: [{ name: "a", when: { currency: "EUR" }, choose: split }], default: split })
    const sentence = "names a metadata key that none of 1 payment since 2026-10-26 has"
    assert.deepStrictEqual(await warnings(config, {}), [
      ["rules.0.choose.sticky_by", `rule "a": \`choose.sticky_by\` ${sentence}`],
      ["default.sticky_by", `default: \`sticky_by\` ${sentence}`]
    ])
    assert.deepStrictEqual(await messages(config, { metadata: { cart: "1" } }), [])
  })

  it("is found in `segments`, also of the default", async () => {
    const best = { best: "success_rate", among: ["stripe", "adyen"], segments: ["amount", "metadata.cart"] }
    const config = top({ rules: [{ name: "a", when: { currency: "EUR" }, choose: best }], default: best })
    const sentence = "names a metadata key that none of 1 payment since 2026-10-26 has"
    assert.deepStrictEqual(await warnings(config, {}), [
      ["rules.0.choose.segments.1", `rule "a": \`choose.segments[1]\` ${sentence}`],
      ["default.segments.1", `default: \`segments[1]\` ${sentence}`]
    ])
    assert.deepStrictEqual(await messages(config, { metadata: { cart: "1" } }), [])
  })

  it("is not shown if it does not look like a name, and no such key is suggested", async () => {
    const config = rules({ not: { "metadata.whsec_f00f00f00f00a": "x" } })
    const found = await messages(config, { metadata: { whsec_f00f00f00f00b: "1" } })
    assert.lengthOf(found, 1)
    assert.notInclude(found.join(), "f00f00")
  })

  it("costs no memory for each key of a merchant who uses new ones in every payment", async () => {
    const config = rules({ "metadata.shop": "nl" })
    const usage = RulesUsage.make(config, await compiled(config))
    const letters = "abcdefghijklmnopqrstuvwxyz"
    const word = (n: number) => [26 ** 2, 26, 1].map((unit) => letters[Math.floor(n / unit) % 26]).join("")
    for (let n = 0; n < 3_000; n++) usage.add(made({ metadata: { [word(n)]: "1" } }))
    assert.strictEqual(usage.report().seenKeys.length, 1_000)
  })
})
