/** The short form: one failover under a little load. `test/long` and `scripts/failover.ts` do the rest. */
import { assert, describe, it } from "@effect/vitest"
import { faultsOf } from "../crash/TestHarness.ts"
import { failovers } from "./failovers.ts"

describe("a failover to a synchronous standby", () => {
  it("loses no acknowledged payment and no event, takes nothing twice, and needs no restart", async () => {
    const report = await failovers({ standby: "sync", times: 1, engines: 2, flood: 4, seed: 1 })
    assert.deepStrictEqual([...faultsOf(report), ...report.events.faults], [])
    assert.lengthOf(report.failovers, 1)
    assert.isAbove(report.events.read, 0)
  }, 600_000)
})
