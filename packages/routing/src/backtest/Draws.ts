/**
 * Monte Carlo samples of a rate: the expected rate first, then 200 draws from its posterior. Computations apply to each sample,
 * so the range of a result is the range of its samples.
 */
import { avalanche, stickyHash } from "../choose/stickyHash.ts"
import type { Posterior } from "../learn/estimate.ts"

export type Draws = Float64Array

const DRAWN = 200

/** The samples of a known value, all of which are equal. */
export const certain = (value: number): Draws => new Float64Array(DRAWN + 1).fill(value)

/** Computes each sample. */
export const combine = (of: (at: number) => number): Draws => {
  const made = new Float64Array(DRAWN + 1)
  for (let at = 0; at <= DRAWN; at++) made[at] = of(at)
  return made
}

/**
 * Samples of a segment, correlated with the samples of the wider segment by the weight of the wider one in the rate: an error in
 * the rate of a provider affects all of its segments alike. `key`: the seed.
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
    // Not clamped to 0 and 1, which would shift the mean of the samples and of their sums.
    return rate + followed + own * normal(avalanche(seed ^ at))
  })
}

/**
 * Ratio of the variance to that of independent attempts: payers retry, and providers and issuers have bad hours. Assumed, as
 * it is not measured here.
 */
const DISPERSION = 2

const varianceOf = (draws: Draws): number => {
  const centre = draws[0] ?? 0
  let sum = 0
  for (let at = 1; at <= DRAWN; at++) sum += ((draws[at] ?? 0) - centre) ** 2
  return sum / DRAWN
}

/** A normally distributed number with mean 0 and deviation 1 (Box and Muller). */
const normal = (hash: number): number =>
  Math.sqrt(-2 * Math.log(uniform(hash))) * Math.cos(2 * Math.PI * uniform(avalanche(hash ^ 0x9e37_79b9)))

const uniform = (hash: number): number => (hash + 0.5) / 0x1_0000_0000

/** Samples of the deviation of `paid` of `payments` in another period like this one. */
export const otherTime = (paid: number, payments: number): ((at: number) => number) => {
  // One success and one failure more, as with a uniform prior: 10 of 10 is not certainty.
  const rate = (paid + 1) / (payments + 2)
  const deviation = Math.sqrt(DISPERSION * payments * rate * (1 - rate))
  return (at) => (at === 0 ? 0 : deviation * normal(avalanche(stickyHash("payments", 0) ^ at)))
}

/** The central 90 % of the samples. */
export const rangeOf = (draws: Draws): { readonly low: number; readonly high: number } => {
  const sorted = draws.slice(1).toSorted()
  const at = (part: number) => sorted[Math.round(part * (DRAWN - 1))] ?? 0
  return { low: at(0.05), high: at(0.95) }
}
