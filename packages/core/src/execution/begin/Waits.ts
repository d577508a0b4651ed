/**
 * A set of waits of callers, each of which ends when its time is over. All waits of a set share one timer: a timer per
 * request would cost more than most steps of the request.
 *
 * The timer uses the monotonic clock, so that a wall clock that is set back prolongs no wait, and the delays of timers
 * in a busy process do not add up.
 */
import { Clock, Effect, Latch } from "effect"
import type { Scope } from "effect"

export interface Wait {
  /** The time at which the wait is over, in ms of the monotonic clock. */
  readonly dueAt: number
  /**
   * Ends the wait. It is called at most once per start of the wait: at `dueAt` or up to `pace` ms later, plus the delay
   * of the timer.
   */
  readonly end: () => void
}

export interface Waits {
  /** The time of the monotonic clock, in ms. */
  readonly now: () => number
  readonly start: (wait: Wait) => void
  readonly stop: (wait: Wait) => void
}

export const makeWaits: Effect.Effect<Waits, never, Scope.Scope> = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const now = () => milliseconds(clock)
  const waits = new Set<Wait>()
  const busy = Latch.makeUnsafe()
  const stop = (wait: Wait) => {
    waits.delete(wait)
    if (waits.size === 0) busy.closeUnsafe()
  }
  const endOverdue = () => {
    const time = now()
    for (const wait of waits) {
      if (wait.dueAt > time) continue
      stop(wait)
      wait.end()
    }
  }
  yield* Effect.forkScoped(
    Effect.forever(Effect.andThen(Effect.andThen(busy.await, Effect.sleep(pace)), Effect.sync(endOverdue)))
  )
  return {
    now,
    start: (wait) => {
      if (waits.size === 0) busy.openUnsafe()
      waits.add(wait)
    },
    stop
  }
})

/** The interval of the timer in ms. */
const pace = 100

export const milliseconds = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe()) / 1e6
