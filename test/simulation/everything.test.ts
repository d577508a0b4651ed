/** P1, P8 and the history checker of P11 over every fault there is: fifty seeds, a thousand payments each. */
import { assert, describe, it } from "@effect/vitest"
import { simulate } from "./pool.ts"

describe("whatever clients, network, providers and processes do", () => {
  it("no invariant is broken in 50 seeds of 1,000 payments", { timeout: 300_000 }, async () => {
    const { failures, figures } = await simulate({
      from: 1,
      seeds: 50,
      payments: 1_000,
      weather: "everything",
      shrinks: false
    })
    assert.deepStrictEqual(
      failures.map(({ told }) => told),
      []
    )
    assert.strictEqual(figures.seeds, 50)
    // Enough went wrong for this to mean something.
    assert.isAbove(figures.payments, 45_000)
    assert.isAbove(figures.kills, 300)
    assert.isAbove(figures.failedEvents, 5_000)
    assert.isAbove(figures.reviews, 100)
  })
})
