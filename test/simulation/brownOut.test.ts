/** `best: success_rate` while a provider has a bad ten minutes, on the real engine, database and virtual clock. */
import { assert, describe, it } from "@effect/vitest"
import { amount } from "../support/amount.ts"
import { brownOut, phases } from "./brownOut.ts"
import type { Minute } from "./brownOut.ts"

/** ms. Nothing but work: 20 s on an idle core. */
const LIMIT = 180_000

const share = ({ payments, toSecondary }: Minute): number => toSecondary / payments

describe("a primary that takes 40 % for ten minutes instead of 92 %, beside a secondary at 88 %", () => {
  it(
    "loses its traffic by the third minute, and has it again from the sixth minute after its recovery on",
    async () => {
      const minutes = await brownOut({ by: "success_rate", seed: 2026, perSecond: amount({ part: 4, all: 10 }) })
      const [start, end] = [phases.before, phases.before + phases.during]
      for (const minute of minutes.slice(2, start)) assert.isAtMost(share(minute), 0.3)
      for (const minute of minutes.slice(start + 2, end)) assert.isAtLeast(share(minute), 0.9)
      // In a single minute the draws may try the secondary more, after a few declines in a row.
      const back = minutes.slice(end + 5).map(share)
      assert.isAtMost(back.reduce((sum, each) => sum + each, 0) / back.length, 0.2)
    },
    LIMIT
  )
})
