/** The survival curves of all providers and flows, from the durations of recent attempts. */
import { addDuration, noDurations, survivalCurve, sumOf } from "./survivalCurve.ts"
import type { Durations, SurvivalCurve } from "./survivalCurve.ts"

export interface SurvivalCurves {
  /** Adds attempts that ended at `at` (ms UTC). A negative `count` removes them. */
  readonly add: (
    provider: string,
    flow: string,
    ended: { readonly at: number; readonly durationMs: number; readonly isSuccess: boolean },
    count: number
  ) => void
  readonly of: (provider: string, flow: string) => SurvivalCurve
  /** Drops durations of attempts that ended before `since`, ms UTC. */
  readonly forget: (since: number) => void
}

/** The length of the periods by which old durations are dropped, ms. */
export const STRETCH = 600_000

const stretchOf = (time: number): number => Math.floor(time / STRETCH)

export const survivalCurves = (): SurvivalCurves => {
  /** The durations of attempts in each period, per flow and per provider and flow. */
  const durations = new Map<number, Map<string, Durations>>()
  /** The survival curves, cached until the durations change. */
  const found = new Map<string, SurvivalCurve>()

  const durationsIn = (stretch: number, key: string): Durations => {
    const all = durations.get(stretch) ?? new Map<string, Durations>()
    const known = all.get(key) ?? noDurations()
    durations.set(stretch, all.set(key, known))
    return known
  }
  const durationsOf = (key: string): Durations => sumOf([...durations.values()].flatMap((all) => all.get(key) ?? []))
  return {
    add: (provider, flow, { at, durationMs, isSuccess }, count) => {
      found.clear()
      for (const key of [flow, `${provider}\n${flow}`]) {
        addDuration(durationsIn(stretchOf(at), key), durationMs, isSuccess, count)
      }
    },
    of: (provider, flow) => {
      const key = `${provider}\n${flow}`
      const known = found.get(key) ?? survivalCurve(durationsOf(key), durationsOf(flow))
      found.set(key, known)
      return known
    },
    forget: (since) => {
      for (const stretch of durations.keys()) if (stretch < stretchOf(since)) durations.delete(stretch)
      found.clear()
    }
  }
}
