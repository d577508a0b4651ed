/** Measures the utilization of the event loop, which also runs payments. */
import { performance } from "node:perf_hooks"

/** Whether the event loop was busy since the last call. */
export const makeIsBusy = (): (() => boolean) => {
  let before = performance.eventLoopUtilization()
  return () => {
    const { utilization } = performance.eventLoopUtilization(before)
    before = performance.eventLoopUtilization()
    return utilization > busyFrom
  }
}

/** Share of the time in which the event loop had work. */
const busyFrom = 0.7
