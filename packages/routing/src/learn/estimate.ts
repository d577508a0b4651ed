/**
 * Estimates success rates from observed attempts, from the widest segment to the narrowest. The estimate of a segment
 * is the prior of the next narrower one.
 *
 * The prior of a provider without attempts is slightly above the rate of the others. Otherwise it would never be tried.
 */
import { noEvidence, SIZES } from "./Series.ts"
import type { Evidence } from "./Series.ts"

export interface Estimate {
  /** The estimated success rate, 0 to 1. */
  readonly rate: number
  /** The certainty of the estimated success rate, as an equivalent number of attempts. */
  readonly known: number
}

/** The posterior estimate for one segment of a path. */
export interface Posterior extends Estimate {
  /** The weight, 0 to 1, of the wider segment's rate in this estimate. */
  readonly fromWider: number
}

/** The assumed success rate of providers without attempts, 0 to 1. It weighs as much as one attempt. */
const UNKNOWN = 0.9

/** The bonus of an unknown provider, as a fraction of the failure rate of all providers. */
const BENEFIT = 0.1

/**
 * The influence of a provider's prior, in attempts. `FIRST` is its weight in the provider's success rate; `FIRST_KNOWN`
 * is its maximum contribution to the certainty of that rate.
 */
const FIRST = 10
const FIRST_KNOWN = 4

/** The index for a path without an issuer. */
const NONE = -1

/**
 * The weight of a provider's prior success rate, in attempts, if the estimate is a prediction for a backtest instead of
 * a choice.
 */
const LITTLE = 2

/**
 * The success rate of all providers together. `widest` has the weighted attempt counts of each provider's widest
 * segment.
 */
export const commonRate = (widest: ReadonlyArray<Evidence>): number => {
  let success = UNKNOWN
  let counted = 1
  for (const evidence of widest) {
    success += evidence.success
    counted += evidence.success + evidence.failure
  }
  return success / counted
}

/** The prior success rate of a provider: slightly above the common rate, so that a new provider is tried. */
export const optimisticPrior = (common: number): number => common + (1 - common) * BENEFIT

/**
 * Estimates the success rate of the narrowest segment in a path. `path` has the weighted attempt counts of each
 * segment, with the widest first. `first` is the prior success rate of the provider. `common` is the prior rate of a
 * segment that differs from the next wider one. `strength` is the weight of the wider segment's rate, in attempts.
 * `issuerAt` is the index of the issuer in the path.
 */
export const estimate = (
  path: ReadonlyArray<Evidence>,
  first: number,
  common: number,
  strength: number,
  issuerAt = NONE
): Estimate => {
  let found: Posterior | null = null
  let whole = noEvidence
  for (const [index, evidence] of path.entries()) {
    const unlikely = index === issuerAt ? UNLIKE.issuer : UNLIKE.other
    found = found === null ? widest(evidence, first, FIRST) : next(evidence, whole, found, common, strength, unlikely)
    whole = evidence
  }
  return found ?? widest(noEvidence, first, FIRST)
}

/**
 * The posterior estimates of all segments of a path, for prediction instead of exploration: a segment that differs from
 * the wider one is as likely better as worse.
 */
export const posteriors = (
  path: ReadonlyArray<Evidence>,
  first: number,
  strength: number,
  issuerAt = NONE
): ReadonlyArray<Posterior> => {
  const found: Array<Posterior> = []
  for (const [index, evidence] of path.entries()) {
    const wider = found[index - 1]
    const unlikely = index === issuerAt ? UNLIKE.issuer : UNLIKE.other
    found.push(
      wider === undefined
        ? widest(evidence, first, LITTLE)
        : next(evidence, path[index - 1] ?? noEvidence, wider, wider.rate, strength, unlikely)
    )
  }
  return found
}

/**
 * Whether a segment has the same attempts as the wider one. Weighted counts are compared too: at most `NEWEST` attempts
 * count, so equal numbers may be different attempts.
 */
const isSame = (part: Evidence, whole: Evidence): boolean =>
  part.attempts === whole.attempts && part.success === whole.success && part.failure === whole.failure

/**
 * Computes the posterior of the next narrower segment from that of the wider one. A segment with the same attempts as the
 * wider one adds no information.
 */
const next = (
  evidence: Evidence,
  whole: Evidence,
  wider: Posterior,
  common: number,
  strength: number,
  unlikely: number
): Posterior =>
  isSame(evidence, whole) ? { ...wider, fromWider: 1 } : narrower(evidence, wider, common, strength, unlikely)

const widest = (evidence: Evidence, first: number, strength: number): Posterior => {
  const counted = evidence.success + evidence.failure
  const rate = bounded((evidence.success + strength * first) / (counted + strength))
  const known = counted + Math.min(strength, FIRST_KNOWN)
  return { ...changed(evidence, { rate, known }), fromWider: strength / (counted + strength) }
}

/**
 * The prior probability that a narrower segment differs from the wider one. It is lower for issuers: with hundreds of
 * them, some have failed attempts by chance.
 */
