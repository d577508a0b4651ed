/**
 * The correction of due times that were set while a clock was ahead. Without the correction, work would be delayed by
 * as much as the clock was ahead. Such a due time is detected by one of three signs, each with a tolerance of
 * `clockTolerance`:
 *
 * - The due time is further in the future than the longest delay for this kind of work.
 * - The due time is the end of a claim, and later than the end of a claim that begins now.
 * - The due time was set by a change whose time is in the future.
 */
export interface DueCorrection {
  /** The corrected due time, ms UTC. */
  readonly now: number
  /** The longest delay until an operation is checked, in ms. */
  readonly check: number
  /**
   * The longest time in ms for which an operation may be in `sending`. Before this time its sender may be alive, so it
   * is not due.
   */
  readonly send: number
  /** The duration of a claim, in ms. */
  readonly claim: number
  /**
   * The delays until a report is retried, by the number of earlier tries, ms. The last value is for all further tries.
   */
  readonly matchDelays: ReadonlyArray<number>
  /** The maximum number of operations, and of reports, to correct. */
  readonly limit: number
}
