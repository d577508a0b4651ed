/**
 * Monte Carlo samples of a rate: the expected rate, followed by 200 random draws from the rate's posterior
 * distribution. A calculation is repeated for each sample, so that the samples of its result give the result's
 * interval.
 */
import { avalanche, stickyHash } from "../choose/stickyHash.ts"
import type { Posterior } from "../learn/estimate.ts"

export type Draws = Float64Array

const DRAWN = 200

/** Creates samples of a known value: all are equal. */
export const certain = (value: number): Draws => new Float64Array(DRAWN + 1).fill(value)

/** Creates samples from a function that computes the sample at each index. */
export const combine = (of: (at: number) => number): Draws => {
  const made = new Float64Array(DRAWN + 1)
  for (let at = 0; at <= DRAWN; at++) made[at] = of(at)
  return made
}

/**
 * Draws samples of a segment's success rate. An error in the rate of a provider affects all segments of this provider
 * alike. So the samples are correlated with those of the wider segment (`wider`), by the weight of the wider segment in
 * the estimate. `key` is the seed.
 */
export const drawnFrom = (wider: Draws | null, step: Posterior, key: string): Draws => {
  const seed = stickyHash(key, 0)
  const { fromWider, known, rate } = step
  const centre = wider?.[0] ?? 0
  const follow = wider === null ? 0 : fromWider
  const own = Math.sqrt(
    Math.max(
      0,
      (DISPERSION * rate * (1 - rate)) / (known + 1) - follow * follow * (wider === null ? 0 : varianceOf(wider))
    )
  )
  return combine((at) => {
    if (at === 0) return rate
    const followed = wider === null ? 0 : follow * ((wider[at] ?? centre) - centre)
    // A sample may be below 0 or above 1. Limiting it would shift the mean of the samples and of their sums.
    return rate + followed + own * normal(avalanche(seed ^ at))
  })
}

/**
 * The variance of the number of successes among real attempts, relative to independent attempts. It is above 1 because
 * payers retry, and providers and issuers have bad hours. The value is an assumption, not measured here.
 */
const DISPERSION = 2

const varianceOf = (draws: Draws): number => {
  const centre = draws[0] ?? 0
  let sum = 0
  for (let at = 1; at <= DRAWN; at++) sum += ((draws[at] ?? 0) - centre) ** 2
  return sum / DRAWN
}

/** Converts a hash to a normally distributed number with mean 0 and standard deviation 1 (Box–Muller). */
const normal = (hash: number): number =>
  Math.sqrt(-2 * Math.log(uniform(hash))) * Math.cos(2 * Math.PI * uniform(avalanche(hash ^ 0x9e37_79b9)))

const uniform = (hash: number): number => (hash + 0.5) / 0x1_0000_0000

/** Samples how far the number of paid payments would deviate if the same payments were made in another period. */
export const otherTime = (paid: number, payments: number): ((at: number) => number) => {
  // Adds one success and one failure, as with a uniform prior, since 10 of 10 is not certainty.
  const rate = (paid + 1) / (payments + 2)
  const deviation = Math.sqrt(DISPERSION * payments * rate * (1 - rate))
  return (at) => (at === 0 ? 0 : deviation * normal(avalanche(stickyHash("payments", 0) ^ at)))
}

/** The interval that contains the central 90 % of the samples. */
export const rangeOf = (draws: Draws): { readonly low: number; readonly high: number } => {
  const sorted = draws.slice(1).toSorted()
  const at = (part: number) => sorted[Math.round(part * (DRAWN - 1))] ?? 0
  return { low: at(0.05), high: at(0.95) }
}
