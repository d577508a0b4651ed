import { assert, describe, it } from "@effect/vitest"
import { amount } from "../../../../test/support/amount.ts"
import { noFalseRefusal } from "./noFalseRefusal.ts"

describe("the check", () => {
  const rulesets = amount({ part: 2000, all: 5000 })
  for (const seed of amount({ part: [1], all: [1, 2] })) {
    it(`refuses no rule that a payment can reach, and nearly all others: ${rulesets} rulesets, seed ${seed}`, () => {
      const { dead, refused, rules } = noFalseRefusal(rulesets, seed)
      assert.isAtLeast(dead / rules, 0.2)
      assert.isAtLeast(refused / dead, 0.95)
    }, 600_000)
  }
})
