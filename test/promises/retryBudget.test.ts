/** P14: an outage is not answered with a storm of repeats. */
import { assert, describe, it } from "@effect/vitest"
import { amount } from "../support/amount.ts"
import { outage, withoutBreaker } from "./outage.ts"

const total = { perSecond: 100, failing: 1, canInquire: true, breaker: {}, seed: 14 } as const

describe("a provider that is out", () => {
  it("for ten minutes at 100 payments a second is called less than in the best of times, each attempt thrice at most", async () => {
    const { asked, inquiries, mostSends, sends } = await outage({ ...total, minutes: 10 })
    assert.strictEqual(asked, 60_000)
    assert.isAtMost(sends + inquiries, 1.1 * asked)
    // It is the breaker that holds: without it nearly all of them would have been sent.
    assert.isBelow(sends + inquiries, 1_000)
    assert.isAtMost(mostSends, 3)
  })

  it("gets a tenth more sends and a reserve of ten where no breaker opens", async () => {
    for (const canInquire of [true, false]) {
      const perSecond = amount({ part: 25, all: 100 })
      const plan = { ...total, perSecond, breaker: withoutBreaker, canInquire, minutes: 1 }
      const { begun, mostSends, sends } = await outage(plan)
      assert.strictEqual(begun, 60 * perSecond)
      assert.isAtMost(sends, 1.1 * begun + 10)
      // The budget is used, and spent on attempts in turn.
      assert.isAtLeast(sends, 1.09 * begun)
      assert.strictEqual(mostSends, 3)
    }
  })
})
