/** Rules that can never decide a payment. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { amount } from "../../../../test/support/amount.ts"
import { conditionOf, predicateOf } from "../../src/match/Condition.ts"
import { reachOf } from "../../src/check/Reach.ts"
import { firstMatch } from "../../src/match/RuleIndex.ts"
import { satisfyTime } from "../../src/check/satisfy.ts"
import { DAY, holdsAt } from "../../src/match/TimeOfDay.ts"
import { weekdays } from "../../src/language/Day.ts"
import { someFacts, someWhen } from "../arbitraryConditions.ts"
import { problems } from "../fixtures.ts"
import { rules, time } from "../written.ts"

const first = "41"
const doubleDigits = ["00", "11", "22", "33", "44", "55", "66", "77", "88", "99"]
const mondayMorning = { time: { between: ["00:00", "06:00"], weekdays: ["mon"] } }
/** Up to the last day that can be written. */
const since2020 = [{ from: "2020-01-01", to: "9999-12-31" }]
const LARGEST = Number.MAX_SAFE_INTEGER

describe("a rule whose conditions exclude each other", () => {
  const never: { readonly [kind: string]: ReadonlyArray<unknown> } = {
    "by equality": [
      { currency: "EUR", all: [{ currency: "USD" }] },
      { currency: ["EUR", "USD"], all: [{ currency: ["INR", "JPY"] }] },
      { livemode: true, all: [{ livemode: false }] },
      { "customer.phone_country": "+91", all: [{ "customer.phone_country": ["+1", "+44"] }] },
      { "metadata.a": "x", all: [{ "metadata.a": "X" }] }
    ],
    "by not": [
      { payment_method: "card", not: { payment_method: "card" } },
      { capture_method: "manual", not: { capture_method: ["manual", "automatic"] } },
      { "metadata.a": "x", not: { "metadata.a": ["x", "y"] } },
      { not: {} },
      { not: { not: { payment_method: "upi", "card.network": "visa" } } }
    ],
    "by ranges": [
      { currency: "EUR", amount: { gt: 10, lt: 11 } },
      { currency: "EUR", amount: { gte: 10, lte: 9 } },
      { currency: "EUR", amount: { between: [10, 9] } },
      { currency: "EUR", amount: 5, all: [{ amount: { gt: 5 } }] },
      { currency: "EUR", amount: [1, 2], all: [{ amount: { between: [3, 9] } }] },
      { currency: "EUR", amount: { between: [1, 9] }, not: { amount: { gte: 1 } } },
      { currency: "EUR", amount: { lt: 0 } },
      { currency: "EUR", amount: { gt: LARGEST } }
    ],
    "by an amount of zero, which no payment has": [
      { currency: "EUR", amount: 0 },
      { currency: "EUR", amount: { lt: 1 } }
    ],
    "by prefixes": [
      { "card.bin": { starts_with: first, in_prefixes: ["42", "5"] } },
      { "card.bin": "411111", not: { "card.bin": { starts_with: first } } },
      { "card.bin": { starts_with: "4" }, not: { "card.bin": { in_prefixes: ["4"] } } },
      { "card.bin": { starts_with: first }, not: { "card.bin": { starts_with: "4" } } },
      { "customer.email": ["a@b.com"], not: { "customer.email": { starts_with: "a" } } }
    ],
    "by suffixes": [
      { "customer.email": { ends_with: "@a.com" }, all: [{ "customer.email": { ends_with: "@b.com" } }] },
      { "customer.email": { ends_with: "@a.com" }, not: { "customer.email": { ends_with: ".com" } } },
      { "customer.email": "a@b.com", all: [{ "customer.email": { ends_with: "@c.com" } }] }
    ],
    "by a BIN that is no number, or too long": [
      { "card.bin": { starts_with: "4x" } },
      { "card.bin": { in_prefixes: ["visa", "x4"] } },
      { "card.bin": { ends_with: "x" } },
      { "card.bin": { starts_with: "411111111" } }
    ],
    "by exists": [
      { "metadata.a": { exists: false, starts_with: "x" } },
      { "metadata.a": { exists: false }, all: [{ "metadata.a": "x" }] },
      { "metadata.a": { exists: true }, all: [{ "metadata.a": { exists: false } }] },
      { "metadata.a": { exists: true }, not: { "metadata.a": { exists: true } } },
      { "customer.phone_country": "+91", all: [{ "customer.phone_country": { exists: false } }] }
    ],
    "by the absence of what every payment has": [
      { currency: { exists: false } },
      { currency: "EUR", amount: { exists: false } },
      { livemode: { exists: false } },
      { account: { exists: false } },
      { not: { payment_method: { exists: true } } }
    ],
    "by facts of another method": [
      { payment_method: "upi", "card.network": "visa" },
      { payment_method: "stablecoin", "card.bin": { starts_with: "4" } },
      { payment_method: "upi", "stablecoin.asset": "USDC" },
      { "card.network": "visa", "stablecoin.asset": { exists: true } }
    ],
    "by flows of another method": [
      { flow: "qr", payment_method: "card" },
      { flow: ["intent", "qr"], payment_method: ["card", "stablecoin"] },
      { flow: "transfer", "card.network": "visa" }
    ],
    "by a currency that upi is not in": [
      { payment_method: "upi", currency: "EUR" },
      { flow: ["qr", "collect"], currency: ["EUR", "USD"] }
    ],
    "by times of the day": [
      { ...time("09:00", "12:00"), not: time("08:00", "13:00") },
      { ...time("09:00", "12:00", "Asia/Kolkata"), all: [time("12:00", "14:00", "Asia/Kolkata")] },
      { ...time("23:00", "01:00"), all: [time("01:00", "23:00")] }
    ],
    "by weekdays": [
      { not: { time: { weekdays } } },
      // The night of a Monday ends on a Tuesday.
      { time: { between: ["22:00", "06:00"], weekdays: ["mon"] }, all: [mondayMorning] }
    ],
    "in every alternative": [
      {
        any: [
          { payment_method: "upi", "card.network": "visa" },
          { currency: "EUR", all: [{ currency: "USD" }] }
        ]
      },
      { all: [{ payment_method: "card" }, { any: [{ payment_method: "upi" }, { flow: "transfer" }] }] },
      { not: { any: [{ payment_method: "card" }, { payment_method: ["upi", "stablecoin"] }] } },
      { not: { all: [{ any: [{ payment_method: ["card", "upi", "stablecoin"] }] }, { currency: { exists: true } }] } }
    ]
  }
  // One condition that excludes itself is named: see contradictions.test.ts.
  const sentence = /^rule "a": `when\b[^`]*` can never hold: /
  for (const [kind, whens] of Object.entries(never)) {
    it(`is found ${kind}`, () => {
      for (const when of whens) {
        const [found, ...others] = problems(rules(when))
        assert.deepStrictEqual(found?.[0].slice(0, 3), ["rules", 0, "when"], JSON.stringify(when))
        assert.match(found?.[1] ?? "", sentence)
        assert.deepStrictEqual(others, [])
      }
    })
  }
})

describe("a rule that is never reached is refused with the rules that come first", () => {
  const one = 'rule "b": it is never reached: rule "a" comes first and takes all of its payments'
  const byOne: { readonly [kind: string]: ReadonlyArray<readonly [earlier: unknown, later: unknown]> } = {
    "values of a list": [
      [{ currency: ["EUR", "USD"] }, { currency: "EUR" }],
      [{ "metadata.n": "1" }, { "metadata.n": "1" }]
    ],
    "fewer conditions": [
      [{ payment_method: "card" }, { payment_method: "card", currency: "EUR" }],
      [{}, { currency: "EUR" }],
      [{}, {}]
    ],
    "a fact that implies the method": [
      [{ payment_method: "card" }, { "card.network": "visa" }],
      [{ payment_method: "card" }, { flow: ["hosted", "token"] }],
      [{ flow: ["hosted", "token"] }, { payment_method: "card" }]
    ],
    "an interval inside of another": [
      [
        { currency: "EUR", amount: { gte: 100 } },
        { currency: "EUR", amount: { between: [200, 300] } }
      ],
      [
        { currency: "EUR", amount: { gt: 99 } },
        { currency: "EUR", amount: { gte: 100 } }
      ],
      [
        { currency: "EUR", amount: { lte: 10 } },
        { currency: "EUR", amount: [1, 5, 10] }
      ]
    ],
    "a prefix of a prefix": [
      [{ "card.bin": { starts_with: "4" } }, { "card.bin": { starts_with: "4111" } }],
      [{ "card.bin": { in_prefixes: ["4", "5"] } }, { "card.bin": { in_prefixes: [first, "52"] } }],
      [{ "card.bin": { starts_with: "4" } }, { "card.bin": ["411111", "422222"] }]
    ],
    "a suffix of a suffix": [
      [{ "customer.email": { ends_with: ".com" } }, { "customer.email": { ends_with: "@a.com" } }],
      [{ "customer.email": { ends_with: ".com" } }, { "customer.email": "x@a.com" }]
    ],
    not: [
      [{ not: { currency: "EUR" } }, { currency: "USD" }],
      [{ not: { "metadata.a": "x" } }, { "metadata.a": "y" }],
      [{ not: { "metadata.a": "x" } }, { "metadata.a": { exists: false } }],
      [{ "metadata.a": { exists: true } }, { "metadata.a": "x" }]
    ],
    "a window inside of another": [
      [time("08:00", "18:00"), time("09:00", "12:00")],
      [time("22:00", "06:00"), time("23:00", "01:00")],
      [time("08:00", "18:00", "Asia/Kolkata"), { ...time("09:00", "10:00", "Asia/Kolkata"), currency: "EUR" }],
      [{ not: time("08:00", "18:00") }, time("19:00", "20:00")]
    ],
    "any weekday before the days of a list": weekdays.map((weekday) => [
      { not: { time: { dates: since2020 } } },
      { time: { weekdays: [weekday] }, not: { time: { dates: since2020 } } }
    ]),
    alternatives: [
      [{ any: [{ currency: "EUR" }, { "card.network": "visa" }] }, { "card.network": "visa", currency: "USD" }],
      [
        { currency: "EUR" },
        {
          any: [
            { currency: "EUR", "card.network": "visa" },
            { currency: "EUR", "card.country": "DE" }
          ]
        }
      ],
      [{ currency: "EUR" }, { all: [{ currency: ["EUR", "USD"] }, { not: { currency: "USD" } }] }]
    ]
  }
  for (const [kind, pairs] of Object.entries(byOne)) {
    it(`by one: ${kind}`, () => {
      for (const [earlier, later] of pairs) {
        const config = rules(earlier, later)
        assert.deepStrictEqual(problems(config), [[["rules", 1, "when"], one]], JSON.stringify([earlier, later]))
      }
    })
  }

  const together: { readonly [kind: string]: ReadonlyArray<unknown> } = {
    "the values of a list": [{ currency: "EUR" }, { currency: "USD" }, { currency: ["EUR", "USD"] }],
    "both halves of a range": [
      { currency: "EUR", amount: { lt: 100 } },
      { currency: "EUR", amount: { gte: 100 } },
      { currency: "EUR" }
    ],
    "both modes": [{ livemode: true }, { livemode: false }, { currency: "EUR" }],
    "something and not that": [{ not: { currency: "EUR" } }, { currency: "EUR" }, {}],
    "there and absent": [
      { "metadata.a": { exists: true } },
      { "metadata.a": { exists: false } },
      { "metadata.b": "x" }
    ],
    "day and night": [time("22:00", "06:00"), time("06:00", "22:00"), { currency: "EUR" }]
  }
  for (const [kind, whens] of Object.entries(together)) {
    it(`by two together: ${kind}`, () => {
      const sentence = 'rule "c": it is never reached: rules "a" and "b" come first and take all of its payments'
      assert.deepStrictEqual(problems(rules(...whens)), [[["rules", 2, "when"], sentence]])
    })
  }

  it("by three together, and by the one that is enough", () => {
    assert.deepStrictEqual(
      problems(
        rules({ currency: "EUR" }, { currency: "USD" }, { currency: "INR" }, { currency: ["EUR", "USD", "INR"] })
      ),
      [
        [
          ["rules", 3, "when"],
          'rule "d": it is never reached: rules "a", "b" and "c" come first and take all of its payments'
        ]
      ]
    )
    assert.deepStrictEqual(problems(rules({ currency: "EUR" }, {}, { currency: "USD" })), [
      [["rules", 2, "when"], 'rule "c": it is never reached: rule "b" comes first and takes all of its payments']
    ])
  })

  it("by its number where the earlier one has no name", () => {
    const config = {
      version: 1,
      rules: [
        { when: {}, choose: { priority: ["stripe"] } },
        { name: "b", when: {}, choose: { priority: ["stripe"] } }
      ],
      default: { priority: ["stripe"] }
    }
    assert.deepStrictEqual(problems(config), [
      [["rules", 0, "name"], "rule 1: `name` is missing"],
      [["rules", 1, "when"], 'rule "b": it is never reached: rule 1 comes first and takes all of its payments']
    ])
  })
})

describe("a rule is taken", () => {
  const taken: ReadonlyArray<ReadonlyArray<unknown>> = [
    [{ "card.bin": { starts_with: "41111111" } }],
    [{ "card.bin": { starts_with: "4", ends_with: "4" } }],
    [{ "card.bin": { starts_with: "41111", ends_with: "11119" } }],
    [{ "customer.email": { starts_with: "abc", ends_with: "cde" } }],
    [{ "customer.email": { ends_with: "a.com" }, all: [{ "customer.email": { ends_with: ".com" } }] }],
    [{ "metadata.a": { exists: false } }],
    [{ not: { "metadata.a": "x" } }],
    [{ not: { "card.network": "visa" }, payment_method: "card" }],
    [{ currency: "EUR", amount: { gt: 10, lt: 12 } }],
    [{ currency: "EUR", amount: { between: [5, 5] } }],
    [{ currency: "EUR", amount: LARGEST }],
    [{ currency: "EUR" }, { currency: ["EUR", "USD"] }],
    [{ payment_method: "card", currency: "EUR" }, { payment_method: "card" }],
    [{ "metadata.a": "x" }, { "metadata.a": { exists: true } }],
    [{ not: { "metadata.a": "x" } }, { "metadata.a": ["x", "y"] }],
    [{ "card.bin": { starts_with: "4111" } }, { "card.bin": { starts_with: "4" } }],
    [
      { currency: "EUR", amount: { gt: 100 } },
      { currency: "EUR", amount: { gte: 100 } }
    ],
    [{ "card.network": "visa" }, { "card.network": "visa_electron" }],
    [{ currency: "EUR" }, { not: { currency: "USD" } }],
    [time("09:00", "12:00"), time("09:00", "12:01")],
    // On the second Monday alone: the night before the first begins before the range, and that before the third after it.
    [
      {
        time: { between: ["22:00", "06:00"], dates: [{ from: "2026-03-02", to: "2026-03-12" }] },
        all: [mondayMorning]
      }
    ],
    [
      {
        time: { dates: [{ from: "2026-03-03", to: "2026-03-20" }] },
        not: { time: { between: ["22:00", "06:00"], dates: [{ from: "2026-03-01", to: "2026-03-08" }] } },
        all: [mondayMorning]
      }
    ]
  ]
  it("that some payment reaches, even if only one does", () => {
    for (const whens of taken) assert.deepStrictEqual(problems(rules(...whens)), [], JSON.stringify(whens))
  })

  const undecided: ReadonlyArray<ReadonlyArray<unknown>> = [
    // Whether an hour of Auckland and one of London ever meet is a question of the calendar.
    [{ ...time("09:00", "12:00", "Europe/London"), all: [time("09:00", "12:00", "Pacific/Auckland")] }],
    [time("09:00", "12:00"), time("09:00", "12:00", "Africa/Abidjan")],
    // A BIN of different digits is not tried.
    [{ "card.bin": { exists: true }, not: { "card.bin": { in_prefixes: doubleDigits } } }],
    // No BIN has eleven digits, and none is looked for.
    [{ "card.bin": { starts_with: "4123456", ends_with: "7890" } }]
  ]
  it("of which nothing is known for sure", () => {
    for (const whens of undecided) assert.deepStrictEqual(problems(rules(...whens)), [], JSON.stringify(whens))
  })

  it("at either end of its range without a look at each rule before it", () => {
    for (const bound of ["lte", "gte"] as const) {
      const conditions = Array.from({ length: 50 }, (_, n) =>
        conditionOf({ currency: "EUR", amount: { [bound]: bound === "lte" ? 10 * n + 10 : 1_000 - 10 * n } }, {})
      )
      const first = firstMatch(conditions)
      let looks = 0
      const reach = reachOf(conditions, (facts, from) => (looks++, first(facts, from)))
      assert.deepStrictEqual(new Set(reach.map(({ _tag }) => _tag)), new Set(["Reachable"]), bound)
      assert.isAtMost(looks, 2 * conditions.length, bound)
    }
  })

  const rulesets = amount({ part: 5_000, all: 20_000 })
  it(`where any payment whatever is decided by it, in ${rulesets} rulesets of random conditions`, () => {
    let refused = 0
    const check = fc.property(
      fc.array(someWhen(1), { minLength: 1, maxLength: 8 }),
      fc.array(someFacts, { minLength: 5, maxLength: 5 }),
      (whens, payments) => {
        const conditions = whens.map((when) => conditionOf(when, {}))
        const predicates = conditions.map(predicateOf)
        const reach = reachOf(conditions, firstMatch(conditions))
        for (const facts of payments) {
          const rule = predicates.findIndex((holds) => holds(facts))
          if (rule >= 0) assert.strictEqual(reach[rule]?._tag, "Reachable")
        }
        refused += reach.filter(({ _tag }) => _tag !== "Reachable").length
      }
    )
    fc.assert(check, { numRuns: rulesets, seed: 1 })
    // The property would hold of a check that refuses nothing.
    assert.isAbove(refused, rulesets / 4)
  })
})

describe("a time at which several conditions hold", () => {
  const someDay = 20_468
  const someDays = fc.tuple(fc.integer({ min: 0, max: 14 }), fc.integer({ min: 0, max: 12 })).map(([start, length]) => {
    const from = someDay - 7 + start
    return { from, to: from + length }
  })
  const someWeekdays = fc.oneof(
    fc.subarray([...weekdays], { minLength: 1, maxLength: 1 }),
    fc.subarray([...weekdays], { minLength: 6, maxLength: 6 })
  )
  const someDayTest = fc.record({
    weekdays: fc.option(someWeekdays),
    dates: fc.option(fc.array(someDays, { minLength: 1, maxLength: 2 })),
    holidays: fc.constant(null)
  })
  const someWindow = fc.constantFrom({ from: 0, to: DAY }, { from: 0, to: 360 }, { from: 1_320, to: 360 })
  const someLiteral = fc.record({
    negated: fc.boolean(),
    window: fc.tuple(someWindow, fc.option(someDayTest)).map(([window, days]) => ({ ...window, days, zone: "UTC" }))
  })

  const all = amount({ part: 500, all: 50_000 })
  it(`is found where there is one, in ${all} random lists of them`, () => {
    const days = Array.from({ length: 60 }, (_, index) => someDay - 20 + index)
    const times = days.flatMap((day) => [0, 360, 1_320].map((minute) => ({ day, minute })))
    const check = fc.property(fc.array(someLiteral, { minLength: 1, maxLength: 4 }), (literals) => {
      const tests = literals.map(({ negated, window }) => ({ negated, holds: holdsAt(window) }))
      const holdAt = (day: number, minute: number) =>
        tests.every(({ holds, negated }) => holds(day, minute) !== negated)
      const found = satisfyTime(
        literals.map((literal) => ({ _tag: "Time", ...literal })),
        someDay
      )
      if (typeof found === "number") assert.isTrue(holdAt(Math.floor(found / DAY), found % DAY))
      else assert.deepStrictEqual([found, times.find(({ day, minute }) => holdAt(day, minute))], [null, undefined])
    })
    fc.assert(check, { numRuns: all, seed: 1 })
  })
})
