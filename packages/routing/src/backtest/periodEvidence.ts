/**
 * Estimates probabilities from the attempts of the period: success rates of first attempts and of those after a
 * failover, and the shares of failure codes.
 */
import type { Attempt } from "@paymux/core/store"
import { commonRate, posteriors } from "../learn/estimate.ts"
import type { Posterior } from "../learn/estimate.ts"
import { flowOf } from "../learn/Attempts.ts"
import { pathOf } from "../learn/Segment.ts"
import type { Segment, Part } from "../learn/Segment.ts"
import { noDurations, openAs, survivalCurve } from "../learn/survivalCurve.ts"
import { add, evidenceOf, noEvidence } from "../learn/Series.ts"
import type { Evidence, Series } from "../learn/Series.ts"
import { nodesOf } from "../learn/segmentTree.ts"
import { drawnFrom } from "./Draws.ts"
import type { Draws } from "./Draws.ts"
import { countPayment, FINAL, followingPath, noCounts, NOT_EXECUTED, seenKey } from "./periodCounts.ts"
import type { PeriodCounts } from "./periodCounts.ts"

export interface PeriodEvidence {
  readonly count: (segment: Segment, attempts: ReadonlyArray<Attempt>) => void
  /** The samples of the provider's success rate for first attempts. */
  readonly first: (provider: string, segment: Segment) => Draws
  /** The samples of the provider's success rate for attempts that follow a failure with `code`. */
  readonly following: (provider: string, segment: Segment, code: string) => Draws
  /** The shares of the provider's failed attempts that permit failover, by code. */
  readonly softShares: (provider: string, segment: Segment) => ReadonlyMap<string, number>
  /** Whether the provider has had first attempts with the flow, currency and each other level of the segment. */
  readonly had: (provider: string, segment: Segment) => boolean
  /** The probability that an attempt that is open since `startedAt` (ms UTC) succeeds after the period. */
  readonly stillSucceeds: (provider: string, segment: Segment, startedAt: number) => Draws
}

/** The lens (the learning selection) that covers all attempts of the period. */
const all = { windowMs: null, learnFrom: "all", segments: [] } as const

/** The weight of the wider segment, as a number of attempts: the default of the setting `min_samples`. */
const STRENGTH = 40

/**
 * The prior success rate of an attempt that follows a decline, relative to that of a first attempt. It is below 1,
 * since declined payments succeed less often.
 */
const AFTER_DECLINE = 0.75

/** The weight of the failure shares of all providers in the estimate for one provider, as a number of failures. */
const POOLED = 10

