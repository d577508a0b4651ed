/**
 * Determines the time window of the attempts that success rates are computed from: the window that the rule configures,
 * or one that depends on the volume of attempts.
 */
import type { AttemptCount } from "@paymux/core/store"
import { STRETCH } from "./SurvivalCurves.ts"

export interface Horizon {
  /**
   * The start of the period to read, ms UTC: attempts that ended earlier are not needed. It moves forward as attempts
   * are counted.
   */
  readonly since: (now: number) => number
  /** Counts attempts; with a `sign` of -1, removes them from the count. */
  readonly count: (row: AttemptCount, sign: number) => void
  /** Drops the counts of attempts that ended before `oldest`, ms UTC. */
  readonly forget: (oldest: number) => void
}

const HOUR = 3_600_000

/**
 * The possible lengths of the window if the rule configures none, ms: the shortest one with enough attempts is used.
 */
const WINDOWS: ReadonlyArray<number> = [1, 2, 4, 8, 24].map((hours) => hours * HOUR)
const SHORTEST = HOUR
const LONGEST = 24 * HOUR

/** The number of started attempts of a flow that make a window long enough. */
const ENOUGH = 60

/** The maximum number of attempts, of all flows, that are read in addition to the shortest window. */
const MOST_READ = 100_000

export const horizon = (windowMs: number | null): Horizon => {
  /** The number of ended attempts in each period of `STRETCH` ms. */
  const stretches = new Map<number, number>()
  return {
    since: (now) => {
      // Rounds down to a full period, so that a server uses the same attempts after a restart.
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

/** Chooses the window of a flow. `startedWithin` counts its attempts that were started in the last `ms`. */
export const windowOf = (startedWithin: (ms: number) => number): number =>
  WINDOWS.find((window) => startedWithin(window) >= ENOUGH) ?? LONGEST
