/**
 * Thompson sampling: instead of comparing estimates, compares a number drawn for each provider from what its rate may be. One
 * that is known well is drawn close to its estimate; one that is hardly known is drawn high or low, and so gets some payments.
 * Exploring stops where there is nothing to gain.
 *
 * A draw is a hash of the payment and the provider: the same payment always gets the same.
 */
import { avalanche } from "./stickyHash.ts"
import type { Estimate } from "../learn/estimate.ts"

/**
 * From so many attempts on, draws come closer to the estimate than chance alone would put them: as old attempts are forgotten,
 * every provider becomes little known again, and that alone explores almost enough. Measured by `pnpm bench routing-worlds`.
 */
const SHARP = 3

/** The minimum deviation, as a fraction of the failure rate: while all providers fail, trying another one costs nothing. */
const UNSURE = 0.03

/** `hash`: of the payment and the provider. May be below 0 or above 1. */
export const drawn = ({ known, rate }: Estimate, hash: number): number =>
  rate +
  normal(hash) * Math.max(UNSURE * (1 - rate), Math.sqrt((rate * (1 - rate)) / (known * (1 + known / SHARP) + 1)))

/** Box and Muller: normally distributed, with a mean of 0 and a deviation of 1. */
const normal = (hash: number): number =>
  Math.sqrt(-2 * Math.log(uniform(hash))) * Math.cos(2 * Math.PI * uniform(avalanche(hash ^ 0x9e37_79b9)))

/** Between 0 and 1, neither of them. */
const uniform = (hash: number): number => (hash + 0.5) / 0x1_0000_0000
