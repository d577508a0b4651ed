import { assert, describe, it } from "@effect/vitest"
import { amount } from "../../../../test/support/amount.ts"
import { noFalseRefusal } from "./noFalseRefusal.ts"

describe("the check", () => {
  for (const seed of amount({ part: [1], all: [1, 2] })) {
    it(`refuses no rule that a payment can reach, and nearly all others: 5,000 rulesets, seed ${seed}`, () => {
      const { dead, refused, rules } = noFalseRefusal(5000, seed)
      assert.isAtLeast(dead / rules, 0.2)
      assert.isAtLeast(refused / dead, 0.95)
    }, 180_000)
  }
})
