/**
 * What a rate may be, as 200 numbers drawn from what is known of it. What is computed from such numbers is uncertain as they
 * are: its range is read off at the end. The first number is not drawn: it is the rate as it is expected.
 */
import { avalanche, stickyHash } from "../choose/stickyHash.ts"
import type { Step } from "../learn/estimate.ts"

export type Draws = Float64Array

const DRAWN = 200

/** The same everywhere. */
export const certain = (value: number): Draws => new Float64Array(DRAWN + 1).fill(value)

/** Each computed from those at its place. */
export const combine = (of: (at: number) => number): Draws => {
  const made = new Float64Array(DRAWN + 1)
  for (let at = 0; at <= DRAWN; at++) made[at] = of(at)
  return made
}

/**
 * The narrower follows the wider as far as its rate is that of the wider: what is moved to a provider whose rate is too high by
 * chance is too high together. `key`: of what is drawn, equal keys are drawn alike.
 */
export const drawnFrom = (wider: Draws | null, step: Step, key: string): Draws => {
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
    // It may be below 0 or above 1: cut off there, the numbers would not have the rate as their mean, nor would their sums.
    return rate + followed + own * normal(avalanche(seed ^ at))
  })
}

/**
 * How much more uncertain rates are than of independent attempts: payers try again, and for a time a provider or an issuer is
 * worse than usual. As often assumed of counts where their dispersion was not measured.
 */
const DISPERSION = 2

const varianceOf = (draws: Draws): number => {
  const centre = draws[0] ?? 0
  let sum = 0
  for (let at = 1; at <= DRAWN; at++) sum += ((draws[at] ?? 0) - centre) ** 2
  return sum / DRAWN
}

/** Box and Muller: normally distributed, with a mean of 0 and a deviation of 1. */
const normal = (hash: number): number =>
  Math.sqrt(-2 * Math.log(uniform(hash))) * Math.cos(2 * Math.PI * uniform(avalanche(hash ^ 0x9e37_79b9)))

const uniform = (hash: number): number => (hash + 0.5) / 0x1_0000_0000

/** How many more or fewer of `payments` would have been paid another time, where `paid` were. */
export const otherTime = (paid: number, payments: number): ((at: number) => number) => {
  // One more of each: that all were paid does not mean that all always are.
  const rate = (paid + 1) / (payments + 2)
  const deviation = Math.sqrt(DISPERSION * payments * rate * (1 - rate))
  return (at) => (at === 0 ? 0 : deviation * normal(avalanche(stickyHash("payments", 0) ^ at)))
}

/** Nine of ten of the numbers lie in it. */
export const rangeOf = (draws: Draws): { readonly low: number; readonly high: number } => {
  const sorted = draws.slice(1).toSorted()
  const at = (part: number) => sorted[Math.round(part * (DRAWN - 1))] ?? 0
  return { low: at(0.05), high: at(0.95) }
}
