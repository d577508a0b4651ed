import { timings } from "../../timings.ts"

/** ms until a report that matches no payment is tried again, after `tries` tries; before the first, its receiver tries it. */
export const matchDelay = (tries: number): number =>
  tries === 0 ? timings.orphanGrace : Math.min(timings.matchRetryCap, 1000 * 2 ** Math.min(tries, mostDoubled))

/** From this try on, the delay stays the same. */
export const mostDoubled = 12
