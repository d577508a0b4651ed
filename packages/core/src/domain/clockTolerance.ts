/**
 * Recognizes times that were stored while a clock was ahead. Once that clock is corrected, they lie in the future, although
 * they are the times of past events.
 */

/** ms. Synchronized clocks differ by less; due work may wait this much longer than its schedule. */
export const clockTolerance = 60_000

/** Whether the stored time of a past event (ms UTC) lies in the future: the clock was set back since. */
export const isAhead = (happenedAt: number, now: number): boolean => happenedAt > now + clockTolerance
