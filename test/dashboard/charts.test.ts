/** The axes of charts, and the gaps in their lines. */
import { assert, describe, it } from "@effect/vitest"
import { runsOf, ticksTo } from "../../packages/dashboard/app/src/charts/scale.ts"
import { labeledSteps, stepsOf, stepText } from "../../packages/dashboard/app/src/charts/steps.ts"

const midnight = Date.UTC(2026, 10, 24)
const hour = 3_600_000

describe("charts", () => {
  it("have every hour and day of UTC, also those without data", () => {
    assert.deepStrictEqual(
      stepsOf(midnight, midnight + 3 * hour, "hour").map((start) => stepText(start, "hour")),
      ["24 Nov, 00:00 UTC", "24 Nov, 01:00 UTC", "24 Nov, 02:00 UTC"]
    )
    assert.deepStrictEqual(
      stepsOf(midnight + hour, midnight + 25 * hour, "day").map((start) => stepText(start, "day")),
      ["24 Nov", "25 Nov"]
    )
    assert.deepStrictEqual(stepsOf(midnight, midnight, "day"), [])
  })

  it("leave a gap where nothing is known, and none at zero", () => {
    assert.deepStrictEqual(runsOf([null, 1, 0, null, null, 2]), [
      [
        { index: 1, value: 1 },
        { index: 2, value: 0 }
      ],
      [{ index: 5, value: 2 }]
    ])
    assert.deepStrictEqual(runsOf([null]), [])
  })

  it("end at a round value, and count in whole numbers", () => {
    assert.deepStrictEqual(ticksTo(29), [0, 10, 20, 30])
    assert.deepStrictEqual(ticksTo(1), [0, 0.5, 1])
    assert.deepStrictEqual(ticksTo(1, 1), [0, 1])
    assert.deepStrictEqual(ticksTo(0), [0, 1])
    assert.deepStrictEqual(ticksTo(1_000_000), [0, 500_000, 1_000_000])
  })

  it("label no more steps than fit, each at midnight", () => {
    const starts = stepsOf(midnight, midnight + 7 * 24 * hour, "hour")
    const labels = labeledSteps(starts, 3)
    assert.isAtMost(labels.length, 3)
    for (const index of labels) assert.strictEqual((starts[index] ?? 1) % (24 * hour), 0)
  })
})
