/** Engines are terminated, one after the other, while payments are made: each drains, and another takes its place. */
import { withHarness } from "../TestHarness.ts"
import type { HarnessReport } from "../TestHarness.ts"

export interface RollingRestartsReport extends HarnessReport {
  /** How many were terminated, and how many ended in good order. */
  readonly reported: number
  readonly drained: number
}

export const rollingRestarts = async (options: {
  readonly database?: string
  readonly engines: number
  readonly times: number
}): Promise<RollingRestartsReport> => {
  const { database, engines, times } = options
  let drained = 0
  const harness = { name: "rolling", engines, ...(database !== undefined && { database }) }
  const report = await withHarness(harness, async ({ engines, traffic, untilPayments }) => {
    for (let time = 0; time < times; time++) {
      await untilPayments(traffic.started() + 10)
      await engines[time % engines.length]?.restart("SIGTERM")
    }
    drained = engines.reduce((sum, host) => sum + host.drained(), 0)
  })
  return { ...report, reported: times, drained }
}
