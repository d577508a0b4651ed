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
    "loses its traffic by the third minute, and has it again within ten minutes of its recovery",
    async () => {
      const minutes = await brownOut({ by: "success_rate", seed: 2026, perSecond: amount({ part: 4, all: 10 }) })
      const [start, end] = [phases.before, phases.before + phases.during]
      for (const minute of minutes.slice(2, start)) assert.isAtMost(share(minute), 0.3)
      for (const minute of minutes.slice(start + 2, end)) assert.isAtLeast(share(minute), 0.9)
      assert.isAtMost(share(minutes.at(-1) ?? { payments: 1, toSecondary: 1, succeeded: 0, best: 0 }), 0.2)
    },
    LIMIT
  )
})
