/**
 * Readings of the database's clock between two measurements, and the correction by a measurement. Pure; ms.
 *
 * The reading advances with the machine's monotonic clock and never stops. If it is behind the measured time, it
 * adopts that time immediately. If it is ahead by little, it runs at half speed until both agree, so that it does not go
 * backwards. If it is ahead by more than `longestSlew`, the clock of the database was set back: the reading steps back, since
 * running slowly would delay all due work for longer than that.
 */

/** The state of the clock at one moment of the monotonic clock. */
export interface Discipline {
  /** The time of the reading on the monotonic clock, ms. */
  readonly at: number
  /** The clock's value at `at`, ms UTC. */
  readonly time: number
  /** The amount by which the clock was ahead of the measured time at `at`, ms; 0 or more. */
  readonly ahead: number
}

/**
 * The longest time for which the clock runs at half speed, ms. Due work waits at most this much longer.
 *
 * @internal Exported for tests that reach this bound.
 */
export const longestSlew = 30_000

export const startAt = (at: number, measured: number): Discipline => ({ at, time: measured, ahead: 0 })

/** The clock's value in ms UTC at `at` of the monotonic clock. */
export const readingAt = ({ ahead, at, time }: Discipline, now: number): number => {
  const elapsed = now - at
  return time + elapsed - Math.min(ahead, elapsed / 2)
}

/**
 * The discipline after the database's clock was measured as `measured` (ms UTC) at `at` of the monotonic clock. `jump`: ms by
 * which that clock was set, negative if it was set back; 0 if it was not.
 */
export const afterMeasurement = (
  before: Discipline,
  at: number,
  measured: number
): { readonly discipline: Discipline; readonly jump: number } => {
  const ahead = readingAt(before, at) - measured
  const jump = Math.abs(ahead) > longestSlew ? -ahead : 0
  return ahead > 0 && jump === 0
    ? { discipline: { at, time: measured + ahead, ahead }, jump }
    : { discipline: startAt(at, measured), jump }
}
