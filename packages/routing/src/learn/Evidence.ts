/**
 * The attempts of one provider and segment over time. Their weighted sums in a window are differences of sums, found by binary
 * searches. They are those of the beginning of the present slot, so that each is computed once in a slot, unless attempts
 * were added.
 *
 * An attempt that ended `age` ms ago weighs `max(0, 1 - age / reach)`. The reach is the window, or the time of the newest
 * `NEWEST` attempts where these came within it: with many payments, an outage is seen in seconds. The age is that of its
 * slot's middle.
 */
import type { AttemptSample } from "./attemptSample.ts"

/** Sums of weights by what the attempts were. */
export interface Evidence {
  readonly success: number
  readonly failure: number
  readonly expired: number
  readonly authenticationFailed: number
  /** How many attempts are in the window, also those that do not count because newer ones do. */
  readonly attempts: number
}

export const noEvidence: Evidence = { success: 0, failure: 0, expired: 0, authenticationFailed: 0, attempts: 0 }

/** More attempts make a rate hardly more certain, and they are older. The slot in which these begin counts as a whole. */
export const NEWEST = 250

/** Slots in the order of time; those without attempts are left out. */
export interface Series {
  /** The slot that places are counted from, so that their sums stay exact. */
  readonly base: number
  readonly slots: Array<Slot>
  /** What was found last, and in which slot. */
  found: Evidence
  foundAt: number
}

/** Sums over this slot and all before it: of attempts, and of the place of each. Flat, as each decision reads dozens. */
interface Slot {
  /** Slots since `base`. */
  readonly place: number
  attempts: number
  success: number
  failure: number
  expired: number
  authenticationFailed: number
  successPlaces: number
  failurePlaces: number
  expiredPlaces: number
  authenticationFailedPlaces: number
}

const nothing: Slot = {
  place: -Infinity,
  attempts: 0,
  success: 0,
  failure: 0,
  expired: 0,
  authenticationFailed: 0,
  successPlaces: 0,
  failurePlaces: 0,
  expiredPlaces: 0,
  authenticationFailedPlaces: 0
}

export const seriesFrom = (base: number): Series => ({ base, slots: [], found: noEvidence, foundAt: Number.NaN })

/** `slot`: not before the last. */
export const append = (series: Series, slot: number, count: number, sample: AttemptSample): void => {
  const { base, slots } = series
  series.foundAt = Number.NaN
  const last = slots.at(-1) ?? nothing
  const current = slot - base > last.place ? { ...last, place: slot - base } : last
  if (current !== last) slots.push(current)
  const [counts, places] = fields[sample]
  current.attempts += count
  current[counts] += count
  current[places] += count * current.place
}

const fields = {
  success: ["success", "successPlaces"],
  failure: ["failure", "failurePlaces"],
  expired: ["expired", "expiredPlaces"],
  authentication_failed: ["authenticationFailed", "authenticationFailedPlaces"]
} as const satisfies Record<AttemptSample, unknown>

/** `slot`: the present one. Always of the same window and width, both in ms. */
export const evidenceOf = (series: Series, slot: number, windowMs: number, slotMs: number): Evidence => {
  if (series.foundAt !== slot) {
    series.found = evidenceAt(series, slot, windowMs, slotMs)
    series.foundAt = slot
  }
  return series.found
}

const evidenceAt = ({ base, slots }: Series, slot: number, windowMs: number, slotMs: number): Evidence => {
  const last = slots.length - 1
  // Where a slot would be whose middle is now, ms since `base`: another is behind by its age.
  const present = (slot - base) * slotMs - slotMs / 2
  const ofWindow = firstAfter(slots, Math.floor((present - windowMs) / slotMs))
  if (ofWindow > last) return noEvidence
  const all = slotAt(slots, last)
  const first = Math.max(ofWindow, firstBeyond(slots, all.attempts - NEWEST))
  const reach =
    first === ofWindow
      ? windowMs
      : Math.min(windowMs, Math.max(0, present - slotAt(slots, first).place * slotMs) + slotMs)
  let end = last
  while (end >= first && slotAt(slots, end).place * slotMs > present) end--
  const before = slotAt(slots, first - 1)
  const until = slotAt(slots, Math.max(end, first - 1))
  // Weights times `reach`, in whole milliseconds, which stay exact: what is left of the oldest is a small part of the sums.
  // What is ahead of the clock, by the slot's half or another machine's clock, weighs 1.
  const weight = (counts: keyof Evidence, places: keyof Slot): number =>
    ((until[counts] - before[counts]) * (reach - present) + (until[places] - before[places]) * slotMs) / reach +
    (all[counts] - until[counts])
  return {
    success: weight(...fields.success),
    failure: weight(...fields.failure),
    expired: weight(...fields.expired),
    authenticationFailed: weight(...fields.authentication_failed),
    attempts: all.attempts - slotAt(slots, ofWindow - 1).attempts
  }
}

/** Before the first slot nothing has been counted. Reading an array at -1 is slow. */
const slotAt = (slots: ReadonlyArray<Slot>, index: number): Slot => (index < 0 ? nothing : (slots[index] ?? nothing))

/** The index of the first slot after `place`. */
const firstAfter = (slots: ReadonlyArray<Slot>, place: number): number => {
  let low = 0
  let high = slots.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (slotAt(slots, middle).place > place) high = middle
    else low = middle + 1
  }
  return low
}

/** The index of the slot in which the attempts after the first `attempts` begin. */
const firstBeyond = (slots: ReadonlyArray<Slot>, attempts: number): number => {
  let low = 0
  let high = attempts <= 0 ? 0 : slots.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (slotAt(slots, middle).attempts > attempts) high = middle
    else low = middle + 1
  }
  return low
}

/** Removes `slot` and all after it. */
export const cut = (series: Series, slot: number): void => {
  series.slots.length = firstAfter(series.slots, slot - series.base - 1)
  series.foundAt = Number.NaN
}

/** Without what is before `slot`: a new series, once that is half of it, so that each slot is copied about once. */
export const since = (series: Series, slot: number): Series => {
  const older = firstAfter(series.slots, slot - series.base - 1)
  if (older * 2 < series.slots.length) return series
  const by = series.slots[older]?.place ?? 0
  const before = slotAt(series.slots, older - 1)
  const slots = series.slots.slice(older).map((each) => rebased(each, before, by))
  return { ...seriesFrom(series.base + by), slots }
}

const rebased = (slot: Slot, before: Slot, by: number): Slot => {
  const success = slot.success - before.success
  const failure = slot.failure - before.failure
  const expired = slot.expired - before.expired
  const authenticationFailed = slot.authenticationFailed - before.authenticationFailed
  return {
    place: slot.place - by,
    attempts: slot.attempts - before.attempts,
    success,
    failure,
    expired,
    authenticationFailed,
    successPlaces: slot.successPlaces - before.successPlaces - by * success,
    failurePlaces: slot.failurePlaces - before.failurePlaces - by * failure,
    expiredPlaces: slot.expiredPlaces - before.expiredPlaces - by * expired,
    authenticationFailedPlaces:
      slot.authenticationFailedPlaces - before.authenticationFailedPlaces - by * authenticationFailed
  }
}
