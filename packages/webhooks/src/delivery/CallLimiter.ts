/**
 * Limits concurrent calls of the `onEvent` listener, which the embedding program registers. A call cannot be aborted,
 * so one that takes longer than two seconds frees its slot for others, up to an upper bound. Retries have slots of
 * their own. So events of other payments are delivered even if calls hang.
 */
import type { OrderedTries } from "./Delivery.ts"

export interface CallLimiter {
  /** Returns the number of further calls that may start at `now` (ms UTC). No call may start if it is 0 or less. */
  readonly room: (tries: OrderedTries, now: number) => number
  /** Registers a call that starts. The returned function must be called once when the call ends. */
  readonly begin: (tries: OrderedTries, now: number) => () => void
}

export const make = (): CallLimiter => {
  const running = { first: new Set<Call>(), further: new Set<Call>() }
  return {
    room: (tries, now) => {
      const { atOnce, atMost } = places[tries]
      const calls = Array.from(running[tries])
      const prompt = calls.filter(({ since }) => now - since <= patience).length
      return Math.min(atOnce - prompt, atMost - calls.length)
    },
    begin: (tries, now) => {
      const call = { since: now }
      running[tries].add(call)
      return () => void running[tries].delete(call)
    }
  }
}

interface Call {
  readonly since: number
}

/**
 * The limits on calls. `atOnce` does not count calls that have run longer than `patience`; `atMost` (the upper bound)
 * does.
 */
const places: { readonly [tries in OrderedTries]: { readonly atOnce: number; readonly atMost: number } } = {
  first: { atOnce: 8, atMost: 64 },
  further: { atOnce: 4, atMost: 16 }
}

/** The duration, ms, after which a running call no longer occupies its slot. */
const patience = 2000
