/** The time of a run: a `TestClock` that moves in steps, and what vendors and clients do in it, on their own. */
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { setImmediate as nextTurn } from "node:timers/promises"

export interface VirtualWorld {
  /** In whole ms, as the clocks of machines. */
  readonly clock: Clock.Clock
  /** ms UTC */
  readonly now: () => number
  /** Runs `task` so many ms from now. It goes on whether an engine runs or not. */
  readonly later: (ms: number, task: () => void) => void
  /** Lets time pass until `isOver`, looked at after each step. `step`: ms. */
  readonly passUntil: (isOver: () => boolean, step: number) => Effect.Effect<void>
  readonly pass: (ms: number, step: number) => Effect.Effect<void>
}

/** 2026-03-01T00:00:00Z */
const START = 1_772_323_200_000

export const virtualWorld = Effect.gen(function* (): Effect.fn.Return<VirtualWorld> {
  yield* TestClock.setTime(START)
  const clock = wholeMillis(yield* Clock.Clock)
  const now = () => clock.currentTimeMillisUnsafe()
  const tasks: Array<{ readonly at: number; readonly task: () => void }> = []
  const later = (ms: number, task: () => void) => {
    const at = now() + ms
    const place = tasks.findIndex((each) => each.at > at)
    tasks.splice(place === -1 ? tasks.length : place, 0, { at, task })
  }
  const runDue = () => {
    while ((tasks[0]?.at ?? Number.POSITIVE_INFINITY) <= now()) tasks.shift()?.task()
  }
  const passUntil = Effect.fnUntraced(function* (isOver: () => boolean, step: number) {
    while (!isOver()) {
      yield* TestClock.adjust(step)
      yield* settled
      runDue()
      yield* settled
    }
  })
  return {
    clock,
    now,
    later,
    passUntil,
    pass: (ms, step) =>
      Effect.suspend(() => {
        const end = now() + ms
        return passUntil(() => now() >= end, step)
      })
  }
})

const wholeMillis = (clock: Clock.Clock): Clock.Clock => ({
  currentTimeMillisUnsafe: () => Math.floor(clock.currentTimeMillisUnsafe()),
  currentTimeMillis: Effect.map(clock.currentTimeMillis, Math.floor),
  currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
  currentTimeNanos: clock.currentTimeNanos,
  monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
  monotonicTimeNanos: clock.monotonicTimeNanos,
  sleep: (duration) => clock.sleep(duration)
})

/** A commit takes a few turns of the event loop, and a request some commits. */
const settled = Effect.promise(async () => {
  for (let turn = 0; turn < TURNS; turn++) await nextTurn()
})

const TURNS = 10
