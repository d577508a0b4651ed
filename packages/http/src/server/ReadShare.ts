/**
 * The share of the event loop that lists of payments and the reads of the dashboard get together. A list of a hundred takes some
 * milliseconds in which no payment continues: forty connections that read one after the other would leave payments nearly no time.
 * Reads by id are not limited.
 *
 * Reads have a budget of time on the event loop. It grows by `share` of the time that passes, and what reads use is subtracted:
 * while at least one runs, all time in which the event loop is busy, up to 50 ms for each. Where several wait, accounts and modes take turns.
 *
 * Gotchas: the budget is of this process.
 *
 * @example
 * ```ts
 * const listed = ReadShare.use((reads) => reads.run("/v1 default test", readTheList))
 * ```
 */
import { Context, Effect, Layer, Semaphore } from "effect"
import { performance } from "node:perf_hooks"
import { ApiProblem } from "../problems/ApiProblem.ts"

export interface ReadShareSettings {
  /** Of the time of the event loop, from 0 to 1. */
  readonly share: number
  /** ms of the event loop that may be used at once after a pause: a page of the dashboard sends ten reads. */
  readonly burst: number
  /** How many run at once: where the database is another process, they wait for it, and use no time meanwhile. */
  readonly running: number
  /** ms that a read waits at most before it is refused. */
  readonly patience: number
  /** How many reads of one line wait at most, and of all lines. */
  readonly perLine: number
  readonly waiting: number
}

/** @internal Exported for its own test. */
export const readShareDefaults: ReadShareSettings = {
  share: 0.15,
  burst: 100,
  running: 4,
  patience: 1000,
  perLine: 100,
  waiting: 500
}

/** Time on the event loop, in ms. It is that of the loop, also where the clock of the engine is a virtual one. */
export interface LoopClock {
  /** Since the event loop began. */
  readonly now: () => number
  /** For how long it has been busy since then. */
  readonly busy: () => number
  readonly sleep: (ms: number) => Effect.Effect<void>
}

export const CurrentLoopClock = Context.Reference<LoopClock>("@paymux/http/LoopClock", {
  defaultValue: () => ({
    now: () => {
      const { active, idle } = performance.eventLoopUtilization()
      return active + idle
    },
    busy: () => performance.eventLoopUtilization().active,
    sleep: (ms) =>
      Effect.callback<void>((resume) => {
        const timer = setTimeout(() => resume(Effect.void), ms)
        return Effect.sync(() => clearTimeout(timer))
      })
  })
})

export class ReadShare extends Context.Service<
  ReadShare,
  {
    /**
     * Runs a read once the budget allows it. Fails with `rate_limited` if it would wait too long. `line`: reads of one line wait
     * for each other, and lines take turns.
     */
    readonly run: <A, E, R>(line: string, read: Effect.Effect<A, E, R>) => Effect.Effect<A, E | ApiProblem, R>
  }
>()("@paymux/http/ReadShare") {
  /** One budget wherever this layer is provided in the same application. */
  static readonly layer: Layer.Layer<ReadShare> = Layer.effect(
    ReadShare,
    Effect.map(CurrentLoopClock, (clock) => makeReadShare(readShareDefaults, clock))
  )
}

/** @internal Exported for its own test. */
export const makeReadShare = (settings: ReadShareSettings, clock: LoopClock): ReadShare["Service"] => {
  const { patience, perLine, waiting } = settings
  const budget = makeBudget(settings, clock)
  const lines = new Map<string, Line>()
  const first = Semaphore.makeUnsafe(1)
  let standing = 0
  const join = (name: string): Line | null => {
    const line = lines.get(name) ?? { turn: Semaphore.makeUnsafe(1), standing: 0 }
    if (standing >= waiting || line.standing >= perLine) return null
    standing += 1
    line.standing += 1
    lines.set(name, line)
    return line
  }
  const leave = (name: string, line: Line) => {
    standing -= 1
    line.standing -= 1
    if (line.standing === 0) lines.delete(name)
  }
  const room: Effect.Effect<void> = Effect.suspend(() => {
    const ms = budget.missing()
    return ms === 0 ? Effect.void : Effect.andThen(clock.sleep(ms), room)
  })
  const tooLate = Effect.andThen(clock.sleep(patience), Effect.fail(tooMany))
  const admitted = (name: string): Effect.Effect<void, ApiProblem> =>
    Effect.suspend(() => {
      if (standing === 0 && budget.missing() === 0) return Effect.void
      return Effect.acquireUseRelease(
        Effect.sync(() => join(name)),
        (line) =>
          line === null
            ? Effect.fail(tooMany)
            : Effect.raceFirst(line.turn.withPermit(first.withPermit(room)), tooLate),
        (line) => Effect.sync(() => line !== null && leave(name, line))
      )
    })
  return ReadShare.of({
    run: (line, read) =>
      Effect.andThen(
        admitted(line),
        Effect.acquireUseRelease(
          Effect.sync(budget.begin),
          () => read,
          () => Effect.sync(budget.end)
        )
      )
  })
}

interface Line {
  /** The first of the line waits for the budget, the others for it. */
  readonly turn: Semaphore.Semaphore
  standing: number
}

/** ms of the event loop that one read is charged at most: while it waits for the database, payments use the loop. */
const longest = 50

/** ms after which it is looked again whether a read has ended. */
const pause = 5

const makeBudget = ({ burst, patience, running: most, share }: ReadShareSettings, clock: LoopClock) => {
  let credit = burst
  let running = 0
  let allowance = 0
  let at = clock.now()
  let busyAt = clock.busy()
  const settle = () => {
    const [now, busy] = [clock.now(), clock.busy()]
    const used = running > 0 ? Math.min(busy - busyAt, allowance) : 0
    allowance -= used
    // One long read delays the next one by half of its patience at most.
    credit = Math.max((-share * patience) / 2, Math.min(burst, credit + share * (now - at)) - used)
    at = now
    busyAt = busy
  }
  return {
    /** ms until the next read may begin; 0: now. */
    missing: (): number => {
      settle()
      if (running >= most) return pause
      return credit > 0 ? 0 : Math.floor(-credit / share) + 1
    },
    begin: () => {
      settle()
      running += 1
      allowance += longest
    },
    end: () => {
      settle()
      running -= 1
      if (running === 0) allowance = 0
    }
  }
}

const tooMany = new ApiProblem({
  code: "rate_limited",
  detail: "The capacity of this server for lists and the dashboard is used up. Retry after the time in Retry-After.",
  retryAfterSeconds: 1
})
