/** Traffic, and an engine that is killed at named points all the while. */
import type { CrashPoint } from "../CrashPoints.ts"
import type { EngineHost } from "../EngineHost.ts"
import { mulberry32 } from "../Random.ts"
import { withHarness } from "../TestHarness.ts"
import type { HarnessReport } from "../TestHarness.ts"

export interface CrashRunOptions {
  /** `postgres://…` of an empty database; default: a new SQLite file. */
  readonly database?: string
  readonly points: ReadonlyArray<CrashPoint>
  readonly killsPerPoint: number
  /** More payments are made until there are so many. */
  readonly payments: number
  readonly seed: number
  readonly progress?: (line: string) => void
}

export interface CrashReport extends HarnessReport {
  readonly at: ReadonlyMap<CrashPoint, number>
}

/** ms: how long a point is waited for. */
const PATIENCE = 12_000
const MOST_EXTRA_ROUNDS = 5

export const crashRun = async (options: CrashRunOptions): Promise<CrashReport> => {
  const at = new Map<CrashPoint, number>(options.points.map((point) => [point, 0]))
  const { database, payments, seed } = options
  const report = await withHarness(
    { name: `crash-${seed}`, ...(database !== undefined && { database }) },
    async (harness) => {
      const [engine] = harness.engines
      if (engine !== undefined) await killAll(engine, options, at)
      await harness.untilPayments(payments)
    }
  )
  return { ...report, at }
}

/** Each point so often as is asked, at a random passing; a passing that does not come in time is made the next one. */
const killAll = async (
  engine: EngineHost,
  { killsPerPoint, points, progress, seed }: CrashRunOptions,
  at: Map<CrashPoint, number>
): Promise<void> => {
  const random = mulberry32(seed)
  for (let round = 1; round <= killsPerPoint; round++) {
    for (const point of points) {
      const passing = 1 + Math.floor(random() * 5)
      const died = (await engine.crashAt(point, passing, PATIENCE)) || (await engine.crashAt(point, 1, PATIENCE * 2))
      if (died) at.set(point, (at.get(point) ?? 0) + 1)
      else progress?.(`${point} was not passed`)
    }
    progress?.(`round ${round} of ${killsPerPoint}: ${engine.kills()} kills`)
  }
  // A point that traffic rarely passes is waited for longer, so that each has its kills.
  for (let extra = 0; extra < MOST_EXTRA_ROUNDS; extra++) {
    for (const point of points.filter((each) => (at.get(each) ?? 0) < killsPerPoint)) {
      if (await engine.crashAt(point, 1, PATIENCE * 5)) at.set(point, (at.get(point) ?? 0) + 1)
    }
  }
}
