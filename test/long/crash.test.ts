/** Every crash point once, half of them on each database, and what a key promises at its full size. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { crashPoints } from "../crash/CrashPoints.ts"
import { newDatabase } from "../crash/PostgresAt.ts"
import { crashRun } from "../crash/runs/CrashRun.ts"
import type { CrashReport } from "../crash/runs/CrashRun.ts"
import { otherBodies } from "../crash/runs/OtherBodies.ts"
import { sameKey } from "../crash/runs/SameKey.ts"
import { faultsOf } from "../crash/TestHarness.ts"
import { isLater } from "../support/amount.ts"
import { serverUrl } from "../support/PostgresDatabases.ts"

const every = (remainder: number) => crashPoints.filter((_, index) => index % 2 === remainder)

/** By name, with the number of kills. */
const notOnce = ({ at }: CrashReport) => [...at].filter(([, kills]) => kills !== 1)

describe("a kill −9 at a named point", () => {
  it.skipIf(isLater(0, 4))("loses nothing on SQLite", async () => {
    const report = await crashRun({ points: every(0), killsPerPoint: 1, payments: 300, seed: 11 })
    assert.deepStrictEqual([...faultsOf(report), ...report.secondOrders], [])
    assert.deepStrictEqual(notOnce(report), [])
  })

  it.skipIf(isLater(1, 4))("loses nothing on PostgreSQL", async () => {
    const database = await newDatabase(await Effect.runPromise(serverUrl))
    const report = await crashRun({ database, points: every(1), killsPerPoint: 1, payments: 300, seed: 12 })
    assert.deepStrictEqual([...faultsOf(report), ...report.secondOrders], [])
    assert.deepStrictEqual(notOnce(report), [])
  })
})

describe("one key, one payment", () => {
  it.skipIf(isLater(2, 4))(
    "200 keys with 50 posts at once make 200 payments, and 1,000 replays are the same bytes, also after a kill",
    async () => {
      const report = await sameKey({ keys: 200, postsPerKey: 50, replays: 5 })
      assert.deepStrictEqual(faultsOf(report), [])
      assert.deepStrictEqual(
        { payments: report.payments, differing: report.differing },
        { payments: 200, differing: 0 }
      )
    }
  )

  it.skipIf(isLater(3, 4))(
    "of 10,000 pairs of bodies those are refused that decode to two payments, and nothing is sent twice",
    async () => {
      const { equal, executed, wrong } = await otherBodies({ pairs: 10_000, seed: 5 })
      assert.deepStrictEqual({ wrong, executed }, { wrong: [], executed: 10_000 })
      assert.isAbove(equal, 2_500)
      assert.isBelow(equal, 7_500)
    }
  )
})
