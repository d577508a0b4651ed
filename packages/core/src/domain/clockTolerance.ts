/**
 * Recognizes times that were stored while a clock was ahead. Once that clock is corrected, these times are in the
 * future, although they are the times of past events.
 */

/** The maximum difference between synchronized clocks, ms. Due work may wait this much longer than its schedule. */
export const clockTolerance = 60_000

/**
 * Whether the stored time of a past event (ms UTC) is in the future, so that the clock must have been set back since.
 */
export const isAhead = (happenedAt: number, now: number): boolean => happenedAt > now + clockTolerance
