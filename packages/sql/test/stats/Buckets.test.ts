import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  addBuckets,
  addToBucket,
  bucketOf,
  countOf,
  decodeBuckets,
  encodeBuckets,
  growth,
  middleOf,
  percentiles
} from "../../src/stats/Buckets.ts"

const bucketsOf = (values: ReadonlyArray<number>) => {
  const buckets: Array<number> = []
  for (const value of values) addToBucket(buckets, bucketOf(value), 1)
  return buckets
}

const durations = fc.array(fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 1e10 })), {
  minLength: 1
})

describe("buckets of durations", () => {
  it("stand for each of their values with an error of at most 4.9 %", () => {
    for (let i = 0; i < 300; i++) {
      for (const value of [growth ** i, growth ** (i + 1) * (1 - 1e-6), Math.ceil(growth ** i)]) {
        assert.isAtMost(Math.abs(middleOf(bucketOf(value)) / value - 1), 0.0489, String(value))
      }
    }
    assert.strictEqual(middleOf(bucketOf(0)), 0)
  })

  it("give each percentile by nearest rank, whatever they were merged from", () => {
    fc.assert(
      fc.property(durations, fc.nat(), (values, cut) => {
        const [one, other] = [values.slice(0, cut % values.length), values.slice(cut % values.length)]
        const merged = decodeBuckets(encodeBuckets(bucketsOf(one)))
        addBuckets(merged, decodeBuckets(encodeBuckets(bucketsOf(other))))
        assert.strictEqual(encodeBuckets(merged), encodeBuckets(bucketsOf(values)))
        assert.strictEqual(countOf(merged), values.length)
        const shares = [0, 0.01, 0.5, 0.95, 0.99, 1]
        for (const [index, found] of percentiles(merged, shares).entries()) {
          const rank = Math.max(1, Math.ceil(values.length * (shares[index] ?? 0)))
          const exact = values.toSorted((a, b) => a - b)[rank - 1] ?? 0
          assert.isAtMost(Math.abs(found - exact), exact * 0.049 + 0.5)
        }
      })
    )
  })

  it("are the same after they were stored, also below 0: a later event may be counted before the one that it replaces", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constant(0), fc.integer())), (counts) => {
        const stored = encodeBuckets(counts)
        assert.deepStrictEqual(
          JSON.parse(stored),
          counts.flatMap((count, bucket) => (count === 0 ? [] : [bucket, count]))
        )
        assert.deepStrictEqual(
          Array.from(counts, (_, bucket) => decodeBuckets(stored)[bucket] ?? 0),
          counts.map((count) => count + 0)
        )
      })
    )
    assert.strictEqual(encodeBuckets([0, 0]), "[]")
    assert.deepStrictEqual(decodeBuckets("[]"), [])
  })

  it("are 0 ms without a duration", () => {
    assert.deepStrictEqual(percentiles([], [0.5, 1]), [0, 0])
  })
})
