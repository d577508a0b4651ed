/**
 * Time and order of a simulation: a `Clock` that jumps from one sleep to the next, and a `Scheduler` that runs one task
 * after the other.
 *
 * Both are Effect's own services, so the engine runs unchanged, and days pass in milliseconds. It is a `TestClock` for
 * long runs: nothing here waits for a turn of the real event loop, and nothing depends on one, so the same program
 * always takes the same steps.
 */
import { Clock, Context, Duration, Effect, Scheduler } from "effect"
import * as PlatformDigest from "./PlatformDigest.ts"

export interface VirtualTime {
  /** `Clock` and `Scheduler`, for whatever shall live in this time. */
  readonly context: Context.Context<never>
  /** ms since the start of the simulation. */
  readonly elapsed: () => number
  /** ms UTC, as a right wall clock shows it. */
  readonly now: () => number
  /** Runs `task` at that time of `elapsed`, or next if it has come. */
  readonly at: (time: number, task: () => void) => void
  /** Whole ms, as timers have them. */
  readonly sleep: (duration: Duration.Duration, wake: () => void) => { readonly cancel: () => void }
  /** Runs what is ready, then jumps to the next sleep, until `isOver`. Fails when nothing is left to wait for. */
  readonly run: (isOver: () => boolean) => Promise<void>
  /** Ends the run with this error. */
  readonly fail: (error: Error) => void
}

/** @param start ms UTC */
export const make = (start: number): VirtualTime => {
  const ready = fifo<() => void>()
  const sleepers = earliestFirst()
  let elapsed = 0
  let failure: Error | null = null
  const now = () => start + elapsed
  const nanos = (ms: number) => BigInt(Math.round(ms * 1000)) * 1000n

  const sleep: VirtualTime["sleep"] = (duration, wake) => {
    const sleeper = sleepers.add(elapsed + Math.ceil(Duration.toMillis(duration)), wake)
    return { cancel: () => void (sleeper.wake = null) }
  }
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: now,
    currentTimeNanosUnsafe: () => nanos(now()),
    monotonicTimeNanosUnsafe: () => nanos(elapsed),
    currentTimeMillis: Effect.sync(now),
    currentTimeNanos: Effect.sync(() => nanos(now())),
    monotonicTimeNanos: Effect.sync(() => nanos(elapsed)),
    sleep: (duration) =>
      Effect.callback<void>((resume) => Effect.sync(sleep(duration, () => resume(Effect.void)).cancel))
  }
  const dispatcher: Scheduler.SchedulerDispatcher = {
    // Priorities order work within a turn of the event loop; here there is one turn for each task.
    scheduleTask: (task) => ready.add(task),
    flush: () => undefined
  }
  const scheduler: Scheduler.Scheduler = {
    executionMode: "async",
    shouldYield: (fiber) => fiber.currentOpCount >= fiber.cache.maxOpsBeforeYield,
    makeDispatcher: () => dispatcher
  }

  const run = async (isOver: () => boolean) => {
    let steps = 0
    while (!isOver()) {
      if (failure !== null) throw failure
      const task = ready.take()
      if (task !== undefined) {
        if (++steps > MOST_STEPS) throw new Error(`Time does not pass at ${elapsed} ms: there is an endless loop`)
        task()
      } else {
        steps = 0
        const sleeper = sleepers.take()
        if (sleeper === undefined) throw new Error("Nothing is left to wait for, and the simulation is not over")
        elapsed = Math.max(elapsed, sleeper.time)
        sleeper.wake?.()
      }
      if (PlatformDigest.isPending()) await PlatformDigest.settled()
    }
  }

  return {
    context: Context.make(Clock.Clock, clock).pipe(Context.add(Scheduler.Scheduler, scheduler)),
    elapsed: () => elapsed,
    now,
    sleep,
    at: (time, task) => void sleepers.add(Math.max(time, elapsed), task),
    run,
    fail: (error) => void (failure = error)
  }
}

/** At one moment. The busiest one of a run has some thousands. */
const MOST_STEPS = 50_000

interface Sleeper {
  readonly time: number
  /** Sleepers of one time wake in the order in which they lay down. */
  readonly turn: number
  /** `null`: called off. */
  wake: (() => void) | null
}

const fifo = <A>() => {
  let items: Array<A> = []
  let next = 0
  return {
    add: (item: A) => void items.push(item),
    take: (): A | undefined => {
      const item = items[next]
      if (item === undefined) {
        items = []
        next = 0
      } else next++
      return item
    }
  }
}

/** A binary heap. */
const earliestFirst = () => {
  const heap: Array<Sleeper> = []
  let turns = 0
  const isBefore = (a: Sleeper, b: Sleeper) => a.time < b.time || (a.time === b.time && a.turn < b.turn)
  const up = (sleeper: Sleeper) => {
    let at = heap.push(sleeper) - 1
    while (at > 0) {
      const parent = (at - 1) >>> 1
      const above = heap[parent]
      if (above === undefined || isBefore(above, sleeper)) break
      heap[at] = above
      at = parent
    }
    heap[at] = sleeper
  }
  const down = (sleeper: Sleeper) => {
    let at = 0
    while (true) {
      const left = 2 * at + 1
      const [a, b] = [heap[left], heap[left + 1]]
      if (a === undefined) break
      const [child, place] = b !== undefined && isBefore(b, a) ? [b, left + 1] : [a, left]
      if (isBefore(sleeper, child)) break
      heap[at] = child
      at = place
    }
    heap[at] = sleeper
  }
  const pop = (): Sleeper | undefined => {
    const [first] = heap
    const last = heap.pop()
    if (first !== undefined && last !== undefined && heap.length > 0) down(last)
    return first
  }
  return {
    add: (time: number, wake: () => void): Sleeper => {
      const sleeper = { time, turn: turns++, wake }
      up(sleeper)
      return sleeper
    },
    take: (): Sleeper | undefined => {
      let sleeper = pop()
      while (sleeper !== undefined && sleeper.wake === null) sleeper = pop()
      return sleeper
    }
  }
}
