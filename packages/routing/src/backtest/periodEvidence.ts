/** What the attempts of the period say of the providers: of first attempts, of how these fail, and of those that followed. */
import type { Attempt } from "@paymux/core/store"
import { commonRate, steps } from "../learn/estimate.ts"
import type { Step } from "../learn/estimate.ts"
import { flowOf } from "../learn/Attempts.ts"
import { pathOf } from "../learn/Kind.ts"
import type { Kind, Part } from "../learn/Kind.ts"
import { noDurations, openAs, outlookOf } from "../learn/Outlook.ts"
import { add, evidenceOf, noEvidence } from "../learn/Series.ts"
import type { Evidence, Series } from "../learn/Series.ts"
import { nodesOf } from "../learn/tree.ts"
import { drawnFrom } from "./Draws.ts"
import type { Draws } from "./Draws.ts"
import { countPayment, FINAL, followingPath, noCounts, NOT_EXECUTED, seenKey } from "./periodCounts.ts"
import type { PeriodCounts } from "./periodCounts.ts"

export interface PeriodEvidence {
  readonly count: (kind: Kind, attempts: ReadonlyArray<Attempt>) => void
  /** Of first attempts at the provider. */
  readonly first: (provider: string, kind: Kind) => Draws
  /** Of attempts at the provider that follow one which ended with `code`. */
  readonly following: (provider: string, kind: Kind, code: string) => Draws
  /** Of failures at the provider, the share that ended so that another provider may be tried, by code. */
  readonly softShares: (provider: string, kind: Kind) => ReadonlyMap<string, number>
  /** Whether a first attempt at the provider had everything that is known of the payments. */
  readonly had: (provider: string, kind: Kind) => boolean
  /** The share that an attempt still succeeds that is open since `startedAt` (ms UTC), at the end of the period. */
  readonly stillSucceeds: (provider: string, kind: Kind, startedAt: number) => Draws
}

/** The attempts of a period are judged by kinds alone: a lens would leave some out. */
const all = { windowMs: null, learnFrom: "all", segments: [] } as const

/** As many as in a rule without `min_samples`. */
const STRENGTH = 40

/** Of attempts that follow a decline, as a part of first attempts: such payments were declined before. */
const AFTER_DECLINE = 0.75

/** How many failures those of all providers count as. */
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
      outlookOf(counts.durations.get(key) ?? noDurations(), counts.durations.get(flow) ?? noDurations()),
      counts.until - startedAt
    )
  /** What is open counts by how long it has been. */
  const settle = (): void => {
    if (isSettled) return
    isSettled = true
    for (const { flow, key, series, startedAt } of counts.open) {
      const part = stillSucceeds(key, flow, startedAt)
      for (const each of series) add(each, 0, part > 0 ? "success" : "failure", Math.abs(part))
    }
  }
  const stepsOf = (provider: string, kind: Kind, path: ReadonlyArray<Part>): ReadonlyArray<Step> => {
    const evidence = new Map(
      [...providers].map((each) => [each, evidenceIn(nodesOf(firsts, each, path).map((node) => node?.series))])
    )
    const issuerAt = path.findIndex(({ level }) => level === "issuer")
    const common = commonRate([...evidence.values()].map(([widest = noEvidence]) => widest))
    return steps(evidence.get(provider) ?? path.map(() => noEvidence), common, STRENGTH, issuerAt)
  }
  const first = (provider: string, kind: Kind): Draws => {
    settle()
    const path = pathIn(kind)
    return once(`first\n${provider}\n${keyOf(path)}`, () => {
      let found: Draws | null = null
      for (const [index, step] of stepsOf(provider, kind, path).entries()) {
        const wider: Draws | null = found
        found = once(`step\n${provider}\n${keyOf(path.slice(0, index + 1))}`, () =>
          drawnFrom(wider, step, `${provider}\n${keyOf(path.slice(0, index + 1))}`)
        )
      }
      return found ?? drawnFrom(null, { rate: 0.5, known: 1, fromWider: 0 }, provider)
    })
  }
  return {
    count: (kind, attempts) => countPayment(counts, kind, pathIn(kind), attempts),
    first,
    following: (provider, kind, code) => {
      const base = first(provider, kind)
      const expected = combineRate(base, code === NOT_EXECUTED ? 1 : AFTER_DECLINE)
      const parts = followingPath(flowOf(kind), provider, code)
      const evidence = evidenceIn(nodesOf(followers, "", parts).map((node) => node?.series))
      return once(`following\n${keyOf(parts)}\n${provider}\n${keyOf(pathIn(kind))}`, () => {
        let found = expected
        for (const [index, step] of steps(evidence, expected[0] ?? 0, STRENGTH / 2).entries()) {
          found = drawnFrom(found, step, `following\n${keyOf(parts.slice(0, index + 1))}`)
        }
        return found
      })
    },
    softShares: (provider, kind) => softSharesIn(failures, provider, flowOf(kind)),
    had: (provider, kind) => {
      const flow = flowOf(kind)
      // A new BIN is no new kind of payment: there are always some.
      const isToBeSeen = ({ level }: Part) => level !== "issuer" && level !== "rule"
      return pathIn(kind).every((part) => !isToBeSeen(part) || seen.has(seenKey(provider, flow, part)))
    },
    stillSucceeds: (provider, kind, startedAt) => {
      const flow = flowOf(kind)
      const part = stillSucceeds(`${provider}\n${flow}`, flow, startedAt)
      return combineRate(first(provider, kind), Math.max(0, Math.min(1, 1 + part)))
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

/** By the draft's rule too: a team that writes a rule for some payments has a reason to think that these differ. */
const pathIn = (kind: Kind): ReadonlyArray<Part> => {
  const [flow, currency, ...further] = pathOf(all, kind)
  const rule = { level: "rule", value: `rule=${kind.rule}` } as const
  return flow === undefined || currency === undefined ? [] : [flow, currency, rule, ...further]
}

const combineRate = (draws: Draws, factor: number): Draws => draws.map((rate) => rate * factor)

const sumOf = (counts: ReadonlyMap<string, number>): number => {
  let sum = 0
  for (const count of counts.values()) sum += count
  return sum
}

const keyOf = (path: ReadonlyArray<Part>): string => path.map(({ value }) => value).join("\n")

/** Of one slot that holds the whole period: all attempts count alike. */
const evidenceIn = (series: ReadonlyArray<Series | undefined>): ReadonlyArray<Evidence> =>
  series.map((each) => (each === undefined ? noEvidence : evidenceOf(each, everything, period)))

const everything = { expired: 1, authenticationFailed: 1 }
const period = { now: 0, slotMs: 1, since: Number.NEGATIVE_INFINITY, windowMs: Number.MAX_VALUE, lagMs: 0 }
