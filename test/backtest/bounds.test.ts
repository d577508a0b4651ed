/** A part of the planted worlds: `test/long/backtest.test.ts` tries all of them. */
import { assert, describe, it } from "@effect/vitest"
import { missedBounds, notSaid } from "./bounds.ts"
import { measure } from "./measure.ts"
import type { Measured } from "./measure.ts"
import { neverHadWorlds } from "./neverHad.ts"
import type { World } from "./World.ts"
import { worlds } from "./worlds.ts"

const measureNamed = async (from: ReadonlyArray<World>, names: ReadonlyArray<string>) => {
  const measured: Array<Measured> = []
  for (const world of from.filter(({ name }) => names.includes(name))) measured.push(await measure(world))
  assert.lengthOf(measured, names.length)
  return measured
}

describe("a backtest", () => {
  it("has the right sign where failover is removed and where authentication fails, and the truth in its ranges", async () => {
    const measured = await measureNamed(worlds, ["failover is removed", "authentication fails at one provider"])
    assert.deepStrictEqual(missedBounds(measured, { rightSigns: 2, inRange: 2, medianWidth: 12 }), [])
  })

  it("says that a provider never had payments of these countries", async () => {
    assert.deepStrictEqual(notSaid(await measureNamed(neverHadWorlds, ["never had these countries"])), [])
  })
})
