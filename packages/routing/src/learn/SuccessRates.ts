/**
 * How well providers took money lately, per provider, method, currency and card network: counts in slots of time, recent
 * ones weighing more.
 *
 * An attempt that ended `age` ms ago weighs `max(0, 1 - age / window)`: nothing is left of it after the window. The age
 * is that of its slot's middle, so it is off by half a slot at most: by a 720th of the shortest window, or half a second.
 *
 * Every slot keeps sums over itself and all slots before it, of counts and of counts times their place. The weighted sum
 * over any window is then a difference of two slots: it is found by a binary search, needs no cache, and is right at
 * every moment.
 *
 * One such value is changed in place, in one of two ways: `replaceFrom` with what the store counted (every process then
 * learns the same), or `record` for one attempt after the other (a replay).
 */
import type { Rail } from "@paymux/core"
import type { AttemptCount } from "@paymux/core/store"
import { attemptSample } from "./attemptSample.ts"
import type { AttemptSample } from "./attemptSample.ts"
import type { Facts } from "../Facts.ts"
import type { Rate } from "../Health.ts"

export interface SuccessRates {
  /** The width of a slot, ms: what the store is to count by. */
  readonly slotMs: number
  /** How far back anything is remembered, ms: the longest window. */
  readonly longestMs: number
  /**
   * What ended from `since` (ms UTC, a multiple of `slotMs`) on is forgotten and taken from `counts` instead, which were
   * counted by `slotMs`. What ended a longest window before `since` is dropped. A long time is read in stretches, the
   * oldest first.
   */
  readonly replaceFrom: (since: number, counts: ReadonlyArray<AttemptCount>) => void
  /** One attempt that ended at `at` (ms UTC). In the order of time: an earlier one counts as of the latest. */
  readonly record: (
    at: number,
    provider: string,
    rail: Rail,
    currency: string,
    network: string | null,
    sample: AttemptSample
  ) => void
  /**
   * As in `Health`, at `now` (ms UTC), for a window among those that were given. Of the card network alone where
   * that has `minSamples`, else over all networks; `null`: nothing was counted in the window.
   */
  readonly successRate: (
    provider: string,
    facts: Pick<Facts, "payment_method" | "currency" | "card.network">,
    windowMs: number,
    minSamples: number,
    now: number
  ) => Rate | null
  /** How many slots are held, over all keys. */
  readonly size: () => number
}

/**
 * Remembers nothing yet. `windows` (ms) are those of the rules in force; a slot is a 360th of the shortest in whole seconds, at least
 * one.
 *
 * @example
 * ```ts
 * const rates = make([30 * 60_000])
 * const since = Math.floor((now - rates.longestMs) / rates.slotMs) * rates.slotMs
 * rates.replaceFrom(since, yield* store.attemptCounts({ since, slotMs: rates.slotMs }))
 * ```
 */
export const make = (windows: ReadonlyArray<number>): SuccessRates => {
  const longestMs = Math.max(0, ...windows)
  const slotMs = 1_000 * Math.max(1, Math.floor(Math.min(longestMs, ...windows) / 360_000))
  const longest = Math.ceil(longestMs / slotMs)
  const keys: Keys = new Map()
  const slotOf = (at: number) => Math.floor(at / slotMs)
  let swept = 0
  const sweep = (slot: number) => {
    swept = slot
    forget(keys, slot - longest)
  }
  return {
    slotMs,
    longestMs,
    replaceFrom: (since, counts) => {
      const first = slotOf(since)
      for (const series of everySeries(keys)) cut(series, first)
      for (const { code, count, currency, network, provider, rail, slot, status } of inOrder(counts)) {
        const sample = attemptSample(status, code)
        if (sample !== null) add(keys, slotOf(slot), count, sample, provider, rail, currency, network)
      }
      sweep(first)
    },
    record: (at, provider, rail, currency, network, sample) => {
      const slot = slotOf(at)
      add(keys, slot, 1, sample, provider, rail, currency, network)
      if (slot - swept > longest / 4) sweep(slot)
    },
    successRate: (provider, facts, windowMs, minSamples, now) => {
      const key = keys.get(provider)?.get(facts.payment_method)?.get(facts.currency)
      if (key === undefined) return null
      const network = facts["card.network"]
      const alone = network === null ? undefined : key.byNetwork.get(network)
      const own = alone === undefined ? null : rateOf(alone, now, windowMs, slotMs)
      return own !== null && own.samples >= minSamples ? own : rateOf(key.pooled, now, windowMs, slotMs)
    },
    size: () => {
      let size = 0
      for (const { slots } of everySeries(keys)) size += slots.length
      return size
    }
  }
}

