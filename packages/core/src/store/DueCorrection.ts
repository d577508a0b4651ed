/**
 * What is due too late because a clock was ahead when its time was set: after the clock is set right, it would wait for as
 * long as the clock had been ahead. Three things show it, each with a tolerance of `clockTolerance`:
 *
 * - The time is further ahead than the longest delay of its kind.
 * - A claim ends later than one that is made now.
 * - It was set by a change that lies in the future.
 */
export interface DueCorrection {
  /** ms UTC: such work is due at this time. */
  readonly now: number
  /** The longest delay until an operation is checked, in ms. */
  readonly check: number
  /** How long an operation may be in `sending`, in ms: its longest delay. It is due after this time, since its sender may be alive. */
  readonly send: number
  /** How long a claim lasts, in ms. */
  readonly claim: number
  /** ms until a report is tried again, by the number of its tries; the last value is for all further tries. */
  readonly matchDelays: ReadonlyArray<number>
  /** At most so many operations, and so many reports. */
  readonly limit: number
}
