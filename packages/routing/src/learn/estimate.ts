/**
 * Success rates as they are expected, from those that were seen. The attempts of a narrow segment are few, so each segment begins
 * with the estimate of the wider one: that counts as much as `strength` attempts, and own attempts outweigh it.
 *
 * A provider without attempts is expected to be as good as the others, and a little better: else it would never be tried.
 */
import type { Evidence } from "./Evidence.ts"

/** How much an attempt counts that may be the payer's or the provider's fault, 0 to 1. */
export interface Weights {
  readonly expired: number
  readonly authenticationFailed: number
}

export interface Estimate {
  /** 0 to 1. */
  readonly rate: number
  /** How many attempts it rests on in the widest segment, what was expected at first among them. */
  readonly known: number
  /** How many there are in the narrowest segment with attempts, as if each had just ended. */
  readonly samples: number
}

/** What is expected at first, where no provider is known: 0 to 1. It counts as much as one attempt. */
const UNKNOWN = 0.9

/** How far a provider of which nothing is known is put above all of them, as a part of what they lose. */
const BENEFIT = 0.25

/**
 * How much is expected of a provider as a whole, as a part of the strength. A few attempts show whether a provider works; of one
 * issuer among hundreds, some fail by chance.
 */
const FIRST = 0.5

/** What a draw takes for known where there are no attempts, as a part of the strength. */
const AT_FIRST = 0.25

/**
 * `known`: of each provider as `SuccessRates.evidence` finds it. `expected`: what the rule expects of each, 0 to 1, or `null`.
 * An estimate for each, in their order.
 */
export const estimates = (
  known: ReadonlyArray<ReadonlyArray<Evidence>>,
  expected: ReadonlyArray<number | null>,
  weights: Weights,
  strength: number
): ReadonlyArray<Estimate> => {
  const all = common(known, weights)
  return known.map((segments, index) => {
    let rate = expected[index] ?? all + (1 - all) * BENEFIT
    let prior = FIRST * strength
    let most = 0
    let samples = 0
    let attempts = 0
    for (const evidence of segments) {
      // A part that holds the same attempts as the whole says nothing more.
      if (evidence.attempts === attempts) continue
      const counted = countedIn(evidence, weights)
      rate = (evidence.success + prior * rate) / (counted + prior)
      prior = strength
      most = Math.max(most, counted)
      if (counted > 0) samples = counted
      attempts = evidence.attempts
    }
    return { rate, known: most + AT_FIRST * strength, samples }
  })
}

const countedIn = ({ authenticationFailed, expired, failure, success }: Evidence, weights: Weights): number =>
  success + failure + weights.expired * expired + weights.authenticationFailed * authenticationFailed

/** Of the segments: after all attempts, and all of the method. */
const METHOD_AND_CURRENCY = 2

/** What all of these providers take together of the payment's method and currency. */
const common = (known: ReadonlyArray<ReadonlyArray<Evidence>>, weights: Weights): number => {
  let success = UNKNOWN
  let counted = 1
  for (const segments of known) {
    const evidence = segments[METHOD_AND_CURRENCY]
    if (evidence === undefined) continue
    success += evidence.success
    counted += countedIn(evidence, weights)
  }
  return success / counted
}
