/** One of two engines has its clock set forward and back by ten minutes while both work. */
import { pause, withHarness } from "../TestHarness.ts"
import type { HarnessReport } from "../TestHarness.ts"

const TEN_MINUTES = 10 * 60_000

export const clockSteps = (options: {
  readonly database: string
  /** Forward and back again, or back and forward again: so often. */
  readonly times: number
}): Promise<HarnessReport> =>
  withHarness(
    { name: "clock", database: options.database, engines: 2 },
    async ({ engines, traffic, untilPayments }) => {
      for (let time = 0; time < options.times; time++) {
        const step = time % 2 === 0 ? TEN_MINUTES : -TEN_MINUTES
        engines[0]?.send({ stepClock: step })
        await untilPayments(traffic.started() + 20)
        await pause(500)
        engines[0]?.send({ stepClock: -step })
        await untilPayments(traffic.started() + 20)
      }
    }
  )
