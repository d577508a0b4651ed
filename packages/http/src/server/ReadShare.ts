/**
 * Limits the event loop time for lists of payments and for reads of the dashboard. A list of a hundred payments takes
 * some milliseconds, during which no payment can proceed. Without a limit, forty connections that read continuously
 * would leave nearly no time for payments. Reads by id are not limited.
 *
 * Reads have a common budget of event loop time. The budget grows by `share` of the elapsed time. While at least one
 * read runs, all busy time of the event loop is deducted, up to 50 ms for each read. Accounts and modes with waiting
 * reads take turns.
 *
 * Gotchas: the budget is per process.
 *
 * @example
 * ```ts
 * const listed = ReadShare.use((reads) => reads.run("/v1 default test", readTheList))
 * ```
 */
import type { Tenant } from "@paymux/core"
import { Context, Effect, Layer, Semaphore } from "effect"
import { performance } from "node:perf_hooks"
import { ApiProblem } from "../problems/ApiProblem.ts"

/**
 * @internal Exported for the tests of `ReadShare`.
 */
export const readShareDefaults = {
  /** The share of event loop time, from 0 to 1. */
  share: 0.15,
  /**
   * The maximum budget that can accumulate while no read runs, ms. It is sufficient for a page of the dashboard, which
   * sends ten reads.
   */
  burst: 100,
  /**
   * The maximum number of concurrent reads. Several may run, because a read uses no event loop time while it waits for
   * a database in another process.
   */
  running: 4,
  /** The maximum wait before a read is rejected, ms. */
  patience: 1000,
  /** `perLine` is the maximum number of waiting reads in one queue (line), `waiting` that in all queues together. */
  perLine: 100,
  waiting: 500
}

/**
 * @internal Exported for the tests of `ReadShare`.
 */
export type ReadShareSettings = typeof readShareDefaults

/** The clock of the event loop, in ms. This clock is real even if the clock of the engine is virtual. */
export interface LoopClock {
  /** The time since the start of the event loop, ms. */
  readonly now: () => number
  /** The busy time since the start of the event loop, ms. */
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
     * Runs a read as soon as the budget allows it. Fails with `rate_limited` if the read would wait too long. `line` is
     * the name of a queue: the reads of one queue start in order, and the queues take turns.
     */
    readonly run: <A, E, R>(line: string, read: Effect.Effect<A, E, R>) => Effect.Effect<A, E | ApiProblem, R>
  }
>()("@paymux/http/ReadShare") {
  /** The layer of one budget. All uses of this layer in an application share the budget. */
  static readonly layer: Layer.Layer<ReadShare> = Layer.effect(
    ReadShare,
    Effect.map(CurrentLoopClock, (clock) => makeReadShare(readShareDefaults, clock))
  )
}

/**
 * @internal Exported for the tests of `ReadShare`.
 */
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
  const tooLate = Effect.andThen(clock.sleep(patience), Effect.fail(overLimit))
  const admitted = (name: string): Effect.Effect<void, ApiProblem> =>
    Effect.suspend(() => {
      if (standing === 0 && budget.missing() === 0) return Effect.void
      return Effect.acquireUseRelease(
        Effect.sync(() => join(name)),
        (line) =>
          line === null
            ? Effect.fail(overLimit)
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

/** Returns the name of the queue (line) for the lists of `/v1` of an account and mode. */
export const lineOf = ({ account, livemode }: Tenant): string => `/v1 ${account} ${livemode}`

interface Line {
  /** The semaphore of the queue. The queue's first read holds it until the budget admits that read; the others wait. */
  readonly turn: Semaphore.Semaphore
  standing: number
}

/**
 * The maximum time that one read is charged, ms. While a read waits for the database, the busy time of the event loop
 * is used by payments.
 */
const maxCharge = 50

/** The interval of the check for ended reads, ms. */
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
    // A negative budget is limited, so that a long read delays the next one by at most half of `patience`, the longest
    // wait.
    credit = Math.max((-share * patience) / 2, Math.min(burst, credit + share * (now - at)) - used)
    at = now
    busyAt = busy
  }
  return {
    /** The time until the next read may start, ms; 0: now. */
    missing: (): number => {
      settle()
      if (running >= most) return pause
      return credit > 0 ? 0 : Math.floor(-credit / share) + 1
    },
    begin: () => {
      settle()
      running += 1
      allowance += maxCharge
    },
    end: () => {
      settle()
      running -= 1
      if (running === 0) allowance = 0
    }
  }
}

const overLimit = new ApiProblem({
  code: "rate_limited",
  detail: "The capacity of this server for lists and the dashboard is used up. Retry after the time in Retry-After.",
  retryAfterSeconds: 1
})
