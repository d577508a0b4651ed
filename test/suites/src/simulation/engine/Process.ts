/**
 * One process on a machine: what runs in it has the machine's wall clock and a scheduler of its own, and nothing else
 * wakes it.
 *
 * Killed, it never takes another step: its timers, its tasks and what comes back to it are dropped, no finalizer runs;
 * that is what `kill -9` does. Stalled, it takes them all later, and does not know that time has passed.
 */
import { Clock, Context, Effect, Random, References, Scheduler } from "effect"
import type { VirtualTime } from "../VirtualTime.ts"
import type { WallClock } from "./WallClock.ts"

export interface Process {
  readonly name: string
  /** Of the machine that it runs on. */
  readonly wall: WallClock
  /** Clock, scheduler and randomness for all that runs in it. */
  readonly context: Context.Context<never>
  readonly isAlive: () => boolean
  /** What comes from outside: now, when the process moves again, or never. */
  readonly enter: (task: () => void) => void
  /** Nothing of this process goes on past here while it stalls, or ever again once it is dead. */
  readonly pass: Effect.Effect<void>
  readonly kill: () => void
  /** @param until ms of `elapsed` */
  readonly stall: (until: number) => void
}

export const make = (name: string, time: VirtualTime, wall: WallClock, random: Random.Random): Process => {
  let alive = true
  let stalledUntil = 0
  const enter = (task: () => void): void => {
    if (!alive) return
    if (time.elapsed() < stalledUntil) time.at(stalledUntil, () => enter(task))
    else task()
  }
  const shared = Context.get(time.context, Clock.Clock)
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: wall.now,
    currentTimeNanosUnsafe: () => nanos(wall.now()),
    monotonicTimeNanosUnsafe: () => shared.monotonicTimeNanosUnsafe(),
    currentTimeMillis: Effect.sync(wall.now),
    currentTimeNanos: Effect.sync(() => nanos(wall.now())),
    monotonicTimeNanos: shared.monotonicTimeNanos,
    sleep: (duration) =>
      Effect.callback<void>((resume) => {
        const sleeper = time.sleep(duration, () => enter(() => resume(Effect.void)))
        return Effect.sync(sleeper.cancel)
      })
  }
  const outer = Context.get(time.context, Scheduler.Scheduler)
  const dispatcher = outer.makeDispatcher()
  const own: Scheduler.SchedulerDispatcher = {
    scheduleTask: (task, priority) => dispatcher.scheduleTask(() => enter(task), priority),
    flush: () => undefined
  }
  const scheduler: Scheduler.Scheduler = {
    executionMode: outer.executionMode,
    shouldYield: (fiber) => outer.shouldYield(fiber),
    makeDispatcher: () => own
  }
  return {
    name,
    wall,
    context: Context.make(Clock.Clock, clock).pipe(
      Context.add(Scheduler.Scheduler, scheduler),
      Context.add(Random.Random, random),
      Context.add(References.MinimumLogLevel, "None")
    ),
    isAlive: () => alive,
    enter,
    pass: Effect.suspend(() =>
      alive && time.elapsed() >= stalledUntil
        ? Effect.void
        : Effect.callback<void>((resume) => enter(() => resume(Effect.void)))
    ),
    kill: () => void (alive = false),
    stall: (until) => void (stalledUntil = Math.max(stalledUntil, until))
  }
}

const nanos = (ms: number): bigint => BigInt(Math.round(ms * 1000)) * 1000n
