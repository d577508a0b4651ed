/**
 * The first attempts of one provider and segment, in slots of the time at which they were started.
 *
 * By their start, an attempt that fails after an hour counts for the same time as one that succeeds at once. By their end, a
 * provider that has just begun to get payments would show its quick successes only, and one that no longer gets any its late
 * failures only.
 */
import type { AttemptSample } from "./attemptSample.ts"

/** Attempts that were started in one slot, by how they ended. */
export interface Slot {
  /** The slot's place on the time axis: ms UTC divided by the width. */
  readonly place: number
  success: number
  failure: number
  expired: number
  authentication_failed: number
  /** Of open attempts: parts of attempts, by how they are expected to end. */
  openSuccess: number
  openFailure: number
  openExpired: number
}

/** In the order of time. */
export type Series = Array<Slot>

/** How much an attempt counts that may be the payer's or the provider's fault, 0 to 1. */
export interface Weights {
  readonly expired: number
  readonly authenticationFailed: number
}

/** The slot of `place`, made if it is missing. */
export const slotOf = (series: Series, place: number): Slot => {
  const last = series.at(-1)
  if (last !== undefined && last.place === place) return last
  const at = last === undefined || last.place < place ? series.length : firstFrom(series, place)
  const known = series[at]
  if (known !== undefined && known.place === place) return known
  const made: Slot = {
    place,
    success: 0,
    failure: 0,
    expired: 0,
    authentication_failed: 0,
    openSuccess: 0,
    openFailure: 0,
    openExpired: 0
  }
  series.splice(at, 0, made)
  return made
}

/** A negative `count` removes attempts. */
export const add = (series: Series, place: number, sample: AttemptSample, count: number): void => {
  slotOf(series, place)[sample] += count
}

/** The index of the first slot from `place` on. */
const firstFrom = (series: Series, place: number): number => {
  let low = 0
  let high = series.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((series[middle]?.place ?? 0) < place) low = middle + 1
    else high = middle
  }
  return low
}

/** Removes slots before `place`, and empty ones. */
export const forget = (series: Series, place: number): void => {
  let kept = 0
  for (const slot of series) {
    if (slot.place >= place && attemptsIn(slot) > 0) series[kept++] = slot
  }
  series.length = kept
}

const attemptsIn = (slot: Slot): number =>
  slot.success +
  slot.failure +
  slot.expired +
  slot.authentication_failed +
  slot.openSuccess +
  slot.openFailure +
  slot.openExpired

/** Weighted counts of the attempts of a segment at one moment. */
export interface Evidence {
  /** Weighted: the older, the less. */
  readonly success: number
  readonly failure: number
  /** Those that count, each as one. */
  readonly attempts: number
  /** Of the newest 12, 24, 48 and 96 attempts, weighted by the window only: successes and failures in turn. */
  readonly newest: ReadonlyArray<number>
}

export const noEvidence: Evidence = { success: 0, failure: 0, attempts: 0, newest: [] }

/** More attempts make a rate hardly more certain, and they are older. The slot in which these begin counts as a whole. */
export const NEWEST = 250

/** The numbers of newest attempts that are compared with all. */
export const SIZES: ReadonlyArray<number> = [12, 24, 48, 96]

/** The moment and the window. */
export interface Look {
  /** ms UTC */
  readonly now: number
  readonly slotMs: number
  /** Attempts that were started earlier do not count, ms UTC. */
  readonly since: number
  readonly windowMs: number
  /** The median duration of successes, ms: the age of an attempt is counted from there. */
  readonly lagMs: number
}

/**
 * An attempt of `age` ms weighs `max(0, 1 - age / reach)`. The reach is the window, or the time of the newest `NEWEST` attempts
 * where these came within it: with many payments, an outage is seen in seconds.
 */
export const evidenceOf = (
  series: Series,
  weights: Weights,
  { lagMs, now, since, slotMs, windowMs }: Look
): Evidence => {
  const ageOf = ({ place }: Slot): number => Math.max(0, now - (place + 0.5) * slotMs - lagMs)
  const newest: Array<number> = []
  let attempts = 0
  let weighedSuccess = 0
  let weighedFailure = 0
  let first = series.length
  let oldest = 0
  while (first > 0 && attempts < NEWEST) {
    const slot = series[first - 1]
    if (slot === undefined) break
    const age = ageOf(slot)
    if (age >= windowMs || slot.place * slotMs < since) break
    const success = successIn(slot)
    const failure = failureIn(slot, weights)
    const weight = 1 - age / windowMs
    attempts += success + failure
    weighedSuccess += weight * success
    weighedFailure += weight * failure
    while (attempts >= (SIZES[newest.length / 2] ?? Number.POSITIVE_INFINITY))
      newest.push(weighedSuccess, weighedFailure)
    oldest = age
    first--
  }
  const reach = attempts < NEWEST ? windowMs : Math.min(windowMs, oldest + slotMs)
  let success = 0
  let failure = 0
  for (let index = first; index < series.length; index++) {
    const slot = series[index]
    if (slot === undefined) break
    const weight = 1 - ageOf(slot) / reach
    success += weight * successIn(slot)
    failure += weight * failureIn(slot, weights)
  }
  return { success, failure, attempts, newest }
}

// Never negative: attempts may be removed from a series that was evicted and created again.

const successIn = (slot: Slot): number => Math.max(0, slot.success + slot.openSuccess)

const failureIn = (slot: Slot, { authenticationFailed, expired }: Weights): number =>
  Math.max(
    0,
    slot.failure +
      slot.openFailure +
      expired * (slot.expired + slot.openExpired) +
      authenticationFailed * slot.authentication_failed
  )

/** How many attempts were started from `since` on (ms UTC), those that are open in part. */
export const attemptsSince = (series: Series, since: number, slotMs: number): number => {
  let attempts = 0
  for (let index = series.length - 1; index >= 0; index--) {
    const slot = series[index]
    if (slot === undefined || slot.place * slotMs < since) break
    attempts += attemptsIn(slot)
  }
  return attempts
}
