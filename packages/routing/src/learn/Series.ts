/**
 * The first attempts of one provider and segment, in slots of their start time.
 *
 * By start time, an attempt that fails after an hour counts for the same time as one that succeeds immediately. By end time, a
 * provider with its first payments would show only its fast successes, and a provider without new payments only its late
 * failures.
 */
import type { AttemptSample } from "./attemptSample.ts"

/** The attempts that were started in one slot, by result. */
export interface Slot {
  /** The slot's place on the time axis: ms UTC divided by the width. */
  readonly place: number
  success: number
  failure: number
  expired: number
  authentication_failed: number
  /** Open attempts, as fractions by their expected result. */
  openSuccess: number
  openFailure: number
  openExpired: number
}

/** In the order of time. */
export type Series = Array<Slot>

/** The weights of failures that may be the payer's or the provider's fault, 0 to 1. */
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

/** Adds attempts; a negative `count` removes them. */
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
  /** The successes, weighted by age: older attempts count less. */
  readonly success: number
  readonly failure: number
  /** The number of attempts with a weight, unweighted. */
  readonly attempts: number
  /** The newest 12, 24, 48 and 96 attempts, weighted by the window only: successes and failures alternately. */
  readonly newest: ReadonlyArray<number>
}

export const noEvidence: Evidence = { success: 0, failure: 0, attempts: 0, newest: [] }

/**
 * The number of newest attempts that count: more would add little certainty, and are older. The first slot of these attempts
 * counts as a whole.
 */
export const NEWEST = 250

/** The numbers of newest attempts that are compared with all attempts. */
export const SIZES: ReadonlyArray<number> = [12, 24, 48, 96]

/** The moment and the window. */
export interface Look {
  /** ms UTC */
  readonly now: number
  readonly slotMs: number
  /** Attempts that were started earlier do not count, ms UTC. */
  readonly since: number
  readonly windowMs: number
  /** The median duration of successes, ms: the age of an attempt is counted from this duration on. */
  readonly lagMs: number
}

/**
 * Weighs the attempts of a series. An attempt of `age` ms has the weight `max(0, 1 - age / reach)`. The reach is the window, or
 * the period of the newest `NEWEST` attempts if that is shorter. So with many payments, an outage is noticed in seconds.
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

/** Counts the attempts that were started from `since` on (ms UTC); open ones count as fractions. */
export const attemptsSince = (series: Series, since: number, slotMs: number): number => {
  let attempts = 0
  for (let index = series.length - 1; index >= 0; index--) {
    const slot = series[index]
    if (slot === undefined || slot.place * slotMs < since) break
    attempts += attemptsIn(slot)
  }
  return attempts
}
