import { assert, describe, it } from "@effect/vitest"
import type { Reading } from "./reading.ts"
import { summaryOf, verdictOf } from "./verdicts.ts"

const reading = (was: number, low: number, estimate: number, high: number): Reading => ({
  rate: { low, estimate, high },
  was,
  coverage: 1,
  neverHad: false,
  cost: null
})

describe("the verdict about a backtest", () => {
  it("compares the signs of the true and the reported change", () => {
    const truth = { old: 0.9, draft: 0.8 }
    assert.strictEqual(verdictOf(truth, reading(0.92, 0.8, 0.85, 0.9)).sign, "right")
    assert.strictEqual(verdictOf(truth, reading(0.84, 0.8, 0.85, 0.9)).sign, "wrong")
    assert.strictEqual(verdictOf(truth, reading(0.85, 0.8, 0.85, 0.9)).sign, "wrong")
  })

  it("judges a change of less than a point by whether a small one is reported", () => {
    const truth = { old: 0.9, draft: 0.905 }
    assert.strictEqual(verdictOf(truth, reading(0.9, 0.85, 0.885, 0.92)).sign, "close")
    assert.strictEqual(verdictOf(truth, reading(0.9, 0.85, 0.875, 0.92)).sign, "wrong")
  })

  it("has the draft's true rate in the range, its ends included", () => {
    const range = reading(0.9, 0.78, 0.85, 0.88)
    for (const [draft, isIn] of [
      [0.77, false],
      [0.78, true],
      [0.88, true],
      [0.89, false]
    ] as const) {
      assert.strictEqual(verdictOf({ old: 0.9, draft }, range).inRange, isIn)
    }
    assert.closeTo(verdictOf({ old: 0.9, draft: 0.8 }, range).width, 10, 1e-9)
  })

  it("counts a report without a number as neither right nor in range, and as wide as can be", () => {
    const verdict = verdictOf({ old: 0.9, draft: 0.8 }, { ...reading(0.9, 0, 0, 0), rate: null })
    assert.deepStrictEqual(verdict, { sign: "withheld", inRange: false, width: 100 })
    assert.strictEqual(summaryOf([verdict]).rightSigns, 0)
  })

  it("takes the median of an even and of an odd number of widths", () => {
    const of = (widths: ReadonlyArray<number>) =>
      summaryOf(widths.map((width) => ({ sign: "right", inRange: true, width }))).medianWidth
    assert.deepStrictEqual([of([9, 1, 4]), of([9, 1, 4, 6])], [4, 5])
  })
})
