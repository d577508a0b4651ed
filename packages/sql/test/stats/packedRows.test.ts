import { assert, describe, it } from "@effect/vitest"
import { stepMs } from "../../src/stats/Deltas.ts"
import { unpackCounts, unpackDurations } from "../../src/stats/packedRows.ts"

describe("packed rows", () => {
  it("hold the sums of many steps in the order packed, also of a step that counts less than nothing", () => {
    assert.deepStrictEqual(
      unpackCounts(
        [
          ["acme", "succeeded", "EUR", "496712,3,2097151,4294967295,0,500,496713,-1,-1,0,0,-7"],
          [null, "failed", "INR", "-1,1,0,100,0,0"]
        ],
        "hour"
      ),
      [
        [496_712 * stepMs.hour, "acme", "succeeded", "EUR", 3, 2_097_151, 4_294_967_295, 0, 500],
        [496_713 * stepMs.hour, "acme", "succeeded", "EUR", -1, -1, 0, 0, -7],
        [-stepMs.hour, null, "failed", "INR", 1, 0, 100, 0, 0]
      ]
    )
  })

  it("hold the buckets of many steps", () => {
    assert.deepStrictEqual(
      unpackDurations(
        [
          ["acme", "20696[0,3,17,-1]20697[5,1]"],
          [null, "-1[2,2]"]
        ],
        "day"
      ),
      [
        [20_696 * stepMs.day, "acme", "[0,3,17,-1]"],
        [20_697 * stepMs.day, "acme", "[5,1]"],
        [-stepMs.day, null, "[2,2]"]
      ]
    )
  })
})
