import { assert, describe, it } from "@effect/vitest"
import { inTurn } from "../../../../test/support/amount.ts"
import { noFalseInability } from "./noFalseInability.ts"

describe("the check", () => {
  const rulesets = 2000
  const seeds = Array.from({ length: 50 }, (_, index) => 2026 + index)
  it.each(inTurn(seeds))(
    `calls no provider unable that can take a payment of the rule, and nearly all others: ${rulesets} rulesets, seed %i`,
    (seed) => {
      const { pairs, reasons, refused, unable } = noFalseInability(rulesets, seed)
      assert.isAtLeast(unable / pairs, 0.2)
      assert.isAtLeast(refused / unable, 0.9)
      for (const fact of facts) assert.isAtLeast(reasons.get(fact) ?? 0, 1, fact)
    }
  )
})

/** Each was a reason to refuse. */
const facts = [
  "flow",
  "amount",
  "capture_method",
  "card.network",
  "stablecoin.asset",
  "stablecoin.network",
  "customer.phone_country"
]
