/** No false refusal in 100,000 random rulesets. The ordinary tests look at 10,000 others. */
import { assert, describe, it } from "@effect/vitest"
import { noFalseRefusal } from "../../packages/routing/test/naive/noFalseRefusal.ts"

describe("the check of routing rules", () => {
  it("refuses no rule that a payment can reach, and nearly all others: 100,000 rulesets", () => {
    const { dead, refused, rules } = noFalseRefusal(100_000, 2026)
    process.stdout.write(`${rules} rules, ${dead} that no payment reaches, ${refused} of those refused\n`)
    assert.isAtLeast(dead / rules, 0.2)
    assert.isAtLeast(refused / dead, 0.95)
  })
})
