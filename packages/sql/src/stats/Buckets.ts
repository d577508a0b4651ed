/**
 * Durations counted in logarithmic buckets, so that percentiles of several hours, providers or currencies can be
 * computed: their counts are added. Bucket 0 holds 0 ms. Bucket `i` holds `growth^(i-1)` (inclusive) to `growth^i`
 * (exclusive) ms, and stands for its geometric middle: a percentile is at most 4.9 % off (`sqrt(growth) - 1`).
 */

/** @internal Exported for the test of its error bound. */
export const growth = 1.1

/** The number of durations in each bucket, by the index of the bucket. */
export type Buckets = ReadonlyArray<number>

export const bucketOf = (ms: number): number => (ms < 1 ? 0 : 1 + Math.floor(Math.log(ms) / logGrowth + tolerance))

/**
 * The geometric middle of a bucket, ms.
 *
 * @internal Exported for its own test.
 */
export const middleOf = (bucket: number): number => (bucket === 0 ? 0 : growth ** (bucket - 0.5))

const logGrowth = Math.log(growth)
/** The tolerance for rounded logarithms: a duration on the edge of a bucket must not fall below it. */
const tolerance = 1e-9

export const addToBucket = (sums: Array<number>, bucket: number, count: number): void => {
  // The array is filled without holes, because arrays with holes are slow.
  while (sums.length <= bucket) sums.push(0)
  sums[bucket] = (sums[bucket] ?? 0) + count
}

/** Adds the counts of `other` to `sums`. */
export const addBuckets = (sums: Array<number>, other: Buckets): void => {
  for (const [bucket, count] of other.entries()) addToBucket(sums, bucket, count)
}

/**
 * Computes percentiles by nearest rank, ms: for each share (0 to 1, ascending), the duration that this share of all
 * durations does not exceed; 0 without durations.
 */
export const percentiles = (buckets: Buckets, shares: ReadonlyArray<number>): ReadonlyArray<number> => {
  const count = countOf(buckets)
  let bucket = -1
  let passed = 0
  return shares.map((share) => {
    const rank = Math.max(1, Math.ceil(count * share))
    while (passed < rank && bucket + 1 < buckets.length) passed += buckets[++bucket] ?? 0
    return Math.round(middleOf(Math.max(0, bucket)))
  })
}

export const countOf = (buckets: Buckets): number => {
  let sum = 0
  for (const count of buckets) sum += count
  return sum
}

/** Encodes buckets as a JSON list of bucket index and count, alternating. Empty buckets are left out. */
export const encodeBuckets = (buckets: Buckets): string =>
  JSON.stringify(buckets.flatMap((count, bucket) => (count === 0 ? [] : [bucket, count])))

export const decodeBuckets = (text: string): Array<number> => {
  const buckets: Array<number> = []
  addEncoded(buckets, text)
  return buckets
}

/**
 * Adds buckets, as encoded by `encodeBuckets`, to `sums`. The text contains only integers and is parsed by hand: a
 * chart reads thousands of these texts, and `JSON.parse` would take most of its time.
 */
export const addEncoded = (sums: Array<number>, text: string): void => {
  let bucket = -1
  let number = 0
  let sign = 1
  for (let i = 1; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (char >= zero && char <= nine) number = number * 10 + char - zero
    else if (char === minus) sign = -1
    else {
      if (bucket === -1) bucket = number
      else {
        addToBucket(sums, bucket, sign * number)
        bucket = -1
      }
      number = 0
      sign = 1
    }
  }
}

const [minus, zero, nine] = [45, 48, 57]
