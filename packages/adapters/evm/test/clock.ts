/**
 * A clock that runs like the machine's, since a chain and its sockets take real time, and that can be set forward: who
 * sleeps until then is woken.
 */
import { Duration, Effect } from "effect"
import type { Clock } from "effect"

export interface JumpingClock {
  readonly clock: Clock.Clock
  /** Sets it forward by so many ms. */
  readonly jump: (ms: number) => void
}

export const jumpingClock = (): JumpingClock => {
  let ahead = 0
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>()
  const millis = () => Date.now() + ahead
  const nanos = () => BigInt(millis()) * 1_000_000n
  const monotonic = () => BigInt(Math.floor((performance.now() + ahead) * 1_000_000))
  const sleep = (ms: number): Effect.Effect<void> => {
    if (!Number.isFinite(ms)) return Effect.never
    return Effect.callback((resume) => {
      const timer = setTimeout(() => sleeper.wake(), Math.min(ms, longest))
      const end = () => {
        clearTimeout(timer)
        sleepers.delete(sleeper)
      }
      const sleeper = {
        at: millis() + ms,
        wake: () => {
          end()
          const left = sleeper.at - millis()
          resume(left > longest ? sleep(left) : Effect.void)
        }
      }
      sleepers.add(sleeper)
      return Effect.sync(end)
    })
  }
  return {
    clock: {
      currentTimeMillisUnsafe: millis,
      currentTimeMillis: Effect.sync(millis),
      currentTimeNanosUnsafe: nanos,
      currentTimeNanos: Effect.sync(nanos),
      monotonicTimeNanosUnsafe: monotonic,
      monotonicTimeNanos: Effect.sync(monotonic),
      sleep: (duration) => sleep(Duration.toMillis(duration))
    },
    jump: (ms) => {
      ahead += ms
      const now = millis()
      for (const sleeper of sleepers) if (sleeper.at <= now) sleeper.wake()
    }
  }
}

/** The longest time that a timer of Node.js can be set to, in ms. */
const longest = 2 ** 31 - 1
