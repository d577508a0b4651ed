/** All planted worlds of the backtest, each through the real engine: `test/backtest/worlds.test.ts` tries a part. */
import { assert, describe, it } from "vitest"
import { bounds, missedBounds, notSaid } from "../backtest/bounds.ts"
import { faultsOfWorld } from "../backtest/faultsOfWorld.ts"
import { measure } from "../backtest/measure.ts"
import type { Measured } from "../backtest/measure.ts"
import { neverHadWorlds } from "../backtest/neverHad.ts"
import type { World } from "../backtest/World.ts"
import { worlds } from "../backtest/worlds.ts"

const known = new Map<string, Measured>()

/** Once for all tests: a world takes seconds. */
const measured = async (world: World): Promise<Measured> => {
  const one = known.get(world.name) ?? (await measure(world))
  known.set(world.name, one)
  return one
}

const measuredAll = async (all: ReadonlyArray<World>): Promise<ReadonlyArray<Measured>> => {
  const each: Array<Measured> = []
  for (const world of all) each.push(await measured(world))
  return each
}

describe("the planted worlds", () => {
  for (const world of [...worlds, ...neverHadWorlds]) {
    it(`agree with what the engine stores for their payments: ${world.name}`, async () => {
      assert.deepStrictEqual(faultsOfWorld(await measured(world), neverHadWorlds.includes(world)), [])
    })
  }

  it("have drafts that change the rate by a point or more, except for two at most", async () => {
    const all = await measuredAll([...worlds, ...neverHadWorlds])
    const close = all.filter(({ truth: { draft, old } }) => Math.abs(draft.rate - old.rate) < 0.01)
    assert.isAtMost(close.length, 2)
  })
})

describe("backtests of the planted worlds", () => {
  it("have the right sign, the truth in their ranges, and ranges of at most 12 points in the median", async () => {
    assert.deepStrictEqual(missedBounds(await measuredAll(worlds), bounds), [])
  })

  it("say where a provider never had such payments, and seldom where it had", async () => {
    assert.deepStrictEqual(notSaid(await measuredAll(neverHadWorlds)), [])
    const had = await measuredAll(worlds)
    assert.isAtMost(had.filter(({ reading }) => reading.neverHad).length, 2)
  })
})
