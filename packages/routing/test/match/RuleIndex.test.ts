/** The index against asking rule after rule. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { conditionOf, predicateOf } from "../../src/match/Condition.ts"
import type { Condition } from "../../src/match/Condition.ts"
import type { Facts } from "../../src/Facts.ts"
import { amount } from "../../../../test/support/amount.ts"
import { firstMatch } from "../../src/match/RuleIndex.ts"
import type { When } from "../../src/language/When.ts"
import { someFacts, someWhen } from "../arbitraryConditions.ts"

const conditionsOf = (whens: ReadonlyArray<When>) => whens.map((when) => conditionOf(when, {}))

const scanned = (conditions: ReadonlyArray<Condition>) => {
  const predicates = conditions.map(predicateOf)
  return (facts: Facts, from: number) => predicates.findIndex((holds, rule) => rule >= from && holds(facts))
}

/** That both say the same of every payment, from every rule on. */
const agree = (whens: ReadonlyArray<When>, payments: ReadonlyArray<Facts>, froms: ReadonlyArray<number>): number => {
  const conditions = conditionsOf(whens)
  const [index, scan] = [firstMatch(conditions), scanned(conditions)]
  let matches = 0
  for (const facts of payments) {
    for (const from of froms) {
      const expected = scan(facts, from)
      assert.strictEqual(index(facts, from), expected)
      if (expected >= 0) matches++
    }
  }
  return matches
}

describe("the first rule that matches is that of asking rule after rule", () => {
  const payments = fc.array(someFacts, { minLength: 8, maxLength: 8 })

  it("for up to twelve rules of any conditions, from each of them on", () => {
    const check = fc.property(fc.array(someWhen(), { maxLength: 12 }), payments, (whens, payments) => {
      agree(whens, payments, [...whens.keys(), whens.length, whens.length + 1])
    })
    fc.assert(check, { numRuns: amount({ part: 500, all: 1500 }), seed: 1 })
  })

  it("for single conditions, where nothing hides a wrong look-up", () => {
    const check = fc.property(fc.array(someWhen(0), { minLength: 2, maxLength: 4 }), payments, (whens, payments) => {
      agree(whens, payments, [0, 1])
    })
    fc.assert(check, { numRuns: amount({ part: 1000, all: 3000 }), seed: 2 })
  })

  it.each([31, 32, 33, 63, 64, 65, 200])("for %i rules: words of bits end everywhere", (rules) => {
    let matches = 0
    const check = fc.property(
      fc.array(someWhen(1), { minLength: rules, maxLength: rules }),
      payments,
      fc.array(fc.integer({ min: 0, max: rules }), { minLength: 4, maxLength: 4 }),
      (whens, payments, froms) => {
        matches += agree(whens, payments, [0, ...froms, 31, 32, 33, rules - 1, rules])
      }
    )
    fc.assert(check, { numRuns: 30, seed: rules })
    assert.isAbove(matches, 0)
  })

  it("for thousands of rules, which are looked up in groups", () => {
    const whens = fc.sample(someWhen(1), { numRuns: 3000, seed: 3 })
    const payments = fc.sample(someFacts, { numRuns: amount({ part: 100, all: 300 }), seed: 4 })
    const never = (when: When): When => ({ all: [when, { currency: "EUR" }, { currency: "USD" }] })
    agree(whens, payments, [0, 1, 1500, 2990, 2999])
    // Most of them never match, so that the first is far back.
    const sparse = whens.map((when, rule) => (rule % 500 === 499 ? when : never(when)))
    assert.isAbove(agree(sparse, payments, [0, 700, 2000]), 0)
  })

  it("for rules of more alternatives than an index keeps, and beside such rules", () => {
    const pairs = (count: number): When => ({
      all: Array.from({ length: count }, (_, n) => ({
        any: [{ "metadata.plan": n % 2 === 0 ? "gold" : "plus" }, { amount: { gt: n * 20 } }, { livemode: n % 3 === 0 }]
      }))
    })
    const check = fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(someWhen(1), { maxLength: 5 }),
      payments,
      (count, others, payments) => {
        const whens = [pairs(count), ...others, { not: pairs(count) }, pairs(1)]
        agree(whens, payments, [0, 1, whens.length - 2, whens.length - 1])
      }
    )
    fc.assert(check, { numRuns: amount({ part: 100, all: 300 }), seed: 5 })
  })
})

describe("an index", () => {
  it("of no rules finds none", () => {
    for (const facts of fc.sample(someFacts, 5)) assert.strictEqual(firstMatch([])(facts, 0), -1)
  })

  it("finds `when: {}` for every payment, and nothing behind the last rule", () => {
    const index = firstMatch(conditionsOf([{}, {}]))
    for (const facts of fc.sample(someFacts, 5)) {
      assert.deepStrictEqual(
        [0, 1, 2, 99].map((from) => index(facts, from)),
        [0, 1, -1, -1]
      )
    }
  })

  it("gives the same answer again after any other question", () => {
    const conditions = conditionsOf(fc.sample(someWhen(1), { numRuns: 100, seed: 6 }))
    const payments = fc.sample(someFacts, { numRuns: 50, seed: 7 })
    const index = firstMatch(conditions)
    const once = payments.map((facts) => index(facts, 0))
    const backwards = payments.toReversed().map((facts) => index(facts, 0))
    assert.deepStrictEqual(backwards.toReversed(), once)
  })
})
