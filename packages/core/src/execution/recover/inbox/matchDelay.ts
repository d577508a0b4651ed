import { timings } from "../../timings.ts"

/** Delay in ms until an unmatched report is tried again, after `tries` tries. The first try is made on receipt. */
export const matchDelay = (tries: number): number =>
  tries === 0 ? timings.orphanGrace : Math.min(timings.matchRetryCap, 1000 * 2 ** Math.min(tries, mostDoubled))

/** The number of the try from which on the delay stays the same. */
export const mostDoubled = 12
