/** The expectations of `test/losses/losses.test.ts` over 10,000 lost commits; in CI, over 500 of twenty other stretches. */
import { assert, describe, it } from "@effect/vitest"
import { loseCommits, tableOf } from "../losses/loseCommits.ts"
import { isWhole, slice } from "../support/amount.ts"

const whole = { first: 1_000, losses: 10_000, covered: 3_000, automatic: 100, failover: 500 }
/** 500 losses are too few for a bound on each kind: at least one of each is expected. */
const stretches = Array.from({ length: 20 }, (_, index) => ({
  first: 1_000 * (index + 1),
  losses: 500,
  covered: 0,
  automatic: 0,
  failover: 0
}))

describe("commits that are lost", () => {
  it.each(isWhole() ? [whole] : slice(stretches, 20))(
    "are charged once where the request is repeated, and else found: $losses from seed $first on",
    async ({ automatic, covered, failover, first, losses }) => {
      const totals = await loseCommits(first, losses)
      process.stdout.write(`${tableOf(totals)}\n`)
      assert.deepStrictEqual(totals.faults, [])
      assert.isAbove(totals.endings["covered, once"] ?? 0, covered)
      assert.isAbove(totals.kinds.automatic ?? 0, automatic)
      assert.isAbove(totals.kinds.failover ?? 0, failover)
    }
  )
})
