/** What is valid and useless is warned of, with its place; nothing of it is refused. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { retiredRoute } from "@paymux/core/routing"
import { compileWithWarnings } from "../../../src/check/warnings/routingWarnings.ts"
import type { Place } from "../../fixtures.ts"
import { provider, providers, withRule } from "../../fixtures.ts"
import { top } from "../../written.ts"

/** 2026-11-25 */
const NOW = 1_795_564_800_000

const warnings = (config: unknown, among = providers) =>
  Effect.gen(function* () {
    yield* TestClock.setTime(NOW)
    const { warnings } = yield* compileWithWarnings(config, among)
    return warnings.map(({ message, path }) => [path, message] as const)
  })

/** A default that takes every method, for nothing to be said of it. */
const everything = { priority: ["stripe", "razorpay", "evm_base"] }
const rule = (conditions: unknown, choose: unknown, more: object = {}): unknown => ({
  version: 1,
  rules: [{ name: "x", when: conditions, choose }],
  default: { priority: ["adyen", "razorpay", "evm_base"] },
  ...more
})
const eur = { payment_method: "card", currency: "EUR" }
const cost = { best: "cost", among: ["stripe", "adyen"] }
const percent = { card: { percent: 2.9 } }
const priority = { priority: ["stripe"] }
const byShop = { best: "success_rate", among: ["stripe", "adyen"], segments: ["amount", "metadata.shop"] }

