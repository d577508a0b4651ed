/**
 * Estimates expected success rates from observed ones, from the widest segment to the narrowest. The estimate of a segment is
 * the prior of the next narrower one.
 *
 * The prior of a provider without attempts is slightly above the rate of the others. Otherwise it would never be tried.
 */
import { noEvidence, SIZES } from "./Series.ts"
import type { Evidence } from "./Series.ts"

export interface Estimate {
  /** 0 to 1. */
  readonly rate: number
  /** The certainty of the rate, as a number of attempts. */
  readonly known: number
}

/** The posterior of one segment in a path. */
export interface Posterior extends Estimate {
  /** The weight of the wider segment in the rate, 0 to 1. */
  readonly fromWider: number
}

/** The success rate of a payment at unknown providers, 0 to 1, with the weight of one attempt. */
const UNKNOWN = 0.9

/** The bonus of an unknown provider, as a fraction of the failure rate of all providers. */
const BENEFIT = 0.1

/** The weight of the prior of a provider in its rate, and in its certainty, in attempts. */
const FIRST = 10
const FIRST_KNOWN = 4

/** The index for a path without an issuer. */
const NONE = -1

/** The weight of the prior of a provider for prediction, in attempts. */
const LITTLE = 2

/** The success rate of all providers together. `widest`: the evidence of each provider. */
export const commonRate = (widest: ReadonlyArray<Evidence>): number => {
  let success = UNKNOWN
  let counted = 1
  for (const evidence of widest) {
    success += evidence.success
    counted += evidence.success + evidence.failure
  }
  return success / counted
}

/** The prior of a provider: slightly above the common rate, so that it is tried. */
export const optimisticPrior = (common: number): number => common + (1 - common) * BENEFIT

/**
 * `path`: the evidence of each segment, the widest first. `first`: the prior of the provider. `common`: the prior
 * of a segment that differs from the wider one. `strength`: the weight of the wider rate, in attempts.
 * `issuerAt`: the place of the issuer in the path.
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
 * The posterior of each segment of the path, for prediction rather than exploration: a segment that differs from the wider one is
 * as likely better as worse.
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

/** Compares weighted counts too, since at most `NEWEST` attempts count, so equal numbers may be different attempts. */
const isSame = (part: Evidence, whole: Evidence): boolean =>
  part.attempts === whole.attempts && part.success === whole.success && part.failure === whole.failure

/** The posterior of the next segment. A part with the same attempts as the whole adds no information. */
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
 * The prior probability that a narrower segment differs from the wider one. It is lower for issuers: there are hundreds, and
 * some attempts of each fail by chance.
 */
const UNLIKE = { issuer: 0.1, other: 0.5 } as const

/** The weight of the common rate for a segment that differs from the wider one, in attempts. */
const UNLIKE_STRENGTH = 2

/**
 * Mixes two hypotheses: the segment has the rate of the wider one, or a rate of its own. Each is weighted by how well it
 * explains the attempts. So similar segments share their attempts, few attempts reveal a segment that differs, and a segment
 * without attempts is uncertain.
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

/** The variance around `centre` of a beta distribution with this mean and `known` attempts. */
const varianceOf = (mean: number, known: number, centre: number): number =>
  (mean * (1 - mean)) / (known + 1) + (mean - centre) ** 2

/** The logarithm of the probability of the attempts, if the rate is distributed as beta(a, b). */
const evidenceFor = ({ a, b }: { readonly a: number; readonly b: number }, success: number, failure: number): number =>
  logGamma(a + success) +
  logGamma(b + failure) -
  logGamma(a + b + success + failure) -
  logGamma(a) -
  logGamma(b) +
  logGamma(a + b)

/** The logarithm of the gamma function: by Stirling's series from 8 on, and below 8 by the recurrence. */
const logGamma = (x: number): number => {
  let at = x
  let shift = 0
  for (; at < 8; at++) shift -= Math.log(at)
  const inverse = 1 / (at * at)
  return (
    shift + (at - 0.5) * Math.log(at) - at + 0.918_938_533_2 + (1 / 12 - inverse * (1 / 360 - inverse / 1_260)) / at
  )
}

/** The prior probability that the rate changed before the newest attempts. */
const CHANGE = 0.000_5

/** The weight of the former rate after a change, in attempts. */
const CHANGE_STRENGTH = 2

/** The upper limit of the former rate's certainty, in attempts, since rates also change slowly. */
const MOST_CERTAIN = 100

/** Detects a change: if the newest attempts do not fit the rate, they count instead of the older ones. */
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

/** Excludes certain success and certain failure. */
const bounded = (rate: number): number => Math.min(0.999_5, Math.max(0.000_5, rate))
