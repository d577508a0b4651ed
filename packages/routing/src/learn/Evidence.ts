/**
 * The attempts of one provider and segment over time. What they amount to in any window, recent ones weighing more, is a
 * difference of sums: it is found by binary searches, needs no cache, and is right at every moment.
 *
 * An attempt that ended `age` ms ago weighs `max(0, 1 - age / reach)`. The reach is the window, or the time of the newest
 * `NEWEST` attempts where these came within it: where many payments come, an outage is seen in seconds. The age is that of its
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

/** More than these tell hardly more of a rate than these, and more of the past. */
export const NEWEST = 250

/** Slots in the order of time; those without attempts are left out. */
export interface Series {
  /** The slot that places are counted from, so that their sums stay exact. */
  readonly base: number
  readonly slots: Array<Slot>
}

/** Sums over this slot and all before it: of attempts, and of the place of each. */
interface Slot {
  /** Slots since `base`. */
  readonly place: number
  readonly counts: Sums
  readonly places: Sums
}

type Sums = Record<AttemptSample, number>

const noSums: Sums = { success: 0, failure: 0, expired: 0, authentication_failed: 0 }
const nothing: Slot = { place: -Infinity, counts: noSums, places: noSums }

export const seriesFrom = (base: number): Series => ({ base, slots: [] })

/** `slot`: not before the last. */
export const append = ({ base, slots }: Series, slot: number, count: number, sample: AttemptSample): void => {
  const last = slots.at(-1) ?? nothing
  const current =
    slot - base > last.place ? { place: slot - base, counts: { ...last.counts }, places: { ...last.places } } : last
  if (current !== last) slots.push(current)
  current.counts[sample] += count
  current.places[sample] += count * current.place
}

/** `now` in ms UTC; the others in ms. */
export const evidenceOf = ({ base, slots }: Series, now: number, windowMs: number, slotMs: number): Evidence => {
  const last = slots.length - 1
  // Where a slot would be whose middle is now, ms since `base`: another is behind by its age.
  const present = now - slotMs / 2 - base * slotMs
  const ofWindow = firstAfter(slots, Math.floor((present - windowMs) / slotMs))
  if (ofWindow > last) return noEvidence
  const first = Math.max(ofWindow, firstOfNewest(slots))
  const reach =
    first === ofWindow
      ? windowMs
      : Math.min(windowMs, Math.max(0, present - slotAt(slots, first).place * slotMs) + slotMs)
  let end = last
  while (end >= first && slotAt(slots, end).place * slotMs > present) end--
  const before = slotAt(slots, first - 1)
  const until = slotAt(slots, Math.max(end, first - 1))
  const all = slotAt(slots, last)
  // Weights times `reach`, in whole milliseconds, which stay exact: what is left of the oldest is a small part of the sums.
  // What is ahead of the clock, by the slot's half or another machine's clock, weighs 1.
  const weight = (sample: AttemptSample): number => {
    const counted = (until.counts[sample] - before.counts[sample]) * (reach - present)
    const placed = (until.places[sample] - before.places[sample]) * slotMs
    return (counted + placed) / reach + all.counts[sample] - until.counts[sample]
  }
  return {
    success: weight("success"),
    failure: weight("failure"),
    expired: weight("expired"),
    authenticationFailed: weight("authentication_failed"),
    attempts: totalOf(all) - totalOf(slotAt(slots, ofWindow - 1))
  }
}

const totalOf = ({ counts }: Slot): number =>
  counts.success + counts.failure + counts.expired + counts.authentication_failed

/** Before the first slot nothing has been counted. An array is not asked for what is at -1: that is slow. */
const slotAt = (slots: ReadonlyArray<Slot>, index: number): Slot => (index < 0 ? nothing : (slots[index] ?? nothing))

/** The index of the first slot after `place`. */
const firstAfter = (slots: ReadonlyArray<Slot>, place: number): number =>
  firstWhere(slots, (slot) => slot.place > place)

/** The index of the slot that the newest `NEWEST` begin in. */
const firstOfNewest = (slots: ReadonlyArray<Slot>): number => {
  const others = totalOf(slotAt(slots, slots.length - 1)) - NEWEST
  return others <= 0 ? 0 : firstWhere(slots, (slot) => totalOf(slot) > others)
}

/** `holds` for every slot after the first for which it does. */
const firstWhere = (slots: ReadonlyArray<Slot>, holds: (slot: Slot) => boolean): number => {
  let low = 0
  let high = slots.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(slotAt(slots, middle))) high = middle
    else low = middle + 1
  }
  return low
}

/** Lets go of `slot` and all after it. */
export const cut = ({ base, slots }: Series, slot: number): void => {
  slots.length = firstAfter(slots, slot - base - 1)
}

/** Without what is before `slot`: a new series, once that is half of it, so that each slot is copied about once. */
export const since = (series: Series, slot: number): Series => {
  const older = firstAfter(series.slots, slot - series.base - 1)
  if (older * 2 < series.slots.length) return series
  const before = slotAt(series.slots, older - 1)
  const by = series.slots[older]?.place ?? 0
  return {
    base: series.base + by,
    slots: series.slots.slice(older).map(({ counts, place, places }) => {
      const own = difference(counts, before.counts)
      return { place: place - by, counts: own, places: moved(difference(places, before.places), own, by) }
    })
  }
}

const difference = (a: Sums, b: Sums): Sums => ({
  success: a.success - b.success,
  failure: a.failure - b.failure,
  expired: a.expired - b.expired,
  authentication_failed: a.authentication_failed - b.authentication_failed
})

const moved = (places: Sums, counts: Sums, by: number): Sums => ({
  success: places.success - by * counts.success,
  failure: places.failure - by * counts.failure,
  expired: places.expired - by * counts.expired,
  authentication_failed: places.authentication_failed - by * counts.authentication_failed
})
