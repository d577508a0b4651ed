/** What is said of a decision: every rule that was looked at, condition by condition. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { NewPayment } from "@paymux/core"
import type { CompiledRouting } from "../src/CompiledRouting.ts"
import { explain, explainDecided } from "../src/explain.ts"
import type { ExplainedCondition, Explanation } from "../src/explain.ts"
import { facts } from "../src/Facts.ts"
import type { Facts } from "../src/Facts.ts"
import type { Health } from "../src/Health.ts"
import { unknownHealth } from "../src/Health.ts"
import { plan } from "../src/choose/plan.ts"
import { someWhen } from "./arbitraryConditions.ts"
import { card, compiled, payment, paymentId, problems, tenant, upi } from "./fixtures.ts"
import { rules } from "./written.ts"

/** 2026-01-15, 18:00 UTC. */
const now = Date.UTC(2026, 0, 15, 18)
const made = payment(card({ network: "visa", bin: "411111" }), "EUR", 500, { metadata: { plan: "gold" } })
const factsOf = (payment: NewPayment): Facts => facts(payment, tenant, paymentId(1), now)
const explained = (routing: CompiledRouting, payment = made, health: Health = unknownHealth): Explanation =>
  explain(routing, payment, factsOf(payment), health)

/** The conditions of the one rule of a configuration. */
const conditionsOf = async (when: unknown): Promise<ReadonlyArray<ExplainedCondition>> => {
  const [rule] = explained(await compiled(rules(when))).rules
  return rule?.conditions ?? []
}

const leaf = (asked: string, holds: boolean, actual: ExplainedCondition["actual"]): ExplainedCondition => ({
  asked,
  holds,
  actual,
  of: []
})

describe("the rules", () => {
  const config = rules({ currency: "USD" }, { "card.network": "amex" }, { "card.network": "visa" }, { livemode: true })

  it("are listed up to the one that decides", async () => {
    const { answer, rules, ruleset } = explained(await compiled(config))
    assert.deepStrictEqual(
      rules.map(({ matches, name }) => [name, matches]),
      [
        ["a", false],
        ["b", false],
        ["c", true]
      ]
    )
    assert.strictEqual(answer._tag === "Plan" && answer.decision.rule, "c")
    assert.strictEqual(answer._tag === "Plan" && answer.decision.ruleset, ruleset)
  })

  it("are all listed, with the default, if none matches", async () => {
    const { rules } = explained(await compiled(config), payment(card(), "EUR"))
    assert.deepStrictEqual(
      rules.map(({ matches, name }) => [name, matches]),
      [
        ["a", false],
        ["b", false],
        ["c", false],
        ["d", false],
        ["default", true]
      ]
    )
    assert.deepStrictEqual(rules.at(-1)?.conditions, [])
  })

  it("end in the decision that is made, whatever the health, and in no other", async () => {
    const routing = await compiled(config)
    const open: Health = { ...unknownHealth, demotionOf: () => "breaker_open" }
    for (const health of [unknownHealth, open]) {
      for (const each of [made, payment(upi(), "INR")]) {
        assert.deepStrictEqual(explained(routing, each, health).answer, plan(routing, each, factsOf(each), health))
      }
    }
    assert.strictEqual(explained(routing, payment(upi(), "INR")).answer._tag, "NoRoute")
  })
})

describe("a stored decision", () => {
  const written = [
    { name: "a", when: { currency: "USD" } },
    { name: "b", when: { "card.network": "visa" } },
    { name: "c", when: { "card.colour": "red" } }
  ]
  const decision = {
    rule: "b",
    ruleset: "sha256:00",
    reason: "priority",
    candidates: [{ provider: "gone", reason: "priority" }],
    dropped: [{ provider: "long gone", reason: "mode_mismatch" }]
  } as const
  const decided = (config: unknown, rule = "b") => explainDecided(config, { ...decision, rule }, factsOf(made))

  it("lists the conditions up to the rule that made it, whatever else its rules say, and no providers", () => {
    const reported = decided({
      rules: written,
      version: 0,
      default: "was otherwise",
      failover: { deadline: "200000000d" }
    })
    assert.deepStrictEqual(reported, {
      ruleset: "sha256:00",
      summary:
        'Rule "b" decided, because card.network is visa. gone was the only available provider. long gone was left out: it takes live payments only. No other provider is left for failover.',
      rules: [
        { name: "a", matches: false, conditions: [leaf("currency USD", false, "EUR")] },
        { name: "b", matches: true, conditions: [leaf("card.network visa", true, "visa")] }
      ],
      answer: { _tag: "Plan", decision, candidates: decision.candidates }
    })
  })

  it("is explained by its rules while they can be compiled", async () => {
    const config = rules({ currency: "USD" }, { "card.network": "visa" }, { livemode: true })
    const routing = await compiled(config)
    for (const each of [made, payment(card(), "EUR")]) {
      const asked = explained(routing, each)
      if (asked.answer._tag === "NoRoute") throw new Error("no candidate")
      assert.deepStrictEqual(explainDecided(config, asked.answer.decision, factsOf(each)), asked)
    }
  })

  it("by default lists all rules before", () => {
    assert.deepStrictEqual(
      decided({ rules: written.slice(0, 2) }, "default")?.rules.map(({ name }) => name),
      ["a", "b", "default"]
    )
    assert.deepStrictEqual(decided({}, "default")?.rules, [{ name: "default", matches: true, conditions: [] }])
  })

  it("is not explained in part if conditions up to its rule cannot be read", () => {
    assert.isNull(decided({ rules: written }, "c"))
    assert.isNull(decided({ rules: written }, "default"))
    for (const other of [null, [], { rules: {} }, { rules: [{ when: {} }] }]) assert.isNull(decided(other))
  })
})

