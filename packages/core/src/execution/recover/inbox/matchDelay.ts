import { timings } from "../../timings.ts"

/** The delay until an unmatched report is tried again, ms, after `tries` tries. The first try is made on receipt. */
export const matchDelay = (tries: number): number =>
  tries === 0 ? timings.orphanGrace : Math.min(timings.matchRetryCap, 1000 * 2 ** Math.min(tries, mostDoubled))

/** The number of tries after which the delay is no longer doubled. */
export const mostDoubled = 12
