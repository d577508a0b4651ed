/**
 * The correction of due times that were set while a clock was ahead. Without it, work would be delayed by as much as the clock
 * was ahead. Such a time is detected by one of three signs, each with a tolerance of `clockTolerance`:
 *
 * - It is further in the future than the longest delay of its kind.
 * - It is the end of a claim, and later than the end of a claim from now.
 * - It was set by a change that is in the future.
 */
export interface DueCorrection {
  /** The corrected due time, ms UTC. */
  readonly now: number
  /** The longest delay until an operation is checked, in ms. */
  readonly check: number
  /** The longest time in ms that an operation may be in `sending`. It is due after this time, since its sender may be alive. */
  readonly send: number
  /** The duration of a claim, in ms. */
  readonly claim: number
  /** Delays in ms until a report is retried, by its number of tries. The last value is for all further tries. */
  readonly matchDelays: ReadonlyArray<number>
  /** The most operations, and the most reports, to correct. */
  readonly limit: number
}
