/** No false refusal in 100,000 random rulesets. The ordinary tests look at 10,000 others. */
import { assert, describe, it } from "@effect/vitest"
import { noFalseRefusal } from "../../packages/routing/test/naive/noFalseRefusal.ts"
import { slice } from "../support/amount.ts"

const seeds = Array.from({ length: 20 }, (_, index) => 2026 + index)

describe("the check of routing rules", () => {
  it.each(slice(seeds, 20))(
    "refuses no rule that a payment can reach, and nearly all others: 5,000 rulesets of seed %d",
    (seed) => {
      const { dead, refused, rules } = noFalseRefusal(5_000, seed)
      process.stdout.write(`${rules} rules, ${dead} that no payment reaches, ${refused} of those refused\n`)
      assert.isAtLeast(dead / rules, 0.2)
      assert.isAtLeast(refused / dead, 0.95)
    }
  )
})
