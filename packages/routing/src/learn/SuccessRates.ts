/**
 * How well providers took money lately: of each provider, of each payment method and currency there, and so on to the
 * issuer.
 *
 * One such value is changed in place, in one of two ways: `replaceFrom` with what the store counted (every process then
 * learns the same), or `record` for one attempt after the other (a replay).
 */
import type { AttemptCount } from "@paymux/core/store"
import { attemptSample } from "./attemptSample.ts"
import type { AttemptSample } from "./attemptSample.ts"
import { evidenceOf, noEvidence } from "./Evidence.ts"
import type { Evidence, Series } from "./Evidence.ts"
import type { Segment } from "./Segment.ts"
import { depthOf, segments } from "./segments.ts"

export interface SuccessRates {
  /** The width of a slot, ms: what the store is to count by. */
  readonly slotMs: number
  /** How far back anything is remembered, ms. */
  readonly windowMs: number
  /**
   * What ended from `since` (ms UTC, a multiple of `slotMs`) on is forgotten and taken from `counts` instead, which were
   * counted by `slotMs`. What ended a window before `since` is dropped. A long time is read in stretches, the oldest first.
   */
  readonly replaceFrom: (since: number, counts: ReadonlyArray<AttemptCount>) => void
  /**
   * Attempts whose outcome is unknown now, counted by when they were started: all that there are in the window, in place of
   * those of the last time. They count as failures until their outcome is known: their payers did not get an answer.
   */
  readonly replaceUnknown: (counts: ReadonlyArray<AttemptCount>) => void
  /** One attempt that ended at `at` (ms UTC). In the order of time: an earlier one counts as of the latest. */
  readonly record: (at: number, provider: string, segment: Segment, sample: AttemptSample) => void
  /**
   * What is known of a provider at the beginning of the slot of `now` (ms UTC): of all its attempts, then of those of each
   * part of the segment, the narrowest last. As many for every provider.
   */
  readonly evidence: (provider: string, segment: Segment, now: number) => ReadonlyArray<Evidence>
  /** How many slots are held, over all series. */
  readonly size: () => number
}

/** A window of a week then has no more than some hundred slots for each issuer. */
const SLOTS = 360

/**
 * Remembers nothing yet. A slot is a 360th of the window in whole seconds, and at least a second.
 *
 * @example
 * ```ts
 * const rates = make(30 * 60_000)
 * const since = Math.floor((now - rates.windowMs) / rates.slotMs) * rates.slotMs
 * rates.replaceFrom(since, yield* store.attemptCounts({ since, slotMs: rates.slotMs }))
 * ```
 */
export const make = (windowMs: number): SuccessRates => {
  const slotMs = 1_000 * Math.max(1, Math.floor(windowMs / SLOTS / 1_000))
  const width = Math.ceil(windowMs / slotMs)
  const ended = segments()
  let unknown = segments()
  let swept = 0
  const slotOf = (at: number) => Math.floor(at / slotMs)
  const sweep = (slot: number) => {
    if (Math.abs(slot - swept) <= width / 4) return
    swept = slot
    ended.forget(slot - width)
  }
  return {
    slotMs,
    windowMs,
    replaceFrom: (since, counts) => {
      const first = slotOf(since)
      ended.cut(first)
      for (const row of inOrder(counts)) {
        const sample = attemptSample(row.status, row.code)
        if (sample !== null) ended.add(slotOf(row.slot), row.count, row.provider, row, sample)
      }
      sweep(first)
    },
    replaceUnknown: (counts) => {
      unknown = segments()
      for (const row of inOrder(counts)) unknown.add(slotOf(row.slot), row.count, row.provider, row, "failure")
    },
    record: (at, provider, segment, sample) => {
      const slot = slotOf(at)
      ended.add(slot, 1, provider, segment, sample)
      sweep(slot)
    },
    evidence: (provider, segment, now) => {
      const slot = slotOf(now)
      const evidence = (series: Series | undefined): Evidence =>
        series === undefined ? noEvidence : evidenceOf(series, slot, windowMs, slotMs)
      const known = ended.of(provider, segment)?.map(evidence)
      const open = unknown.of(provider, segment)?.map(evidence)
      if (known === undefined || open === undefined) {
        return known ?? open ?? Array.from({ length: depthOf(segment) }, () => noEvidence)
      }
      return known.map((each, index) => sumOf(each, open[index] ?? noEvidence))
    },
    size: ended.size
  }
}

const sumOf = (ended: Evidence, open: Evidence): Evidence => ({
  ...ended,
  failure: ended.failure + open.failure,
  attempts: ended.attempts + open.attempts
})

const inOrder = (counts: ReadonlyArray<AttemptCount>): ReadonlyArray<AttemptCount> =>
  counts.toSorted((a, b) => a.slot - b.slot)