const warned: ReadonlyArray<readonly [what: string, config: unknown, place: Place, message: string]> = [
  [
    "costs without fees",
    rule(eur, cost),
    ["rules", 0, "choose", "best"],
    'rule "x": `choose.best` has no cost to compare: no provider has `fees` for card, so the listed order applies'
  ],
  [
    "fees in another currency only",
    rule(eur, cost, { fees: { stripe: { card: { percent: 2.9, fixed: { USD: 30 } } } } }),
    ["rules", 0, "choose", "best"],
    'rule "x": `choose.best` has no cost to compare: no provider has `fees` for card in a currency of its payments (only in USD), so the listed order applies'
  ],
  [
    "a provider without fees",
    rule(eur, cost, { fees: { stripe: percent } }),
    ["rules", 0, "choose", "among", 1],
    'rule "x": provider "adyen" has no fees for card: its cost is unknown, so it comes after every known cost, even 90 %'
  ],
  [
    "a provider with fees in another currency",
    rule(eur, cost, { fees: { adyen: percent, stripe: { card: { fixed: { USD: 30, GBP: 20 } } } } }),
    ["rules", 0, "choose", "among", 0],
    'rule "x": provider "stripe" has fees in USD, GBP only: its cost is unknown, so it comes after every known cost, even 90 %'
  ],
  [
    "one provider to compare",
    rule(eur, { best: "success_rate", among: ["stripe"] }),
    ["rules", 0, "choose", "among"],
    'rule "x": `choose.among` has one provider, so nothing is compared: use `priority`'
  ],
  [
    "more samples than count",
    rule(eur, { best: "success_rate", among: ["stripe", "adyen"], min_samples: 250 }),
    ["rules", 0, "choose", "min_samples"],
    'rule "x": `choose.min_samples` is as many as count at most (250): no provider\'s own record outweighs what is expected of it'
  ],
  [
    "a segment that all payments of the rule have in common, where it learns from no others",
    rule({ ...eur, "metadata.shop": "a" }, { ...byShop, learn_from: "rule" }),
    ["rules", 0, "choose", "segments", 1],
    'rule "x": `choose.segments[1]` is the same in all payments of this rule: with `learn_from: rule`, it distinguishes nothing'
  ],
  [
    "one that every alternative fixes",
    rule(
      { ...eur, any: [{ "metadata.shop": "a", livemode: false }, { all: [{ "metadata.shop": "a", amount: 500 }] }] },
      { ...byShop, learn_from: "rule" }
    ),
    ["rules", 0, "choose", "segments", 1],
    'rule "x": `choose.segments[1]` is the same in all payments of this rule: with `learn_from: rule`, it distinguishes nothing'
  ],
  [
    "accounts of which the rule has one",
    rule({ ...eur, account: "shop" }, { ...byShop, segments: ["account"], learn_from: "rule" }),
    ["rules", 0, "choose", "segments", 0],
    'rule "x": `choose.segments[0]` is the same in all payments of this rule: with `learn_from: rule`, it distinguishes nothing'
  ],
  [
    "nothing but exploration",
    rule(eur, { best: "success_rate", among: ["stripe", "adyen"], explore: "100%" }),
    ["rules", 0, "choose", "explore"],
    'rule "x": `choose.explore` is 100%: the best provider is never first'
  ],
  [
    "a margin that no fee leaves anything of",
    rule(
      eur,
      { best: "value", among: ["stripe", "adyen"], margin: "0%" },
      { fees: { stripe: percent, adyen: percent } }
    ),
    ["rules", 0, "choose", "margin"],
    'rule "x": `choose.margin` is 0%: no fee leaves anything, so success rates decide, as in `best: success_rate`'
  ],
  [
    "a calendar that no condition names",
    rule({ time: { holidays: ["india"] } }, everything, {
      holidays: { india: ["2027-01-26"], germany: ["2027-10-03"] }
    }),
    ["holidays", "germany"],
    "`holidays.germany` is used by no rule"
  ],
  [
    "a deadline before any answer",
    top({ default: everything, failover: { deadline: "1ms" } }),
    ["failover", "deadline"],
    "`failover.deadline` is shorter than any attempt takes: no other provider is tried"
  ],
  [
    "an amount in currencies of different units",
    rule({ payment_method: "card", currency: ["EUR", "USD", "JPY"], any: [{ amount: { gte: 500_000 } }] }, priority),
    ["rules", 0, "when", "any", 0, "amount"],
    'rule "x": `when.any[0].amount` is not the same amount in USD and in JPY: their smallest units differ'
  ],
  [
    "an amount that looks like major units",
    rule({ ...eur, amount: { gte: 50 } }, priority),
    ["rules", 0, "when", "amount", "gte"],
    'rule "x": `when.amount.gte` is 0.50 EUR: 50.00 EUR is 5000'
  ],
  [
    "an amount of UPI that looks like major units",
    rule({ payment_method: "upi", not: { amount: { between: [1, 99] } } }, { priority: ["razorpay"] }),
    ["rules", 0, "when", "not", "amount", "between", 1],
    'rule "x": `when.not.amount.between[1]` is 0.99 INR: 99.00 INR is 9900'
  ],
  [
    "an unknown network of cards",
    rule({ "card.network": ["visa", "matercard"] }, priority),
    ["rules", 0, "when", "card.network", 1],
    'rule "x": `when.card.network[1]` is no known card network: "matercard"; did you mean "mastercard"?'
  ],
  [
    "a window that daylight saving removes",
    rule({ time: { between: ["02:00", "03:00"], zone: "Europe/Berlin" } }, everything),
    ["rules", 0, "when", "time"],
    'rule "x": `when.time` is skipped on 2027-03-28, when clocks in Europe/Berlin go forward'
  ],
  [
    "an alternative that excludes itself",
    rule({ ...eur, any: [{ amount: { gt: 900, lt: 100 } }, { amount: 500 }] }, priority),
    ["rules", 0, "when", "any", 0, "amount"],
    'rule "x": `when.any[0].amount` can never hold: `gt` and `lt` exclude each other'
  ],
  [
    "a test provider for live payments",
    rule({ ...eur, livemode: true }, priority),
    ["rules", 0, "choose", "priority", 0],
    'rule "x": provider "stripe" is a test provider, and this rule matches no test payment'
  ],
  [
    "failover after nothing",
    rule(eur, priority, { failover: { on: [] } }),
    ["failover", "on"],
    "`failover.on` is empty: no other provider is ever tried"
  ],
  [
    "failover from the only provider of a rule",
    top({
      rules: [{ name: "x", when: eur, choose: priority, failover: { on: ["not_executed"] } }],
      default: everything
    }),
    ["rules", 0, "failover"],
    'rule "x": `failover` has no effect: the rule names one provider, and adyen would take its payments'
  ],
  [
    "a last rule that chooses as the default does",
    top({ rules: [{ name: "x", when: { "metadata.shop": "a" }, choose: everything }], default: everything }),
    ["rules", 0, "choose"],
    'rule "x": it chooses as `default` does, so it changes nothing'
  ],
  [
    "an outage that is over",
    top({
      default: everything,
      outages: [{ provider: "adyen", from: "2026-11-01T00:00:00Z", to: "2026-11-02T00:00:00Z" }]
    }),
    ["outages", 0],
    "`outages[0]` ended at 2026-11-02T00:00:00Z: remove it"
  ],
  [
    "hours without a time zone",
    rule({ time: { between: ["09:00", "17:00"] } }, everything),
    ["rules", 0, "when", "time", "between"],
    'rule "x": `when.time.between` has no `zone`: these are hours of UTC'
  ],
  [
    "a calling code that is longer than any",
    rule({ ...eur, "customer.phone_country": ["+91", "+911"] }, priority),
    ["rules", 0, "when", "customer.phone_country", 1],
    'rule "x": `when.customer.phone_country[1]` is not a calling code: the calling code of these numbers is "+91"'
  ],
  [
    "a partner of a split that takes few currencies",
    rule({ payment_method: "card", currency: ["EUR", "USD", "INR"] }, { split: { stripe: 50, razorpay: 50 } }),
    ["rules", 0, "choose", "split", "razorpay"],
    'rule "x": provider "razorpay" takes 1 of the 3 currencies of these card payments: the others of the split get the rest of its share'
  ],
  [
    "a default that cannot take a method",
    top({ default: { priority: ["stripe", "cashfree"] } }),
    ["default"],
    "`default` has no provider that takes stablecoin: such a payment is rejected if no rule matches (evm_base would take it)"
  ]
]

