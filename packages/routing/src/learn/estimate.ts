/**
 * Success rates as they are expected, from those that were seen: from the widest segment to the narrowest, each begins with the
 * estimate of the wider one.
 *
 * A provider without attempts is expected to be as good as the others, and a little better: else it would never be tried.
 */
import { noEvidence, SIZES } from "./Series.ts"
import type { Evidence } from "./Series.ts"

export interface Estimate {
  /** 0 to 1. */
  readonly rate: number
  /** Its certainty, as a number of attempts. */
  readonly known: number
}

/** The posterior of one segment in a path. */
export interface Posterior extends Estimate {
  /** The weight of the wider segment in the rate, 0 to 1. */
  readonly fromWider: number
}

/** The success rate of a payment at unknown providers, 0 to 1, with the weight of one attempt. */
const UNKNOWN = 0.9

/** The bonus of an unknown provider, as a fraction of the failure rate of all. */
const BENEFIT = 0.1

/** The weight of the prior of a provider in its rate, and in its certainty, in attempts. */
const FIRST = 10
const FIRST_KNOWN = 4

/** The path has no issuer. */
const NONE = -1

/** Its weight for prediction, in attempts. */
const LITTLE = 2

/** The success rate of all providers together. `widest`: the evidence of each. */
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

/** As many attempts may be others: no more than `NEWEST` count. Of the same age they are the same. */
const isSame = (part: Evidence, whole: Evidence): boolean =>
  part.attempts === whole.attempts && part.success === whole.success && part.failure === whole.failure

/** A part that holds the same attempts as the whole says nothing more. */
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
 * How likely a narrower segment is to differ from the wider one, before its attempts are seen. There are hundreds of issuers: of
 * each, some attempts fail by chance.
 */
const UNLIKE = { issuer: 0.1, other: 0.5 } as const

/** How many attempts the common rate counts as for a segment that is unlike the wider one. */
const UNLIKE_STRENGTH = 2

/**
 * Either the segment is as the wider one, or it has a rate of its own: each weighs as much as it explains the attempts. So segments
 * that are alike are judged together, one that differs is known from few attempts, and one without attempts is uncertain.
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

/** Of a beta distribution with this mean, `known` attempts and around `centre`. */
const varianceOf = (mean: number, known: number, centre: number): number =>
  (mean * (1 - mean)) / (known + 1) + (mean - centre) ** 2

/** The logarithm of the probability of the attempts, of which the rate is distributed as beta(a, b). */
const evidenceFor = ({ a, b }: { readonly a: number; readonly b: number }, success: number, failure: number): number =>
  logGamma(a + success) +
  logGamma(b + failure) -
  logGamma(a + b + success + failure) -
  logGamma(a) -
  logGamma(b) +
  logGamma(a + b)

/** Stirling's series, from 8 on; below, by the recurrence. */
const logGamma = (x: number): number => {
  let at = x
  let shift = 0
  for (; at < 8; at++) shift -= Math.log(at)
  const inverse = 1 / (at * at)
  return (
    shift + (at - 0.5) * Math.log(at) - at + 0.918_938_533_2 + (1 / 12 - inverse * (1 / 360 - inverse / 1_260)) / at
  )
}

/** How likely a change is to have come before the newest attempts, before they are seen. */
const CHANGE = 0.000_5

/** How many attempts the rate so far counts as after a change. */
const CHANGE_STRENGTH = 2

/** More attempts do not make the rate so far more certain: it changes slowly too. */
const MOST_CERTAIN = 100

/** If the newest attempts are unlike the rate, it has changed: they count, and not the older ones. */
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

/** How much the seen rate surprises where the other was expected: the relative entropy of the two, for each attempt. */
const divergence = (seen: number, expected: number): number =>
  (seen > 0 ? seen * Math.log(seen / expected) : 0) +
  (seen < 1 ? (1 - seen) * Math.log((1 - seen) / (1 - expected)) : 0)

/** Nothing is certain. */
const bounded = (rate: number): number => Math.min(0.999_5, Math.max(0.000_5, rate))
