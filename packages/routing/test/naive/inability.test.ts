import { assert, describe, it } from "@effect/vitest"
import { amount } from "../../../../test/support/amount.ts"
import { noFalseInability } from "./noFalseInability.ts"

describe("the check", () => {
  const rulesets = amount({ part: 2000, all: 100_000 })
  it(`calls no provider unable that can take a payment of the rule, and nearly all others: ${rulesets} rulesets`, () => {
    const { pairs, reasons, refused, unable } = noFalseInability(rulesets, 2026)
    assert.isAtLeast(unable / pairs, 0.2)
    assert.isAtLeast(refused / unable, 0.9)
    for (const fact of facts) assert.isAtLeast(reasons.get(fact) ?? 0, 1, fact)
  }, 1_800_000)
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
