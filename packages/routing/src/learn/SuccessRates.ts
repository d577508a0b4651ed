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
import { append, cut, evidenceOf, noEvidence, seriesFrom, since as remaining } from "./Evidence.ts"
import type { Evidence, Series } from "./Evidence.ts"
import type { Segment } from "./Segment.ts"

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
   * those of the last time. They count as failures until it is known better: their payers have waited in vain.
   */
  readonly replaceUnknown: (counts: ReadonlyArray<AttemptCount>) => void
  /** One attempt that ended at `at` (ms UTC). In the order of time: an earlier one counts as of the latest. */
  readonly record: (at: number, provider: string, segment: Segment, sample: AttemptSample) => void
  /**
   * What is known of a provider at `now` (ms UTC): of all its attempts, then of those of each part of the segment, the
   * narrowest last. As many for every provider.
   */
  readonly evidence: (provider: string, segment: Segment, now: number) => ReadonlyArray<Evidence>
  /** How many slots are held, over all series. */
  readonly size: () => number
}

/** A window of a week then has no more than some hundred slots for each issuer. */
const SLOTS = 360

/** Of one network and country. One that had no attempt for long goes: what is known of the wider segments remains. */
const ISSUERS = 1_000

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
  const providers = new Map<string, Node>()
  let unknown = new Map<string, Node>()
  const slotOf = (at: number) => Math.floor(at / slotMs)
  let swept = 0
  const sweep = (slot: number) => {
    swept = slot
    forget(providers, slot - width)
  }
  return {
    slotMs,
    windowMs,
    replaceFrom: (since, counts) => {
      const first = slotOf(since)
      for (const series of everySeries(providers)) cut(series, first)
      for (const row of inOrder(counts)) {
        const sample = attemptSample(row.status, row.code)
        if (sample !== null) add(providers, slotOf(row.slot), row.count, row.provider, row, sample)
      }
      sweep(first)
    },
    replaceUnknown: (counts) => {
      unknown = new Map()
      for (const row of inOrder(counts)) add(unknown, slotOf(row.slot), row.count, row.provider, row, "failure")
    },
    record: (at, provider, segment, sample) => {
      const slot = slotOf(at)
      add(providers, slot, 1, provider, segment, sample)
      if (slot - swept > width / 4) sweep(slot)
    },
    evidence: (provider, segment, now) => {
      const evidence = (series: Series | undefined) =>
        series === undefined ? noEvidence : evidenceOf(series, now, windowMs, slotMs)
      const ended = seriesOf(providers.get(provider), segment).map(evidence)
      const open = unknown.get(provider)
      return open === undefined
        ? ended
        : seriesOf(open, segment).map((series, index) => sumOf(ended[index], evidence(series)))
    },
    size: () => {
      let size = 0
      for (const { slots } of everySeries(providers)) size += slots.length
      return size
    }
  }
}

const inOrder = (counts: ReadonlyArray<AttemptCount>): ReadonlyArray<AttemptCount> =>
  counts.toSorted((a, b) => a.slot - b.slot)

/** All attempts of a provider or segment, and of each part of it. */
interface Node {
  series: Series
  readonly parts: Map<string, Node>
  /** Those that had an attempt last are last. */
  readonly issuers: Map<string, Series>
}

/** No two parts are written alike: networks are lowercase words, and countries and currencies two and three capitals. */
const partsOf = ({ country, currency, network, rail }: Segment): ReadonlyArray<string> => {
  const parts: Array<string> = [rail, currency]
  if (network !== null) parts.push(network)
  if (country !== null) parts.push(country)
  return parts
}

/** From the whole to the issuer. */
const seriesOf = (whole: Node | undefined, segment: Segment): ReadonlyArray<Series | undefined> => {
  let node = whole
  const found = [node?.series]
  for (const part of partsOf(segment)) {
    node = node?.parts.get(part)
    found.push(node?.series)
  }
  if (segment.issuer !== null) found.push(node?.issuers.get(segment.issuer))
  return found
}

const sumOf = (ended: Evidence = noEvidence, open: Evidence): Evidence => ({
  ...ended,
  failure: ended.failure + open.failure,
  attempts: ended.attempts + open.attempts
})

const add = (
  providers: Map<string, Node>,
  slot: number,
  count: number,
  provider: string,
  segment: Segment,
  sample: AttemptSample
): void => {
  let node = entry(providers, provider, slot)
  append(node.series, slot, count, sample)
  for (const part of partsOf(segment)) {
    node = entry(node.parts, part, slot)
    append(node.series, slot, count, sample)
  }
  if (segment.issuer !== null) append(latest(node.issuers, segment.issuer, slot), slot, count, sample)
}

const entry = (nodes: Map<string, Node>, key: string, slot: number): Node => {
  const known = nodes.get(key)
  if (known !== undefined) return known
  const made = { series: seriesFrom(slot), parts: new Map<string, Node>(), issuers: new Map<string, Series>() }
  nodes.set(key, made)
  return made
}

const latest = (issuers: Map<string, Series>, issuer: string, slot: number): Series => {
  const series = issuers.get(issuer) ?? seriesFrom(slot)
  issuers.delete(issuer)
  issuers.set(issuer, series)
  const [oldest] = issuers.keys()
  if (issuers.size > ISSUERS && oldest !== undefined) issuers.delete(oldest)
  return series
}

/** Lets go of what is before `slot`. A part has no slots that the whole does not have. */
const forget = (nodes: Map<string, Node>, slot: number): void => {
  for (const [key, node] of nodes) {
    node.series = remaining(node.series, slot)
    if (node.series.slots.length === 0) nodes.delete(key)
    else forget(node.parts, slot)
    for (const [issuer, series] of node.issuers) {
      const left = remaining(series, slot)
      if (left.slots.length === 0) node.issuers.delete(issuer)
      else node.issuers.set(issuer, left)
    }
  }
}

const everySeries = function* (nodes: ReadonlyMap<string, Node>): Iterable<Series> {
  for (const { issuers, parts, series } of nodes.values()) {
    yield series
    yield* issuers.values()
    yield* everySeries(parts)
  }
}
