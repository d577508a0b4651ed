/** The expectations of `test/losses/losses.test.ts` over 10,000 lost commits. */
import { assert, describe, it } from "@effect/vitest"
import { loseCommits, tableOf } from "../losses/loseCommits.ts"

describe("10,000 commits that are lost", () => {
  it("are charged once where the request is repeated, and else found", async () => {
    const totals = await loseCommits(1_000, 10_000)
    process.stdout.write(`${tableOf(totals)}\n`)
    assert.deepStrictEqual(totals.faults, [])
    assert.isAbove(totals.endings["covered, once"] ?? 0, 3_000)
    assert.isAbove(totals.kinds.automatic ?? 0, 100)
    assert.isAbove(totals.kinds.failover ?? 0, 500)
  })
})
