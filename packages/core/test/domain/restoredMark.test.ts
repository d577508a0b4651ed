/** How the mark of a restored database is set. */
import { assert, describe, it } from "@effect/vitest"
import { clientsRepeatFor, isHolding, markedAs } from "../../src/domain/restoredMark.ts"

const report = { wentBackTo: 1_000, acceptedDoubles: ["a"], until: null }

describe("the mark of a restored database", () => {
  it("holds for as long as clients may repeat requests, or as the operator says", () => {
    const mark = markedAs(null, report, 5_000)
    assert.deepStrictEqual(mark, {
      wentBackTo: 1_000,
      markedAt: 5_000,
      until: 5_000 + clientsRepeatFor,
      acceptedDoubles: ["a"]
    })
    assert.isTrue(isHolding(mark, mark.until - 1))
    assert.isFalse(isHolding(mark, mark.until))
    assert.isFalse(isHolding(null, 0))
    assert.strictEqual(markedAs(null, { ...report, until: 6_000 }, 5_000).until, 6_000)
  })

  it("is corrected if the same moment is given again: what was lost was lost before the first mark", () => {
    const mark = markedAs(null, report, 5_000)
    assert.deepStrictEqual(markedAs(mark, { ...report, acceptedDoubles: [] }, 9_000), { ...mark, acceptedDoubles: [] })
    assert.strictEqual(markedAs(mark, { ...report, until: 9_000 }, 9_000).until, 9_000)
  })

  it("covers both losses if the database goes back again while it holds, and only the last one afterwards", () => {
    const mark = markedAs(null, report, 5_000)
    const again = { wentBackTo: 7_000, acceptedDoubles: [], until: null }
    assert.deepInclude(markedAs(mark, again, 9_000), { wentBackTo: 1_000, markedAt: 9_000, acceptedDoubles: [] })
    assert.deepInclude(markedAs(mark, again, mark.until), { wentBackTo: 7_000, markedAt: mark.until })
  })
})