type Keys = Map<string, Map<Rail, Map<string, Key>>>

/** What is known of one provider, method and currency. */
interface Key {
  readonly pooled: Series
  /** Without the attempts whose network is unknown. */
  readonly byNetwork: Map<string, Series>
}

/** Slots in the order of time; those without attempts are left out. */
interface Series {
  /** The slot that places are counted from, so that their sums stay exact. */
  readonly base: number
  readonly slots: Array<Slot>
  /** Where the window began when it was last looked for: mostly it still does. */
  begin: number
}

/** Sums over this slot and all before it. */
interface Slot {
  /** Slots since `base`. */
  readonly place: number
  counted: number
  succeeded: number
  /** Sums of the place of each. */
  countedPlaces: number
  succeededPlaces: number
}

const nothing: Slot = { place: -Infinity, counted: 0, succeeded: 0, countedPlaces: 0, succeededPlaces: 0 }

/** In whole milliseconds, which stay exact: what is left of a window's oldest attempt is a small part of the sums. */
const rateOf = (series: Series, now: number, windowMs: number, slotMs: number): Rate | null => {
  const { base, slots } = series
  // Where a slot would be whose middle is now, ms since `base`: another is behind by its age.
  const present = now - slotMs / 2 - base * slotMs
  let end = slots.length - 1
  while (placeAt(slots, end) * slotMs > present) end--
  const before = sumsAt(slots, beginOf(series, Math.floor((present - windowMs) / slotMs)) - 1)
  const latest = sumsAt(slots, end)
  const all = sumsAt(slots, slots.length - 1)
  const samples = all.counted - before.counted
  if (samples === 0) return null
  // Weights times `windowMs`. What is ahead of the clock, by the slot's half or another machine's clock, weighs 1.
  const oldest = windowMs - present
  const counted = (latest.counted - before.counted) * oldest + (latest.countedPlaces - before.countedPlaces) * slotMs
  const succeeded =
    (latest.succeeded - before.succeeded) * oldest + (latest.succeededPlaces - before.succeededPlaces) * slotMs
  const ahead = all.counted - latest.counted
  const succeededAhead = all.succeeded - latest.succeeded
  return { rate: (succeeded + windowMs * succeededAhead) / (counted + windowMs * ahead), samples }
}

const beginOf = (series: Series, place: number): number => {
  const { begin, slots } = series
  const stands = placeAt(slots, begin - 1) <= place && placeAt(slots, begin) > place
  if (!stands) series.begin = firstAfter(slots, place)
  return series.begin
}

/** The index of the first slot after `place`. */
const firstAfter = (slots: ReadonlyArray<Slot>, place: number): number => {
  let low = 0
  let high = slots.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (placeAt(slots, middle) > place) high = middle
    else low = middle + 1
  }
  return low
}

/** Before the first slot nothing has been counted. An array is not asked for what is at -1: that is slow. */
const sumsAt = (slots: ReadonlyArray<Slot>, index: number): Slot => (index < 0 ? nothing : (slots[index] ?? nothing))

const placeAt = (slots: ReadonlyArray<Slot>, index: number): number => sumsAt(slots, index).place

