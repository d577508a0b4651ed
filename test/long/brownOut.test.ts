/** What `test/simulation/brownOut.test.ts` compares with: the same ten minutes, without a rule that looks at success rates. */
import { assert, describe, it } from "@effect/vitest"
import { isLater } from "../support/amount.ts"
import { brownOut } from "../simulation/brownOut.ts"

describe("a primary that takes 40 % for ten minutes instead of 92 %, beside a secondary at 88 %", () => {
  it.skipIf(isLater(2, 4))("keeps its traffic by plain priority", async () => {
    const minutes = await brownOut({ by: "priority", seed: 2026 })
    assert.isTrue(minutes.every(({ toSecondary }) => toSecondary === 0))
  })
})
