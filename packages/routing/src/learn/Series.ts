/**
 * The first attempts at one provider in one segment, counted in slots of their start time.
 *
 * Counting by start time treats an attempt that fails after an hour like one that succeeds immediately. By end time, a
 * provider with its first payments would show only its fast successes, and a provider without new payments only its
 * late failures.
 */
import type { AttemptSample } from "./attemptSample.ts"

/** The attempts that were started in one slot, by result. */
export interface Slot {
  /** The index of the slot in time: the start of the slot in ms UTC, divided by the width of a slot. */
  readonly place: number
  success: number
  failure: number
  expired: number
  authentication_failed: number
  /** The open attempts, as fractions of a success or failure by their expected result. */
  openSuccess: number
  openFailure: number
  openExpired: number
}

/** The slots of a segment, in the order of time. */
export type Series = Array<Slot>

/** The weights, 0 to 1, of failures that either the payer or the provider may have caused. */
export interface Weights {
  readonly expired: number
  readonly authenticationFailed: number
}

/** Returns the slot with this index on the time axis, and creates it if it is missing. */
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

/** Adds attempts to a slot; a negative `count` removes them. */
export const add = (series: Series, place: number, sample: AttemptSample, count: number): void => {
  slotOf(series, place)[sample] += count
}

/** The array index of the first slot at or after `place` (an index on the time axis). */
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

/** Removes the slots before `place` (an index on the time axis), and empty ones. */
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

/** The weighted counts of a segment's attempts at one moment. */
export interface Evidence {
  /** The number of successes, weighted by age: older attempts count less. */
  readonly success: number
  readonly failure: number
  /** The unweighted number of attempts that have a weight above 0. */
  readonly attempts: number
  /**
   * The weighted numbers of successes and failures, alternating: of the newest 12 attempts, then of the newest 24, 48
   * and 96. These weights decrease with age over the whole window.
   */
  readonly newest: ReadonlyArray<number>
}

export const noEvidence: Evidence = { success: 0, failure: 0, attempts: 0, newest: [] }

/**
 * The maximum number of newest attempts that count. Further attempts are older and would add little certainty. The slot
 * in which the maximum is reached counts as a whole.
 */
export const NEWEST = 250

/**
 * The sizes of groups of newest attempts that are compared with all attempts, to detect a change of the success rate.
 */
export const SIZES: ReadonlyArray<number> = [12, 24, 48, 96]

/** The time at which attempts are weighed, and the window of those that count. */
export interface Look {
  /** The time at which attempts are weighed, ms UTC. */
  readonly now: number
  readonly slotMs: number
  /** The start of the window, ms UTC: attempts that were started earlier do not count. */
  readonly since: number
  readonly windowMs: number
  /** The median duration of successes, ms. It is subtracted from the age of an attempt. */
  readonly lagMs: number
}

/**
 * Weighs the attempts of a series. An attempt of `age` ms has the weight `max(0, 1 - age / reach)`, where `reach` is
 * the window, or the period of the newest `NEWEST` attempts if that is shorter. So with many payments, an outage is
 * noticed in seconds.
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

// Limits the number of successes to at least 0: attempts may be removed from a series that was evicted and created
// again.

const successIn = (slot: Slot): number => Math.max(0, slot.success + slot.openSuccess)

const failureIn = (slot: Slot, { authenticationFailed, expired }: Weights): number =>
  Math.max(
    0,
    slot.failure +
      slot.openFailure +
      expired * (slot.expired + slot.openExpired) +
      authenticationFailed * slot.authentication_failed
  )

/** Counts the attempts that were started at or after `since` (ms UTC). Open attempts count as fractions. */
export const attemptsSince = (series: Series, since: number, slotMs: number): number => {
  let attempts = 0
  for (let index = series.length - 1; index >= 0; index--) {
    const slot = series[index]
    if (slot === undefined || slot.place * slotMs < since) break
    attempts += attemptsIn(slot)
  }
  return attempts
}
