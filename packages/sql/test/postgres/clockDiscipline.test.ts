import { assert, describe, it } from "@effect/vitest"
import { afterMeasurement, longestSlew, readingAt, startAt } from "../../src/postgres/clockDiscipline.ts"

/** ms UTC */
const noon = Date.UTC(2026, 0, 31, 12)
const minute = 60_000
const hour = 60 * minute

/** After an hour of agreement, the database's clock is `off` ms from the reading. Readings in ms from an hour after noon. */
const reading = (off: number) => {
  const before = startAt(0, noon)
  const { discipline, jump } = afterMeasurement(before, hour, noon + hour + off)
  return { jump, after: (elapsed: number) => readingAt(discipline, hour + elapsed) - noon - hour }
}

/** Readings right after the measurement, and 1, 10 and 60 s later. */
const table: ReadonlyArray<readonly [off: number, jump: number, readings: ReadonlyArray<number>]> = [
  [0, 0, [0, 1_000, 10_000, 60_000]],
  [400, 0, [400, 1_400, 10_400, 60_400]],
  [-400, 0, [0, 600, 9_600, 59_600]],
  [-2_000, 0, [0, 500, 8_000, 58_000]],
  [-longestSlew, 0, [0, 500, 5_000, 30_000]],
  [-longestSlew - 1, -longestSlew - 1, [-30_001, -29_001, -20_001, 29_999]],
  [-2 * minute, -2 * minute, [-120_000, -119_000, -110_000, -60_000]],
  [-2 * hour, -2 * hour, [-7_200_000, -7_199_000, -7_190_000, -7_140_000]],
  [longestSlew + 1, longestSlew + 1, [30_001, 31_001, 40_001, 90_001]],
  [40 * 24 * hour, 40 * 24 * hour, [3_456_000_000, 3_456_001_000, 3_456_010_000, 3_456_060_000]]
]

describe("a reading of the database's clock", () => {
  it.each(table)("that is off by %i ms: jumps by %i ms, then reads %j", (off, jump, readings) => {
    const found = reading(off)
    assert.strictEqual(found.jump, jump)
    assert.deepStrictEqual([0, 1_000, 10_000, 60_000].map(found.after), readings)
  })

  it("never stops, and never loses more than the longest slew", () => {
    for (let off = -longestSlew; off <= longestSlew; off += 1_000) {
      const { after } = reading(off)
      for (let elapsed = 0; elapsed < 2 * minute; elapsed += 500) {
        assert.isAtLeast(after(elapsed + 500) - after(elapsed), 250, `${off} ms off, after ${elapsed} ms`)
      }
      assert.strictEqual(after(2 * longestSlew), 2 * longestSlew + off)
    }
  })

  it("goes on from where it is when it is measured again while it runs slowly", () => {
    const first = afterMeasurement(startAt(0, noon), 0, noon - 10_000).discipline
    const second = afterMeasurement(first, 4_000, noon - 6_000)
    assert.strictEqual(second.jump, 0)
    assert.strictEqual(readingAt(second.discipline, 4_000), noon + 2_000)
    assert.strictEqual(readingAt(second.discipline, 20_000), noon + 10_000)
    assert.strictEqual(readingAt(second.discipline, 24_000), noon + 14_000)
  })
})
