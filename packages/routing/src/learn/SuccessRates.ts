/**
 * How well providers take money lately, as one lens sees it: learned in `settle`, `replaceRecent` and `replaceOpen`, away from
 * payments, and read as plain numbers by `estimates`.
 */
import type { AttemptCount } from "@paymux/core/store"
import type { Learned } from "../CompiledRouting.ts"
import type { Facts } from "../Facts.ts"
import { askedKinds } from "./askedKinds.ts"
import { attempts, flowOf, OPEN_SLOT_MS } from "./Attempts.ts"
import { basisOf } from "./basis.ts"
import { commonRate, estimate, worthTrying } from "./estimate.ts"
import type { Estimate } from "./estimate.ts"
import { horizon, windowOf } from "./Horizon.ts"
import { kindKey, kindOf, pathOf, scopeOf } from "./Kind.ts"
import type { Kind, Part } from "./Kind.ts"
import { lensKey } from "./Lens.ts"
import type { Lens } from "./Lens.ts"
import { STRETCH } from "./outlooks.ts"
import { evidenceOf, noEvidence } from "./Series.ts"
import type { Evidence, Weights } from "./Series.ts"

/** What is known of one provider for one kind of payment. */
export interface Known extends Estimate {
  /** `128 visa cards, none from DE`: the attempts that the estimate rests on. */
  readonly basis: string
}

export interface SuccessRates {
  /** Of the lens. */
  readonly key: string
  /** The width of a slot, ms: what the store is to count attempts by. */
  readonly slotMs: number
  readonly openSlotMs: number
  /** What ended before it is not read, ms UTC. Later, while more attempts become known. */
  readonly since: (now: number) => number
  /** Attempts that ended, and of which nothing changes any more. */
  readonly settle: (rows: ReadonlyArray<AttemptCount>) => void
  /** Attempts that ended lately, in place of those of the last time. */
  readonly replaceRecent: (rows: ReadonlyArray<AttemptCount>) => void
  /** All attempts that are open, in place of those of the last time. Until then, `now` (ms UTC) does not change. */
  readonly replaceOpen: (rows: ReadonlyArray<AttemptCount>, now: number) => void
  /** Estimates anew for the payments that were asked for since the last time, a few in each step. */
  readonly renew: () => Iterable<void>
  /** The same when they are asked for. */
  readonly restart: () => void
  /** The providers of the rule, in its order: as of the last renewal. */
  readonly estimates: (learned: Learned, facts: Facts) => ReadonlyMap<string, Known>
  /** How many series are held. */
  readonly size: () => number
}

/** A window of a week then has no more than some hundred slots for each issuer. */
const SLOTS = 360

/** Nothing is known yet. */
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
  const windowFor = (kind: Kind, flow: Part, oldest: number): number => {
    const key = `${flow.value}\n${scopeOf(lens, kind)}`
    const known =
      windowMs ?? windows.get(key) ?? windowOf((ms) => all.startedSince(kind, flow, Math.max(oldest, present - ms)))
    windows.set(key, known)
    return known
  }
  const look = (kind: Kind, path: ReadonlyArray<Part>, provider: string, weights: Weights): ReadonlyArray<Evidence> => {
    const lagMs = all.lagOf(provider, flowOf(kind))
    const oldest = windowMs === null ? since(present) : Math.max(since(present), present - windowMs - lagMs)
    const [flow] = path
    const window = flow === undefined ? 0 : windowFor(kind, flow, oldest)
    const seen = { now: present, slotMs, since: oldest, windowMs: window, lagMs }
    return all
      .of(provider, kind, path)
      .map((series) => (series === undefined ? noEvidence : evidenceOf(series, weights, seen)))
  }
  const asked = askedKinds(({ expected, providers, strength, weights }, kind): ReadonlyMap<string, Known> => {
    const path = pathOf(lens, kind)
    const issuerAt = path.findIndex(({ level }) => level === "issuer")
    const evidence = providers.map((provider) => look(kind, path, provider, weights))
    const common = worthTrying(commonRate(evidence.map(([widest = noEvidence]) => widest)))
    return new Map(
      providers.map((provider, index) => {
        const own = evidence[index] ?? []
        const found = estimate(own, expected.get(provider) ?? common, common, strength, issuerAt)
        return [provider, { ...found, basis: basisOf(path, own) }]
      })
    )
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
      // Open attempts are judged by what is still known.
      forget(since(now))
      all.replaceOpen(rows, now)
    },
    renew: () => asked.renew(),
    restart: () => asked.forget(),
    estimates: (learned, facts) =>
      asked.of(learned, kindKey(lens, facts, learned.rule), () => kindOf(facts, learned.rule)),
    size: all.size
  }
}
