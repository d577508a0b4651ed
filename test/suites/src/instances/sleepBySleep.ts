/**
 * Virtual time for days with a real database: it goes from one sleep of the engine to the next, and everything that is on its way is
 * waited for before it goes on. So no call runs into a time limit because the clock has moved while it was answered.
 */
import { Duration, Effect } from "effect"
import type { Clock } from "effect"
import { TestClock } from "effect/testing"

/** @param settle waits until nothing is on its way */
export const sleepBySleep = Effect.fnUntraced(function* (settle: Effect.Effect<void>) {
  const test = yield* TestClock.testClockWith(Effect.succeed)
  // It warns of sleeps that begin before it is moved for the first time.
  yield* test.adjust(0)
  const sleeps = new Set<{ readonly until: number }>()
  const clock: Clock.Clock = {
    ...test,
    sleep: (duration) =>
      Effect.suspend(() => {
        const sleep = { until: test.currentTimeMillisUnsafe() + Duration.toMillis(duration) }
        sleeps.add(sleep)
        return Effect.ensuring(
          test.sleep(duration),
          Effect.sync(() => sleeps.delete(sleep))
        )
      })
  }
  const stoppedClock: Clock.Clock = {
    ...test,
    sleep: (duration) => (Duration.toMillis(duration) === 0 ? Effect.void : Effect.never)
  }
  const next = (now: number, end: number): number =>
    [...sleeps].reduce((first, { until }) => (until > now ? Math.min(first, until) : first), end)
  return {
    /** Of the engines. */
    clock,
    /** Of a process that is stopped: its sleeps do not end. */
    stoppedClock,
    /** ms */
    pass: Effect.fnUntraced(function* (time: number) {
      const end = test.currentTimeMillisUnsafe() + time
      while (test.currentTimeMillisUnsafe() < end) {
        yield* test.setTime(next(test.currentTimeMillisUnsafe(), end))
        yield* settle
      }
    })
  }
})
