/**
 * Thompson sampling: providers are ordered by a draw from the distribution of each success rate instead of by the
 * estimates. With many attempts, the draw is close to the estimate. With few, it may be much higher or lower, so the
 * provider gets some payments. Exploration ends if there is nothing to gain.
 *
 * A draw is a hash of the payment and the provider, so the same payment always gets the same draw.
 */
import { avalanche } from "./stickyHash.ts"
import type { Estimate } from "../learn/estimate.ts"

/**
 * The number of attempts above which draws deviate less from the estimate than in plain Thompson sampling. Less
 * deviation suffices: old attempts are dropped, so every estimate becomes uncertain again, which alone explores almost
 * enough. Measured by `pnpm bench routing-worlds`.
 */
const SHARP = 3

/**
 * The minimum deviation of a draw, as a fraction of the failure rate: while all providers fail, trying another one
 * costs nothing.
 */
const UNSURE = 0.03

/**
 * A sample of the provider's success rate around its estimate: the provider with the highest sample is tried first. The
 * sample is not clamped, so it may be below 0 or above 1. `hash` is the source of randomness, so that a payment always
 * gets the same sample.
 */
export const drawn = ({ known, rate }: Estimate, hash: number): number =>
  rate +
  normal(hash) * Math.max(UNSURE * (1 - rate), Math.sqrt((rate * (1 - rate)) / (known * (1 + known / SHARP) + 1)))

/** Converts a hash to a normally distributed number with mean 0 and standard deviation 1 (Box–Muller). */
const normal = (hash: number): number =>
  Math.sqrt(-2 * Math.log(uniform(hash))) * Math.cos(2 * Math.PI * uniform(avalanche(hash ^ 0x9e37_79b9)))

/** Converts a hash to a number between 0 and 1, both exclusive. */
const uniform = (hash: number): number => (hash + 0.5) / 0x1_0000_0000
