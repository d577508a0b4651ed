/**
 * The recent success rates of providers for one lens (a selection of attempts). `settle`, `replaceRecent` and
 * `replaceOpen` update them outside of payments; `estimates` reads cached numbers.
 */
import type { AttemptCount } from "@paymux/core/store"
import type { Learned } from "../CompiledRouting.ts"
import type { Facts } from "../Facts.ts"
import { estimateCache } from "./EstimateCache.ts"
import { attempts, flowOf, OPEN_SLOT_MS } from "./Attempts.ts"
import { basisOf } from "./basis.ts"
import { commonRate, estimate, optimisticPrior } from "./estimate.ts"
import type { Estimate } from "./estimate.ts"
import { horizon, windowOf } from "./Horizon.ts"
import { segmentKey, segmentOf, pathOf, scopeOf } from "./Segment.ts"
import type { Segment, Part } from "./Segment.ts"
import { lensKey } from "./Lens.ts"
import type { Lens } from "./Lens.ts"
import { STRETCH } from "./SurvivalCurves.ts"
import { evidenceOf, noEvidence } from "./Series.ts"
import type { Evidence, Weights } from "./Series.ts"

/** The estimate of one provider for one segment. */
export interface Known extends Estimate {
  /** A description of the attempts behind the estimate: `128 visa cards, none from DE`. */
  readonly basis: string
}

export interface SuccessRates {
  /** The map key of the learning selection (lens), see `lensKey`. */
  readonly key: string
  /** The slot width, ms, in which the store groups attempts by start time. */
  readonly slotMs: number
  readonly openSlotMs: number
  /**
   * The start of the period to read, ms UTC: attempts that ended earlier are not needed. It moves forward as attempts
   * are counted.
   */
  readonly since: (now: number) => number
  /** Adds ended attempts permanently, when their rows can no longer change. */
  readonly settle: (rows: ReadonlyArray<AttemptCount>) => void
  /** Replaces the recently ended attempts, whose rows may still change. */
  readonly replaceRecent: (rows: ReadonlyArray<AttemptCount>) => void
  /** Replaces the open attempts, and sets the time at which attempts are weighed to `now`, ms UTC. */
  readonly replaceOpen: (rows: ReadonlyArray<AttemptCount>, now: number) => void
  /** Recomputes the estimates that were requested since the last renewal, one per step. */
  readonly renew: () => Iterable<void>
  /** Empties the cache of estimates, so that each is recomputed at its next request. */
  readonly clear: () => void
  /** The estimates for the rule's providers, as of the last renewal. */
  readonly estimates: (learned: Learned, facts: Facts) => ReadonlyMap<string, Known>
  /** The number of time series in memory. */
  readonly size: () => number
}

/** The number of slots per window, so that a window of a week has a few hundred slots for each issuer. */
const SLOTS = 360

/** Creates success rates without attempts. */
export const make = (lens: Lens): SuccessRates => {
  const { windowMs } = lens
  const slotMs = windowMs === null ? 10_000 : 1_000 * Math.max(1, Math.floor(windowMs / SLOTS / 1_000))
  const all = attempts(lens, slotMs)
  const { count: countEnd, forget: forgetEnds, since } = horizon(windowMs)
  const windows = new Map<string, number>()
  let recent: ReadonlyArray<AttemptCount> = []
  let present = 0
  let swept = 0

  const count = (rows: ReadonlyArray<AttemptCount>, sign: number): void => {
    for (const row of rows) {
      all.add(row, sign * row.count)
      countEnd(row, sign)
    }
  }
  const forget = (oldest: number): void => {
    if (Math.abs(oldest - swept) < STRETCH / 2) return
    swept = oldest
    all.forget(oldest)
    forgetEnds(oldest)
  }
  const windowFor = (segment: Segment, flow: Part, oldest: number): number => {
    const key = `${flow.value}\n${scopeOf(lens, segment)}`
    const known =
      windowMs ?? windows.get(key) ?? windowOf((ms) => all.startedSince(segment, flow, Math.max(oldest, present - ms)))
    windows.set(key, known)
    return known
  }
  const look = (
    segment: Segment,
    path: ReadonlyArray<Part>,
    provider: string,
    weights: Weights
  ): ReadonlyArray<Evidence> => {
    const lagMs = all.lagOf(provider, flowOf(segment))
    const oldest = windowMs === null ? since(present) : Math.max(since(present), present - windowMs - lagMs)
    const [flow] = path
    const window = flow === undefined ? 0 : windowFor(segment, flow, oldest)
    const seen = { now: present, slotMs, since: oldest, windowMs: window, lagMs }
    return all
      .of(provider, segment, path)
      .map((series) => (series === undefined ? noEvidence : evidenceOf(series, weights, seen)))
  }
  const asked = estimateCache((learned, segment) => {
    const path = pathOf(lens, segment)
    return estimatesOf(learned, path, (provider) => look(segment, path, provider, learned.weights))
  })
  return {
    key: lensKey(lens),
    slotMs,
    openSlotMs: OPEN_SLOT_MS,
    since,
    settle: (rows) => count(rows, 1),
    replaceRecent: (rows) => {
      count(recent, -1)
      count(rows, 1)
      recent = rows
    },
    replaceOpen: (rows, now) => {
      present = now
      windows.clear()
      // Old durations are removed first, so that only the remaining durations determine the weights of open attempts.
      forget(since(now))
      all.replaceOpen(rows, now)
    },
    renew: () => asked.renew(),
    clear: () => asked.forget(),
    estimates: (learned, facts) =>
      asked.of(learned, segmentKey(lens, facts, learned.rule), () => segmentOf(facts, learned.rule)),
    size: all.size
  }
}

/**
 * Estimates the success rate of each provider of the rule. `evidenceFor` returns a provider's weighted attempt counts
 * along the path, widest segment first.
 */
const estimatesOf = (
  { expected, providers, strength }: Learned,
  path: ReadonlyArray<Part>,
  evidenceFor: (provider: string) => ReadonlyArray<Evidence>
): ReadonlyMap<string, Known> => {
  const issuerAt = path.findIndex(({ level }) => level === "issuer")
  const evidence = providers.map(evidenceFor)
  const common = optimisticPrior(commonRate(evidence.map(([widest = noEvidence]) => widest)))
  return new Map(
    providers.map((provider, index) => {
      const own = evidence[index] ?? []
      const found = estimate(own, expected.get(provider) ?? common, common, strength, issuerAt)
      return [provider, { ...found, basis: basisOf(path, own) }]
    })
  )
}
