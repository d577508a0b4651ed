/** Failovers under load, with processes of Paymux killed among them; and two primaries for ten seconds. */
import { assert, describe, it } from "@effect/vitest"
import { faultsOf } from "../crash/TestHarness.ts"
import { failovers } from "../failover/failovers.ts"
import { splitBrain } from "../failover/splitBrain.ts"

describe("failovers", () => {
  it("to a synchronous standby lose no acknowledged payment and no event, and take nothing twice", async () => {
    const report = await failovers({ standby: "sync", times: 6, engines: 3, flood: 24, seed: 11 })
    assert.deepStrictEqual([...faultsOf(report), ...report.events.faults], [])
    assert.lengthOf(report.failovers, 6)
  })

  it("while the former primary runs on, no payment is sent that the promoted one does not have", async () => {
    const report = await splitBrain({ duration: 10_000, flood: 24, seed: 12 })
    assert.deepStrictEqual(faultsOf(report), [])
  })
})