describe("a condition says what it asks, whether it holds, and what the payment has", () => {
  const reported: ReadonlyArray<readonly [when: unknown, ExplainedCondition]> = [
    [{ currency: "EUR" }, leaf("currency EUR", true, "EUR")],
    [{ currency: ["EUR", "USD"] }, leaf("currency EUR or USD", true, "EUR")],
    [{ payment_method: "card" }, leaf("payment_method card", true, "card")],
    [{ livemode: true }, leaf("livemode true", false, false)],
    [{ "card.country": "IN" }, leaf("card.country IN", false, null)],
    [{ "metadata.plan": { starts_with: "go" } }, leaf("metadata.plan starts_with go", true, "gold")],
    [{ "metadata.plan": { ends_with: "x" } }, leaf("metadata.plan ends_with x", false, "gold")],
    [{ "card.bin": { in_prefixes: ["52", "41"] } }, leaf("card.bin in_prefixes 52 or 41", true, "411111")],
    [{ "card.bin": { exists: true } }, leaf("card.bin exists true", true, "411111")],
    [{ "card.bin": { exists: false } }, leaf("card.bin exists false", false, "411111")],
    [{ "card.country": { exists: false } }, leaf("card.country exists false", true, null)],
    [
      { time: { between: ["23:30", "00:30"], zone: "Asia/Kolkata" } },
      leaf("time between 23:30 and 00:30 Asia/Kolkata", true, "23:30 Asia/Kolkata")
    ],
    [{ time: { between: ["09:05", "17:00"] } }, leaf("time between 09:05 and 17:00 UTC", false, "18:00 UTC")]
  ]
  for (const [when, expected] of reported) {
    it(`says: ${expected.asked}`, async () => assert.deepStrictEqual(await conditionsOf(when), [expected]))
  }

  const amounts: ReadonlyArray<readonly [amount: unknown, asked: string, holds: boolean]> = [
    [500, "amount 500", true],
    [[1, 2], "amount 1 or 2", false],
    [{ gt: 500 }, "amount gt 500", false],
    [{ gte: 500 }, "amount gte 500", true],
    [{ lt: 500 }, "amount lt 500", false],
    [{ lte: 500 }, "amount lte 500", true],
    [{ between: [400, 600] }, "amount between 400 and 600", true]
  ]
  for (const [amount, asked, holds] of amounts) {
    it(`says: ${asked}`, async () => {
      const [, condition] = await conditionsOf({ currency: "EUR", amount })
      assert.deepStrictEqual(condition, leaf(asked, holds, 500))
    })
  }

  it("of several operators, one by one", async () => {
    assert.deepStrictEqual(await conditionsOf({ currency: "EUR", amount: { gt: 1, lt: 400 } }), [
      leaf("currency EUR", true, "EUR"),
      leaf("amount gt 1", true, 500),
      leaf("amount lt 400", false, 500)
    ])
  })

  it("of all, any and not, with what is inside; several side by side are all, in the order of the language", async () => {
    const when = {
      all: [{ currency: "EUR" }],
      any: [{ livemode: true, "card.network": "visa" }, { "card.network": "visa" }],
      not: { currency: "EUR", livemode: true }
    }
    const euros = leaf("currency EUR", true, "EUR")
    const live = leaf("livemode true", false, false)
    const visa = leaf("card.network visa", true, "visa")
    assert.deepStrictEqual(await conditionsOf(when), [
      { asked: "all", holds: true, actual: null, of: [euros] },
      {
        asked: "any",
        holds: true,
        actual: null,
        of: [{ asked: "all", holds: false, actual: null, of: [visa, live] }, visa]
      },
      { asked: "not", holds: true, actual: null, of: [euros, live] }
    ])
  })

  it("of a single condition in not, as that condition", async () => {
    const [condition] = await conditionsOf({ not: { currency: "USD" } })
    assert.deepStrictEqual(condition, {
      asked: "not",
      holds: true,
      actual: null,
      of: [leaf("currency USD", false, "EUR")]
    })
  })
})

describe("by law", () => {
  it("a rule matches if each of its conditions holds, and what holds follows from what is inside", async () => {
    const follows = (condition: ExplainedCondition): boolean => {
      const inside = condition.of.map(({ holds }) => holds)
      if (!condition.of.every(follows)) return false
      if (condition.asked === "all") return condition.holds === inside.every(Boolean)
      if (condition.asked === "any") return condition.holds === inside.some(Boolean)
      return condition.asked !== "not" || condition.holds !== inside.every(Boolean)
    }
    let asked = 0
    const check = fc.asyncProperty(someWhen(2), async (when) => {
      const config = rules(when)
      if (problems(config).length > 0) return
      const [rule] = explained(await compiled(config)).rules
      if (rule === undefined) throw new Error("no rule was looked at")
      assert.strictEqual(
        rule.matches,
        rule.conditions.every(({ holds }) => holds)
      )
      assert.isTrue(rule.conditions.every(follows))
      asked += rule.conditions.length
    })
    await fc.assert(check, { numRuns: 1000, seed: 1 })
    assert.isAbove(asked, 300)
  })
})
