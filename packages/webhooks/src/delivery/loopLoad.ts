/** Measures the utilization of the event loop, which also runs payments. */
import { performance } from "node:perf_hooks"

/** Creates a function that returns whether the event loop was busy since its last call. */
export const makeIsBusy = (): (() => boolean) => {
  let before = performance.eventLoopUtilization()
  return () => {
    const { utilization } = performance.eventLoopUtilization(before)
    before = performance.eventLoopUtilization()
    return utilization > busyFrom
  }
}

/** The share of time with work from which on the event loop counts as busy. */
const busyFrom = 0.7
