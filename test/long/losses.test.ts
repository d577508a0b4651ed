/** The expectations of `test/losses/losses.test.ts` over 10,000 lost commits. */
import { assert, describe, it } from "@effect/vitest"
import { loseCommits, tableOf } from "../losses/loseCommits.ts"
import { slice } from "../support/amount.ts"

/** More than 1,000 lost commits take far fewer than 1,000 seeds. */
const seeds = Array.from({ length: 10 }, (_, index) => 1_000 * (index + 1))

describe("1,000 commits that are lost", () => {
  it.each(slice(seeds, 10))(
    "are charged once where the request is repeated, and else found: from seed %d",
    async (first) => {
      const totals = await loseCommits(first, 1_000)
      process.stdout.write(`${tableOf(totals)}\n`)
      assert.deepStrictEqual(totals.faults, [])
      assert.isAbove(totals.endings["covered, once"] ?? 0, 300)
      assert.isAbove(totals.kinds.automatic ?? 0, 10)
      assert.isAbove(totals.kinds.failover ?? 0, 50)
    }
  )
})