describe("a configuration that is valid and useless in part", () => {
  for (const [what, config, place, message] of warned) {
    it.effect(`warns of ${what}`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* warnings(config), [[place, message]])
      })
    )
  }
})

describe("a configuration that does what it says", () => {
  const silent: ReadonlyArray<readonly [what: string, config: unknown]> = [
    ["costs with percentages alone", rule(eur, cost, { fees: { stripe: percent, adyen: percent } })],
    [
      "fees in one of the currencies of the rule",
      rule({ payment_method: "card" }, cost, {
        fees: { stripe: { card: { fixed: { USD: 30 } } }, adyen: { card: { fixed: { EUR: 30 } } } }
      })
    ],
    [
      "a segment that payments of other rules do not have in common",
      rule({ ...eur, "metadata.shop": "a" }, { ...byShop, learn_from: "account" })
    ],
    [
      "a segment of which the rule has two values, or some payments none",
      top({
        rules: [
          { name: "x", when: { ...eur, "metadata.shop": ["a", "b"] }, choose: { ...byShop, learn_from: "rule" } },
          {
            name: "y",
            when: { ...eur, any: [{ "metadata.shop": "c" }, { livemode: true }] },
            choose: { ...byShop, learn_from: "rule" }
          },
          { name: "z", when: { ...eur, not: { "metadata.shop": "d" } }, choose: { ...byShop, learn_from: "rule" } }
        ],
        default: everything
      })
    ],
    ["an amount in currencies of one unit", rule({ currency: ["EUR", "USD"], amount: { gte: 500 } }, priority)],
    ["any amount", rule({ ...eur, amount: { gt: 0 } }, priority)],
    ["a small amount of yen", rule({ currency: "JPY", amount: { gte: 50 } }, priority)],
    ["a small lower end", rule({ ...eur, amount: { between: [50, 5000] } }, priority)],
    ["a network that a vendor declares", rule({ "card.network": "visa_electron" }, priority)],
    [
      "a window that daylight saving shortens",
      rule({ time: { between: ["02:30", "03:30"], zone: "Europe/Berlin" } }, everything)
    ],
    ["a window at night", rule({ time: { between: ["23:30", "03:00"], zone: "Europe/Berlin" } }, everything)],
    [
      "a window where clocks never change",
      rule({ time: { between: ["02:00", "03:00"], zone: "Asia/Kolkata" } }, everything)
    ],
    [
      "a default whose missing method is taken by a rule",
      {
        version: 1,
        rules: [
          { name: "coins", when: { payment_method: "stablecoin" }, choose: { priority: ["evm_base"] } },
          { name: "upi", when: { payment_method: "upi" }, choose: { priority: ["cashfree"] } }
        ],
        default: priority
      }
    ],
    [
      "a calendar that a condition inside of others names",
      rule({ any: [{ not: { time: { holidays: "india" } } }] }, everything, { holidays: { india: ["2027-01-26"] } })
    ],
    [
      "a small margin",
      rule(
        eur,
        { best: "value", among: ["stripe", "adyen"], margin: "0.1%" },
        { fees: { stripe: percent, adyen: percent } }
      )
    ],
    [
      "a rule that keeps payments from one behind it",
      top({
        rules: [
          { name: "x", when: { "metadata.shop": "a" }, choose: everything },
          { name: "y", when: { "metadata.shop": ["a", "b"] }, choose: { priority: ["adyen"] } }
        ],
        default: everything
      })
    ],
    [
      "an outage without an end, or that is not over",
      top({ default: everything, outages: [{ provider: "adyen", from: "2026-11-01T00:00:00Z" }] })
    ],
    [
      "a rule that means its only provider",
      top({
        rules: [
          { name: "x", when: eur, choose: priority, failover: { max_attempts: 1 } },
          {
            name: "y",
            when: { payment_method: "stablecoin" },
            choose: { priority: ["evm_base"] },
            failover: { deadline: "9s" }
          }
        ],
        default: everything
      })
    ],
    ["a calling code", rule({ ...eur, "customer.phone_country": ["+1", "+91", "+355"] }, priority)],
    [
      "a partner of a split that takes half of the currencies",
      rule({ payment_method: "card", currency: ["EUR", "INR"] }, { split: { stripe: 50, razorpay: 50 } })
    ],
    ["a deadline of seconds", top({ default: everything, failover: { deadline: "5s" } })]
  ]
  for (const [what, config] of silent) {
    it.effect(`says nothing of ${what}`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* warnings(config), [])
      })
    )
  }

  it.effect("says nothing of a default without a method that no provider takes", () =>
    Effect.gen(function* () {
      const [stripe] = providers
      const cards = { split: { stripe: 100 } }
      const ofDefault = (found: ReadonlyArray<readonly [Place, string]>) =>
        found.filter(([path]) => path[0] === "default")
      const alone = stripe === undefined ? [] : [stripe]
      assert.deepStrictEqual(ofDefault(yield* warnings(withRule({ currency: "EUR" }, cards), alone)), [])
      const live = provider("stripe", stripe?.capabilities.methods ?? {}, "live")
      assert.deepStrictEqual(ofDefault(yield* warnings(withRule({ livemode: true }, cards), [live])), [])
    })
  )

  it.effect(
    "warns of a retired instance, which rules may name, and of a default that names no other for a method",
    () =>
      Effect.gen(function* () {
        const retired = [...providers.filter(({ id }) => id !== "razorpay"), retiredRoute("razorpay")]
        const found = yield* warnings(rule({ payment_method: "upi" }, { priority: ["razorpay"] }), retired)
        const sentence = 'provider "razorpay" is retired and gets no new payments'
        assert.deepStrictEqual(
          found.filter(([, message]) => message.endsWith(sentence)).map(([path]) => path),
          [
            ["rules", 0, "choose", "priority", 0],
            ["default", "priority", 1]
          ]
        )
      })
  )

  it.effect("warns of a retired instance whose attempts are compared, with any segments", () =>
    Effect.gen(function* () {
      const retired = [...providers.filter(({ id }) => id !== "adyen"), retiredRoute("adyen")]
      const found = yield* warnings(
        {
          version: 1,
          rules: [{ name: "x", when: eur, choose: { ...byShop, learn_from: "rule" } }],
          default: everything
        },
        retired
      )
      assert.deepStrictEqual(found, [
        [["rules", 0, "choose", "among", 1], 'rule "x": provider "adyen" is retired and gets no new payments']
      ])
    })
  )

  it.effect("a former id is refused, with the one that the instance has now", () =>
    Effect.gen(function* () {
      const renamed = providers.map((each) =>
        each.id === "stripe" ? { ...each, id: "stripe_eu", formerly: ["stripe"] } : each
      )
      const error = yield* Effect.flip(warnings(rule(eur, priority), renamed))
      assert.include(error.message, 'provider "stripe" was renamed: use "stripe_eu"')
    })
  )
})
