/** The window of a lens: as the rule sets it, or by the volume of attempts. */
import type { AttemptCount } from "@paymux/core/store"
import { STRETCH } from "./SurvivalCurves.ts"

export interface Horizon {
  /** Attempts that ended earlier are not read, ms UTC. This time moves forward as attempts are counted. */
  readonly since: (now: number) => number
  /** Counts attempts; a `sign` of -1 removes them. */
  readonly count: (row: AttemptCount, sign: number) => void
  /** Drops the counts before `oldest`, ms UTC. */
  readonly forget: (oldest: number) => void
}

const HOUR = 3_600_000

/** The windows for a lens without a window of its own: the shortest with enough attempts is used. */
const WINDOWS: ReadonlyArray<number> = [1, 2, 4, 8, 24].map((hours) => hours * HOUR)
const SHORTEST = HOUR
const LONGEST = 24 * HOUR

/** The window is the shortest one with this number of started attempts of the flow. */
const ENOUGH = 60

/** The most attempts of all flows that are read beyond the shortest window. */
const MOST_READ = 100_000

export const horizon = (windowMs: number | null): Horizon => {
  /** The number of attempts that ended in each stretch. */
  const stretches = new Map<number, number>()
  return {
    since: (now) => {
      // Rounded to stretches, so that a server uses the same attempts after a restart.
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

/** `startedWithin`: counts the attempts of the flow that were started in the last `ms`. */
export const windowOf = (startedWithin: (ms: number) => number): number =>
  WINDOWS.find((window) => startedWithin(window) >= ENOUGH) ?? LONGEST
