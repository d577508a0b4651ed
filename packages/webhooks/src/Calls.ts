/**
 * How many calls of the program's own code may run. Nothing can end a call, so one that lasts for longer than two seconds
 * leaves its place to others, up to a bound; and events that it failed before have places apart. However many payments'
 * calls hang, the events of all others are told.
 */
import type { LineTries } from "./Delivery.ts"

export interface Calls {
  /** How many further calls may begin at `now` (ms); 0 or less: none. */
  readonly room: (tries: LineTries, now: number) => number
  /** Returns what to call, once, when it ends. */
  readonly begin: (tries: LineTries, now: number) => () => void
}

export const make = (): Calls => {
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

/** `atOnce`: without those that last long. */
const places: { readonly [tries in LineTries]: { readonly atOnce: number; readonly atMost: number } } = {
  first: { atOnce: 8, atMost: 64 },
  further: { atOnce: 4, atMost: 16 }
}

/** ms */
const patience = 2000
