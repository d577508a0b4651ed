/** Which slices of time one statement of a list by amount may pass. */
import { assert, describe, it } from "@effect/vitest"
import { readSlices } from "../src/lists/amountSlices.ts"

const most = { slices: 64, payments: 10 }

/** Slices of so many payments in the range each, as a statement reads them; `isLast`: none follows the last of them. */
const rowsOf = (counts: ReadonlyArray<number>, isLast: boolean) => {
  const rows: Array<{ readonly slice: string | null; readonly found: number }> = []
  let found = 0
  for (const [place, count] of counts.entries()) {
    rows.push({ slice: `slice${place}`, found })
    if (found >= most.payments) return rows
    found += count
  }
  return isLast ? [...rows, { slice: null, found }] : rows
}

describe("slices are passed together", () => {
  it("as many as have fewer payments in the range than a statement may pass, and the end where all have", () => {
    for (const [counts, passed] of [
      [[], 0],
      [[9], 1],
      [[10], 0],
      [[4, 5, 0], 3],
      [[4, 5, 1], 2],
      [[4, 6, 0], 1],
      [[10, 0, 0], 0]
    ] as const) {
      const { isEnd, slices } = readSlices(rowsOf(counts, true), most)
      assert.deepStrictEqual([slices.length, isEnd], [passed, passed === counts.length], counts.join())
      assert.deepStrictEqual(slices, ["slice0", "slice1", "slice2"].slice(0, passed), counts.join())
    }
  })

  it("and another statement goes on where others may follow, or nothing was read", () => {
    assert.deepStrictEqual(readSlices(rowsOf([1, 2, 3], false), most), { slices: ["slice0", "slice1"], isEnd: false })
    assert.deepStrictEqual(readSlices([], most), { slices: [], isEnd: false })
  })
})
