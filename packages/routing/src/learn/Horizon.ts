/** The window of a lens: as the rule sets it, or by the volume of attempts. */
import type { AttemptCount } from "@paymux/core/store"
import { STRETCH } from "./SurvivalCurves.ts"

export interface Horizon {
  /** Attempts that ended earlier are not read, ms UTC. It moves forward as attempts are counted. */
  readonly since: (now: number) => number
  /** `sign`: -1 takes back. */
  readonly count: (row: AttemptCount, sign: number) => void
  /** Drops the counts before `oldest`, ms UTC. */
  readonly forget: (oldest: number) => void
}

const HOUR = 3_600_000

/** Windows of a lens without one: the shortest with enough attempts is used. */
const WINDOWS: ReadonlyArray<number> = [1, 2, 4, 8, 24].map((hours) => hours * HOUR)
const SHORTEST = HOUR
const LONGEST = 24 * HOUR

/** The window is the shortest in which so many attempts of the flow were started. */
const ENOUGH = 60

/** So many attempts are read over all flows, beyond the shortest window. */
const MOST_READ = 100_000

export const horizon = (windowMs: number | null): Horizon => {
  /** How many attempts ended in each stretch. */
  const stretches = new Map<number, number>()
  return {
    since: (now) => {
      // Whole stretches, so that a running server and one that reads the past use the same attempts.
      if (windowMs !== null) return Math.floor((now - Math.max(windowMs, SHORTEST)) / STRETCH) * STRETCH
      let oldest = Math.floor((now - SHORTEST) / STRETCH)
      let known = 0
      for (let stretch = Math.floor(now / STRETCH); stretch >= oldest; stretch--) known += stretches.get(stretch) ?? 0
      while (known < MOST_READ && oldest * STRETCH > now - LONGEST) known += stretches.get(--oldest) ?? 0
      return oldest * STRETCH
    },
    count: (row, sign) => {
      const stretch = Math.floor((row.slot + (row.durationMs ?? 0)) / STRETCH)
      stretches.set(stretch, (stretches.get(stretch) ?? 0) + sign * row.count)
    },
    forget: (oldest) => {
      for (const stretch of stretches.keys()) if ((stretch + 1) * STRETCH <= oldest) stretches.delete(stretch)
    }
  }
}

/** `startedWithin`: how many attempts of the flow were started in the last so many ms. */
export const windowOf = (startedWithin: (ms: number) => number): number =>
  WINDOWS.find((window) => startedWithin(window) >= ENOUGH) ?? LONGEST
