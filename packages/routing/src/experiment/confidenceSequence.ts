/**
 * The confidence interval of the difference between two shares of paid payments, valid at any number of payments: the
 * probability that the true difference is ever outside of it is at most the given error.
 *
 * An asymptotic confidence sequence for a mean, by a mixture of normal distributions: I. Waudby-Smith, D. Arbour, R.
 * Sinha, E. H. Kennedy and A. Ramdas, "Time-uniform central limit theory and asymptotic confidence sequences", Annals
 * of Statistics 52 (2024), theorem 2.2. An interval for a fixed number of payments would be too narrow: if it is read
 * every day, it shows differences that do not exist.
 */

/** The number of compared payments, and of those that were paid. */
export interface Counted {
  readonly compared: number
  readonly paid: number
}

/** A difference between two shares, with its interval: 0.02 is two percentage points. */
export interface Difference {
  /** The first share minus the second, so a positive number means that the first share is larger. */
  readonly difference: number
  readonly low: number
  readonly high: number
}

/** The number of payments at which the interval is narrowest: that of a typical experiment. */
const NARROWEST = 5_000

/**
 * Computes the difference and its interval. `error` is the error probability, such as 0.05. Both shares need at least
 * one payment.
 */
export const differenceOf = (first: Counted, second: Counted, error: number): Difference => {
  const difference = first.paid / first.compared - second.paid / second.compared
  const payments = first.compared + second.compared
  // The variance of one payment's contribution to the difference.
  const variance = payments * (varianceOf(first) / first.compared + varianceOf(second) / second.compared)
  const spread = (Math.log(1 / error) * 2 + Math.log(Math.log(1 / error) * 2 + 1)) / NARROWEST
  const grown = payments * spread + 1
  const radius = Math.sqrt(variance * ((2 * grown) / (payments ** 2 * spread)) * Math.log(Math.sqrt(grown) / error))
  return { difference, low: Math.max(-1, difference - radius), high: Math.min(1, difference + radius) }
}

/** The variance of a share. One paid and one unpaid payment are added, since a share of 100 % is not certain. */
const varianceOf = ({ compared, paid }: Counted): number => {
  const share = (paid + 1) / (compared + 2)
  return share * (1 - share)
}
