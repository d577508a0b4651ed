/** The wall clock of a machine: it is ahead or behind, drifts, and is set. Timers do not notice any of it. */
import type { ClockPlan } from "../Plan.ts"

export interface WallClock {
  /** ms UTC, as this machine shows it. */
  readonly now: () => number
  /** Sets it by so many ms, forwards or backwards. */
  readonly step: (ms: number) => void
}

/** @param time ms UTC, as it is */
export const make = (time: () => number, elapsed: () => number, { aheadBy, driftPerSecond }: ClockPlan): WallClock => {
  let steps = 0
  return {
    now: () => time() + aheadBy + Math.floor((elapsed() * driftPerSecond) / 1000) + steps,
    step: (ms) => void (steps += ms)
  }
}
