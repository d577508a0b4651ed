/**
 * What providers are expected to take, from what they have taken. The attempts of a narrow segment are few, so each segment
 * begins with what the wider one says: that counts as much as `strength` attempts, and own attempts outweigh it.
 *
 * A provider of which nothing is known is expected to do what the others do, and a little more: else it would never be tried.
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
  /** How many attempts it rests on, as if each had just ended. */
  readonly samples: number
}

/** What is expected at first, where no provider is known: 0 to 1. It counts as much as one attempt. */
const UNKNOWN = 0.9

/** How far a provider of which nothing is known is put above all of them, as a part of what they lose. */
const BENEFIT = 0.25

/** How many attempts outweigh what is expected at first, as times the strength. */
const FIRST = 2

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
    let samples = 0
    let attempts = 0
    for (const evidence of segments) {
      // A part that holds the same attempts as the whole says nothing more.
      if (evidence.attempts === attempts) continue
      const counted = countedIn(evidence, weights)
      rate = (evidence.success + prior * rate) / (counted + prior)
      prior = strength
      samples = Math.max(counted, samples)
      attempts = evidence.attempts
    }
    return { rate, samples }
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
