/**
 * Recognizes times that were stored while a clock was ahead. Once that clock is set right, they lie in the future, although
 * they say when something happened.
 */

/** ms. Clocks that are synchronized differ by less; work that is due may wait this much longer than its schedule. */
export const clockTolerance = 60_000

/** Whether a stored time of something that has happened (ms UTC) lies in the future: the clock was set back since. */
export const isAhead = (happenedAt: number, now: number): boolean => happenedAt > now + clockTolerance
