/** Failovers under load, with processes of Paymux killed among them; and two primaries for ten seconds. */
import { assert, describe, it } from "@effect/vitest"
import { faultsOf } from "../crash/TestHarness.ts"
import { faultsOfLoss } from "../failover/comparedBooks.ts"
import { failovers } from "../failover/failovers.ts"
import { splitBrain } from "../failover/splitBrain.ts"
import { isLater } from "../support/amount.ts"

describe("failovers", () => {
  it.skipIf(isLater(0, 4))(
    "to a synchronous standby lose no acknowledged payment and no event, and take nothing twice",
    async () => {
      const report = await failovers({ standby: "sync", times: 6, engines: 3, flood: 24, seed: 11 })
      assert.deepStrictEqual([...faultsOf(report), ...report.events.faults], [])
      assert.lengthOf(report.failovers, 6)
    }
  )

  it.skipIf(isLater(1, 4))(
    "to a standby that is behind lose payments, and every charge is found when the books are compared",
    async () => {
      const report = await failovers({ standby: "async", times: 2, engines: 3, flood: 16, seed: 13 })
      const compared = report.compared ?? assert.fail("The books were not compared")
      assert.deepStrictEqual(faultsOfLoss(report, compared), [])
      assert.isAbove(compared.matched, 0)
    }
  )

  it.skipIf(isLater(3, 4))(
    "do so for payments that the former version has begun, which are found under their names",
    async () => {
      const report = await failovers({
        standby: "async",
        times: 1,
        engines: 3,
        flood: 16,
        seed: 17,
        begunBy: "former"
      })
      const compared = report.compared ?? assert.fail("The books were not compared")
      assert.deepStrictEqual(faultsOfLoss(report, compared), [])
      assert.isAbove(report.former?.adopted ?? 0, 0)
    }
  )

  it.skipIf(isLater(2, 4))(
    "while the former primary runs on, no payment is sent that the promoted one does not have",
    async () => {
      const report = await splitBrain({ duration: 10_000, flood: 24, seed: 12 })
      assert.deepStrictEqual(faultsOf(report), [])
    }
  )
})
