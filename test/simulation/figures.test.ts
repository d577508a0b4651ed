/** The promises that have a weather of their own, in fewer seeds than `pnpm simulate --full` runs. */
import { assert, describe, it } from "@effect/vitest"
import { simulate } from "./pool.ts"
import type { Result } from "./pool.ts"

const clean = ({ failures }: Result) =>
  assert.deepStrictEqual(
    failures.map(({ told }) => told),
    []
  )

describe("the simulation shows that", { timeout: 120_000 }, () => {
  it("P6: no payment failed that was captured, or whose outcome was unknown, however many sends time out", async () => {
    const result = await simulate({ from: 1, seeds: 200, payments: 10, weather: "timeouts", shrinks: false })
    clean(result)
    assert.isAbove(result.figures.failedEvents, 100)
  })

  it("P11: webhooks that come many times, late and in any order turn nothing back", async () => {
    const result = await simulate({ from: 1, seeds: 10, payments: 150, weather: "storm", shrinks: false })
    clean(result)
    assert.isAtLeast(result.figures.webhooks, 10_000)
  })

  it("P12: money is conserved where other amounts and currencies move than were asked for", async () => {
    const result = await simulate({ from: 1, seeds: 20, payments: 100, weather: "transfers", shrinks: false })
    clean(result)
    assert.isAbove(result.figures.mismatches, 1_000)
  })
})
