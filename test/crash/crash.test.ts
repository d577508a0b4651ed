/** The short form of the crash tests: a few points on both databases. `test/long` and `scripts/crash.ts` do the rest. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { serverUrl } from "../support/PostgresDatabases.ts"
import { newDatabase } from "./PostgresAt.ts"
import { crashPoints } from "./CrashPoints.ts"
import type { CrashPoint } from "./CrashPoints.ts"
import { crashRun } from "./runs/CrashRun.ts"
import { faultsOf } from "./TestHarness.ts"

/** One of each kind: before and after a commit, around a send, before the answer. */
const points: ReadonlyArray<CrashPoint> = [
  "begin.after",
  "checkpoint.after",
  "create.executed",
  "advance.first_outcome.before",
  "refund.replied",
  "answer.before"
]

const check = "a kill −9 at any named point loses no acknowledged payment, takes nothing twice, and all is resolved"

describe("crash points", () => {
  it("are many, and each has one name", () => {
    assert.isAtLeast(crashPoints.length, 25)
    assert.strictEqual(new Set(crashPoints).size, crashPoints.length)
  })
})

// At the same time: an engine that is killed, and started again, leaves the machine idle.
describe.concurrent("an engine that is killed", () => {
  it(`on SQLite: ${check}`, async () => {
    const report = await crashRun({ points, killsPerPoint: 1, payments: 60, seed: 1 })
    assert.deepStrictEqual([...faultsOf(report), ...report.secondOrders], [])
    assert.deepStrictEqual(
      [...report.at.values()],
      points.map(() => 1)
    )
  }, 600_000)

  it(`on PostgreSQL: ${check}`, async () => {
    const database = await newDatabase(await Effect.runPromise(serverUrl))
    const report = await crashRun({ database, points, killsPerPoint: 1, payments: 60, seed: 2 })
    assert.deepStrictEqual([...faultsOf(report), ...report.secondOrders], [])
    assert.deepStrictEqual(
      [...report.at.values()],
      points.map(() => 1)
    )
  }, 600_000)
})