const UNLIKE = { issuer: 0.1, other: 0.5 } as const

/** The weight of the common rate in the estimate of a segment that differs from the wider one, in attempts. */
const UNLIKE_STRENGTH = 2

/**
 * Estimates a segment as a mixture of two hypotheses: it has the rate of the wider segment, or a rate of its own. Each
 * is weighted by how well it explains the attempts. So similar segments share their attempts, few attempts suffice to
 * reveal a segment that differs, and a segment without attempts is uncertain.
 */
const narrower = (
  { failure, success }: Evidence,
  wider: Posterior,
  common: number,
  strength: number,
  unlikely: number
): Posterior => {
  const alike = { a: strength * wider.rate, b: strength * (1 - wider.rate) }
  const centre = bounded(common)
  const unlike = { a: UNLIKE_STRENGTH * centre, b: UNLIKE_STRENGTH * (1 - centre) }
  const explained = evidenceFor(unlike, success, failure) - evidenceFor(alike, success, failure)
  const odds = (unlikely / (1 - unlikely)) * Math.exp(Math.min(40, explained))
  const share = odds / (1 + odds)
  const counted = success + failure
  const alikeRate = (success + alike.a) / (counted + strength)
  const unlikeRate = (success + unlike.a) / (counted + UNLIKE_STRENGTH)
  const rate = bounded((1 - share) * alikeRate + share * unlikeRate)
  const variance =
    (1 - share) * varianceOf(alikeRate, counted + Math.min(wider.known, strength), rate) +
    share * varianceOf(unlikeRate, counted + UNLIKE_STRENGTH, rate)
  return {
    rate,
    known: Math.max(0.3, (rate * (1 - rate)) / variance - 1),
    fromWider: ((1 - share) * strength) / (counted + strength)
  }
}

/** The variance around `centre` of a beta distribution with mean `mean` and `known` attempts. */
const varianceOf = (mean: number, known: number, centre: number): number =>
  (mean * (1 - mean)) / (known + 1) + (mean - centre) ** 2

/** The logarithm of the probability of the observed attempts if the rate has the distribution beta(a, b). */
const evidenceFor = ({ a, b }: { readonly a: number; readonly b: number }, success: number, failure: number): number =>
  logGamma(a + success) +
  logGamma(b + failure) -
  logGamma(a + b + success + failure) -
  logGamma(a) -
  logGamma(b) +
  logGamma(a + b)

/** The logarithm of the gamma function: Stirling's series from 8 on, and the recurrence below 8. */
const logGamma = (x: number): number => {
  let at = x
  let shift = 0
  for (; at < 8; at++) shift -= Math.log(at)
  const inverse = 1 / (at * at)
  return (
    shift + (at - 0.5) * Math.log(at) - at + 0.918_938_533_2 + (1 / 12 - inverse * (1 / 360 - inverse / 1_260)) / at
  )
}

/** The prior probability that a provider's success rate changed just before the newest attempts. */
const CHANGE = 0.000_5

/** The weight of the former success rate after a detected change, in attempts. */
const CHANGE_STRENGTH = 2

/** The maximum certainty of the former success rate, in attempts, since rates also change slowly. */
const MOST_CERTAIN = 100

/**
 * Detects a change of the success rate: if the newest attempts do not fit the estimate, they replace the older ones.
 */
const changed = ({ attempts, newest }: Evidence, wide: Estimate): Estimate => {
  let { known, rate } = wide
  for (let size = newest.length / 2 - 1; size >= 0; size--) {
    const success = newest[2 * size] ?? 0
    const counted = success + (newest[2 * size + 1] ?? 0)
    const isSameAsMore = success === newest[2 * size + 2] && newest[2 * size + 1] === newest[2 * size + 3]
    if (counted < 1 || isSameAsMore || (SIZES[size] ?? 0) > 0.8 * attempts) continue
    const certain = Math.min(MOST_CERTAIN, Math.max(2, known))
    const surprise = divergence(success / counted, rate) * counted * (certain / (counted + certain))
    const odds = (CHANGE * Math.exp(Math.min(40, surprise))) / Math.sqrt(counted + 1)
    const share = odds / (1 + odds)
    rate = bounded((1 - share) * rate + share * ((success + CHANGE_STRENGTH * rate) / (counted + CHANGE_STRENGTH)))
    known = (1 - share) * known + share * Math.min(known, counted + CHANGE_STRENGTH)
  }
  return { rate, known }
}

/** The relative entropy of the observed rate to the expected one, per attempt. */
const divergence = (seen: number, expected: number): number =>
  (seen > 0 ? seen * Math.log(seen / expected) : 0) +
  (seen < 1 ? (1 - seen) * Math.log((1 - seen) / (1 - expected)) : 0)

/** Limits a rate so that neither success nor failure is certain. */
const bounded = (rate: number): number => Math.min(0.999_5, Math.max(0.000_5, rate))
