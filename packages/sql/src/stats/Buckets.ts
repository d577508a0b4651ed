/**
 * Durations counted in logarithmic buckets, so that percentiles of any hours, providers or currencies can be merged: the
 * counts are added. Bucket 0 holds 0 ms. Bucket `i` holds `growth^(i-1)` (inclusive) to `growth^i` (exclusive) ms, and stands
 * for its geometric middle: a percentile is at most 4.9 % off (`sqrt(growth) - 1`).
 */

export const growth = 1.1

/** How many durations are in each bucket. */
export type Buckets = ReadonlyMap<number, number>

export const bucketOf = (ms: number): number => (ms < 1 ? 0 : 1 + Math.floor(Math.log(ms) / logGrowth + tolerance))

/** ms */
export const middleOf = (bucket: number): number => (bucket === 0 ? 0 : growth ** (bucket - 0.5))

const logGrowth = Math.log(growth)
/** A duration on the edge of a bucket does not fall below it because of how its logarithm is rounded. */
const tolerance = 1e-9

/** Adds `other` to `sums`. */
export const addBuckets = (sums: Map<number, number>, other: Buckets): void => {
  for (const [bucket, count] of other) sums.set(bucket, (sums.get(bucket) ?? 0) + count)
}

/** ms: the durations that these shares (0 to 1, ascending) of all do not exceed, by nearest rank. 0 without any. */
export const percentiles = (buckets: Buckets, shares: ReadonlyArray<number>): ReadonlyArray<number> => {
  const sorted = [...buckets].toSorted(([a], [b]) => a - b)
  const count = countOf(buckets)
  let index = -1
  let passed = 0
  return shares.map((share) => {
    const rank = Math.max(1, Math.ceil(count * share))
    while (passed < rank && index + 1 < sorted.length) passed += sorted[++index]?.[1] ?? 0
    return Math.round(middleOf(sorted[index]?.[0] ?? 0))
  })
}

export const countOf = (buckets: Buckets): number => {
  let sum = 0
  for (const count of buckets.values()) sum += count
  return sum
}

/** Buckets and their counts in turns, as JSON. Empty buckets are left out. */
export const encodeBuckets = (buckets: Buckets): string =>
  JSON.stringify(
    [...buckets]
      .filter(([, count]) => count !== 0)
      .toSorted(([a], [b]) => a - b)
      .flat()
  )

export const decodeBuckets = (text: string): Buckets => {
  const buckets = new Map<number, number>()
  addEncoded(buckets, text)
  return buckets
}

/** Adds buckets as they are stored to `sums`. */
export const addEncoded = (sums: Map<number, number>, text: string): void => {
  // Boundary: `encodeBuckets` wrote it.
  const flat = JSON.parse(text) as ReadonlyArray<number>
  for (let i = 0; i + 1 < flat.length; i += 2) {
    const bucket = flat[i] ?? 0
    sums.set(bucket, (sums.get(bucket) ?? 0) + (flat[i + 1] ?? 0))
  }
}