export const periodEvidence = (): PeriodEvidence => {
  const counts = noCounts()
  const { failures, firsts, followers, providers, seen } = counts
  const drawn = new Map<string, Draws>()
  let isSettled = false

  const once = (key: string, make: () => Draws): Draws => {
    const known = drawn.get(key) ?? make()
    drawn.set(key, known)
    return known
  }
  const stillSucceeds = (key: string, flow: string, startedAt: number): number =>
    openAs(
      survivalCurve(counts.durations.get(key) ?? noDurations(), counts.durations.get(flow) ?? noDurations()),
      counts.until - startedAt
    )
  /**
   * Adds each open attempt as a fraction of a success or failure. The survival curve of its provider and flow
   * determines the fraction.
   */
  const settle = (): void => {
    if (isSettled) return
    isSettled = true
    for (const { flow, key, series, startedAt } of counts.open) {
      const part = stillSucceeds(key, flow, startedAt)
      for (const each of series) add(each, 0, part > 0 ? "success" : "failure", Math.abs(part))
    }
  }
  const posteriorsOf = (provider: string, segment: Segment, path: ReadonlyArray<Part>): ReadonlyArray<Posterior> => {
    const evidence = new Map(
      [...providers].map((each) => [each, evidenceIn(nodesOf(firsts, each, path).map((node) => node?.series))])
    )
    const issuerAt = path.findIndex(({ level }) => level === "issuer")
    const common = commonRate([...evidence.values()].map(([widest = noEvidence]) => widest))
    return posteriors(evidence.get(provider) ?? path.map(() => noEvidence), common, STRENGTH, issuerAt)
  }
  const first = (provider: string, segment: Segment): Draws => {
    settle()
    const path = pathIn(segment)
    return once(`first\n${provider}\n${keyOf(path)}`, () => {
      let found: Draws | null = null
      for (const [index, step] of posteriorsOf(provider, segment, path).entries()) {
        const wider: Draws | null = found
        found = once(`step\n${provider}\n${keyOf(path.slice(0, index + 1))}`, () =>
          drawnFrom(wider, step, `${provider}\n${keyOf(path.slice(0, index + 1))}`)
        )
      }
      return found ?? drawnFrom(null, { rate: 0.5, known: 1, fromWider: 0 }, provider)
    })
  }
  return {
    count: (segment, attempts) => countPayment(counts, segment, pathIn(segment), attempts),
    first,
    following: (provider, segment, code) => {
      const base = first(provider, segment)
      const expected = combineRate(base, code === NOT_EXECUTED ? 1 : AFTER_DECLINE)
      const parts = followingPath(flowOf(segment), provider, code)
      const evidence = evidenceIn(nodesOf(followers, "", parts).map((node) => node?.series))
      return once(`following\n${keyOf(parts)}\n${provider}\n${keyOf(pathIn(segment))}`, () => {
        let found = expected
        for (const [index, step] of posteriors(evidence, expected[0] ?? 0, STRENGTH / 2).entries()) {
          found = drawnFrom(found, step, `following\n${keyOf(parts.slice(0, index + 1))}`)
        }
        return found
      })
    },
    softShares: (provider, segment) => softSharesIn(failures, provider, flowOf(segment)),
    had: (provider, segment) => {
      const flow = flowOf(segment)
      // The levels issuer and rule of a segment are ignored, since every period has new issuers and rules.
      const isToBeSeen = ({ level }: Part) => level !== "issuer" && level !== "rule"
      return pathIn(segment).every((part) => !isToBeSeen(part) || seen.has(seenKey(provider, flow, part)))
    },
    stillSucceeds: (provider, segment, startedAt) => {
      const flow = flowOf(segment)
      const part = stillSucceeds(`${provider}\n${flow}`, flow, startedAt)
      return combineRate(first(provider, segment), Math.max(0, Math.min(1, 1 + part)))
    }
  }
}

const softSharesIn = (
  failures: PeriodCounts["failures"],
  provider: string,
  flow: string
): ReadonlyMap<string, number> => {
  const own = failures.get(`${provider}\n${flow}`) ?? new Map<string, number>()
  const pooled = failures.get(flow) ?? new Map<string, number>()
  const total = sumOf(own) + POOLED
  const pooledTotal = Math.max(1, sumOf(pooled))
  return new Map(
    [...pooled]
      .filter(([code]) => code !== FINAL)
      .map(([code, count]) => [code, ((own.get(code) ?? 0) + (POOLED * count) / pooledTotal) / total])
  )
}

/**
 * The path of a segment from its flow to its issuer, including the draft's rule, since the payments of a rule probably
 * differ from others.
 */
const pathIn = (segment: Segment): ReadonlyArray<Part> => {
  const [flow, currency, ...further] = pathOf(all, segment)
  const rule = { level: "rule", value: `rule=${segment.rule}` } as const
  return flow === undefined || currency === undefined ? [] : [flow, currency, rule, ...further]
}

const combineRate = (draws: Draws, factor: number): Draws => draws.map((rate) => rate * factor)

const sumOf = (counts: ReadonlyMap<string, number>): number => {
  let sum = 0
  for (const count of counts.values()) sum += count
  return sum
}

const keyOf = (path: ReadonlyArray<Part>): string => path.map(({ value }) => value).join("\n")

/**
 * Computes the weighted counts of each series. The whole period is one time slot, so all attempts have the same weight.
 */
const evidenceIn = (series: ReadonlyArray<Series | undefined>): ReadonlyArray<Evidence> =>
  series.map((each) => (each === undefined ? noEvidence : evidenceOf(each, everything, period)))

const everything = { expired: 1, authenticationFailed: 1 }
const period = { now: 0, slotMs: 1, since: Number.NEGATIVE_INFINITY, windowMs: Number.MAX_VALUE, lagMs: 0 }
