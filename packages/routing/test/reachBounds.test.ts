/** What the check may cost: however tangled rules are, it ends, and what it did not get to is let through. */
import { assert, describe, it } from "@effect/vitest"
import { reachOf } from "../src/check/Reach.ts"
import type { Reach } from "../src/check/Reach.ts"
import type { When } from "../src/language/When.ts"
import { conditionOf } from "../src/match/Condition.ts"
import { firstMatch } from "../src/match/RuleIndex.ts"

/** How each rule is reached, and how many payments were tried for it. */
const reachAndLooks = (
  whens: ReadonlyArray<When>
): { readonly reach: ReadonlyArray<Reach>; readonly looks: number } => {
  const conditions = whens.map((when) => conditionOf(when, {}))
  const first = firstMatch(conditions)
  let looks = 0
  const reach = reachOf(conditions, (facts, from) => {
    looks++
    return first(facts, from)
  })
  return { reach, looks }
}

const tags = (reach: ReadonlyArray<Reach>) => reach.map(({ _tag }) => _tag)

describe("the check of whether rules are reached", () => {
  const bands = Array.from({ length: 400 }, (_, i): When => ({
    currency: "USD",
    amount: { between: [i, i + 100_000] }
  }))
  const never: When = { currency: "USD", amount: { gt: 5, lt: 3 } }
  const twin: When = { payment_method: "card", currency: "EUR" }

  it("finds a dead rule wherever it stands among hundreds that overlap", () => {
    for (const whens of [
      [...bands, never, twin, twin],
      [never, twin, ...bands, twin]
    ]) {
      const { reach } = reachAndLooks(whens)
      assert.deepStrictEqual(
        tags(reach)
          .filter((tag) => tag !== "Reachable")
          .toSorted(),
        ["Never", "Shadowed"]
      )
    }
  })

  it("names the one rule that is enough, not those that it met on the way", () => {
    const { reach } = reachAndLooks([
      { currency: "USD", amount: { lt: 50 } },
      { currency: "USD", amount: { gt: 10 } },
      { currency: "USD", amount: { between: [20, 60] } }
    ])
    assert.deepStrictEqual(reach[2], { _tag: "Shadowed", by: [1] })
  })

  it("gives up on one rule after some hundred looks", () => {
    const singles = Array.from({ length: 999 }, (_, i): When => ({ currency: "EUR", amount: i + 1 }))
    const alone = reachAndLooks(singles)
    const { looks, reach } = reachAndLooks([...singles, { currency: "EUR", amount: { between: [1, 999] } }])
    assert.strictEqual(reach.at(-1)?._tag, "Reachable")
    assert.isAtMost(looks - alone.looks, 1_000)
  })

  it("gives each of many rules the same part of what all of them may cost", () => {
    const singles = Array.from({ length: 300 }, (_, i): When => ({ currency: "EUR", amount: i + 1 }))
    const covered = Array.from({ length: 1_700 }, (_, i): When => ({
      currency: "EUR",
      amount: { between: [1, 300] },
      "metadata.a": `v${i}`
    }))
    const { looks } = reachAndLooks([...singles, ...covered])
    assert.isAtMost(looks, 2_000 * 60)
  })

  it("leaves a rule of thousands of tests alone", () => {
    const long: When = { all: Array.from({ length: 20_000 }, (_, i): When => ({ "metadata.a": `v${i}` })) }
    assert.deepStrictEqual(tags(reachAndLooks([long, long]).reach), ["Reachable", "Reachable"])
  })

  it("takes thousands of nested prefixes in lists for no more than they are", () => {
    const prefixes = Array.from({ length: 300 }, (_, i) => "1".repeat(i + 1))
    const all = Array.from({ length: 30 }, (): When => ({ "metadata.a": { in_prefixes: prefixes } }))
    const nested: When = { all }
    const refused: When = { all, not: { "metadata.a": { starts_with: "1" } } }
    assert.deepStrictEqual(tags(reachAndLooks([nested, refused]).reach), ["Reachable", "Never"])
  })
})
