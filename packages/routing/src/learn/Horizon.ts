/** How far back attempts count: as far as a rule says, or as their volume calls for. */
import type { AttemptCount } from "@paymux/core/store"
import { STRETCH } from "./outlooks.ts"

export interface Horizon {
  /** What ended before it is not read, ms UTC. Later, while more attempts become known. */
  readonly since: (now: number) => number
  /** `sign`: -1 takes back. */
  readonly count: (row: AttemptCount, sign: number) => void
  /** Forgets what ended before `oldest`, ms UTC. */
  readonly forget: (oldest: number) => void
}

const HOUR = 3_600_000

/** Where nothing is set: how far back attempts are counted at least, and at most. */
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
      // Whole stretches: however it was read, what is known then rests on the same attempts.
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
