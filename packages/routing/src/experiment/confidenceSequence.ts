/**
 * How far two shares of paid payments are apart, as an interval that may be looked at as often as one likes: over all looks
 * together, the true difference is outside of it with the given chance at most.
 *
 * An asymptotic confidence sequence for a mean, by a mixture of normal distributions: I. Waudby-Smith, D. Arbour, R. Sinha,
 * E. H. Kennedy and A. Ramdas, "Time-uniform central limit theory and asymptotic confidence sequences", Annals of
 * Statistics 52 (2024), theorem 2.2. An interval for a fixed number of payments would be too narrow: read every
 * day, it shows differences that do not exist.
 */

/** Payments, and how many of them were paid. */
export interface Counted {
  readonly compared: number
  readonly paid: number
}

/** As shares: 0.02 is two points. */
export interface Difference {
  /** Above 0: more are paid in the first. */
  readonly difference: number
  readonly low: number
  readonly high: number
}

/** Payments at which the interval is as narrow as it can be made at one moment: an experiment of usual size. */
const NARROWEST = 5_000

/** `error`: the chance, such as 0.05. Both have at least one payment. */
export const differenceOf = (first: Counted, second: Counted, error: number): Difference => {
  const difference = first.paid / first.compared - second.paid / second.compared
  const payments = first.compared + second.compared
  // Of one payment's part in the difference.
  const variance = payments * (varianceOf(first) / first.compared + varianceOf(second) / second.compared)
  const spread = (Math.log(1 / error) * 2 + Math.log(Math.log(1 / error) * 2 + 1)) / NARROWEST
  const grown = payments * spread + 1
  const radius = Math.sqrt(variance * ((2 * grown) / (payments ** 2 * spread)) * Math.log(Math.sqrt(grown) / error))
  return { difference, low: Math.max(-1, difference - radius), high: Math.min(1, difference + radius) }
}

/** One payment more on each side: a share of 100 % is not certain. */
const varianceOf = ({ compared, paid }: Counted): number => {
  const share = (paid + 1) / (compared + 2)
  return share * (1 - share)
}