const inOrder = (counts: ReadonlyArray<AttemptCount>): ReadonlyArray<AttemptCount> =>
  counts.toSorted((a, b) => a.slot - b.slot)

const add = (
  keys: Keys,
  slot: number,
  count: number,
  sample: AttemptSample,
  provider: string,
  rail: Rail,
  currency: string,
  network: string | null
): void => {
  const rails = entry(keys, provider, () => new Map<Rail, Map<string, Key>>())
  const currencies = entry(rails, rail, () => new Map<string, Key>())
  const key = entry(currencies, currency, () => ({ pooled: seriesFrom(slot), byNetwork: new Map<string, Series>() }))
  append(key.pooled, slot, count, sample)
  if (network !== null)
    append(
      entry(key.byNetwork, network, () => seriesFrom(slot)),
      slot,
      count,
      sample
    )
}

const entry = <K, A>(map: Map<K, A>, key: K, make: () => A): A => {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

const seriesFrom = (base: number): Series => ({ base, slots: [], begin: 0 })

const append = ({ base, slots }: Series, slot: number, count: number, sample: AttemptSample): void => {
  const last = slots.at(-1) ?? nothing
  const current = slot - base > last.place ? { ...last, place: slot - base } : last
  if (current !== last) slots.push(current)
  const succeeded = sample === "success" ? count : 0
  current.counted += count
  current.succeeded += succeeded
  current.countedPlaces += count * current.place
  current.succeededPlaces += succeeded * current.place
}

/** Lets go of `slot` and all after it. */
const cut = ({ base, slots }: Series, slot: number): void => {
  slots.length = firstAfter(slots, slot - base - 1)
}

/** Lets go of what is before `slot`. */
const forget = (keys: Keys, slot: number): void => {
  for (const [provider, rails] of keys) {
    for (const [rail, currencies] of rails) {
      for (const [currency, { byNetwork, pooled }] of currencies) {
        for (const [network, series] of byNetwork) keep(byNetwork, network, remaining(series, slot), series)
        const kept = remaining(pooled, slot)
        if (kept.slots.length === 0) currencies.delete(currency)
        else if (kept !== pooled) currencies.set(currency, { pooled: kept, byNetwork })
      }
      if (currencies.size === 0) rails.delete(rail)
    }
    if (rails.size === 0) keys.delete(provider)
  }
}

const keep = (byNetwork: Map<string, Series>, network: string, kept: Series, series: Series): void => {
  if (kept.slots.length === 0) byNetwork.delete(network)
  else if (kept !== series) byNetwork.set(network, kept)
}

/** A new series without what is older, once that is half of it: so each slot is copied about once. */
const remaining = (series: Series, slot: number): Series => {
  const older = firstAfter(series.slots, slot - series.base - 1)
  if (older * 2 < series.slots.length) return series
  const [first] = series.slots.slice(older)
  return {
    base: series.base + (first?.place ?? 0),
    slots: series.slots.slice(older).map(rebased(series, older)),
    begin: 0
  }
}

const rebased = ({ slots }: Series, older: number): ((slot: Slot) => Slot) => {
  const before = slots[older - 1] ?? nothing
  const by = slots[older]?.place ?? 0
  return (slot) => {
    const counted = slot.counted - before.counted
    const succeeded = slot.succeeded - before.succeeded
    return {
      place: slot.place - by,
      counted,
      succeeded,
      countedPlaces: slot.countedPlaces - before.countedPlaces - by * counted,
      succeededPlaces: slot.succeededPlaces - before.succeededPlaces - by * succeeded
    }
  }
}

const everySeries = function* (keys: Keys): Iterable<Series> {
  for (const rails of keys.values()) {
    for (const currencies of rails.values()) {
      for (const { byNetwork, pooled } of currencies.values()) {
        yield pooled
        yield* byNetwork.values()
      }
    }
  }
}
