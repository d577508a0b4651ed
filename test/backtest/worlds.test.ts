/** The planted worlds are what they say; `test/long/backtest.test.ts` tries all of them with the engine. */
import { assert, describe, it } from "@effect/vitest"
import { faultsOfWorld } from "./faultsOfWorld.ts"
import { measure } from "./measure.ts"
import { neverHadWorlds } from "./neverHad.ts"
import { endings } from "./outcomes.ts"
import { population } from "./population.ts"
import { worlds } from "./worlds.ts"

const all = [...worlds, ...neverHadWorlds]

describe("the planted worlds", () => {
  it("are twenty and six, each with a name and a seed of its own", () => {
    assert.deepStrictEqual([worlds.length, neverHadWorlds.length], [20, 6])
    assert.strictEqual(new Set(all.map(({ name }) => name)).size, all.length)
    assert.strictEqual(new Set(all.map(({ seed }) => seed)).size, all.length)
  })

  it("have the same payments in every run, in the order of time", () => {
    for (const world of all) {
      const payments = population(world)
      assert.lengthOf(payments, 1_000)
      assert.deepStrictEqual(payments, population(world))
      assert.isTrue(payments.every(({ at }, index) => index === 0 || at >= (payments[index - 1]?.at ?? 0)))
    }
  })

  it("have the shares of payments that they name", () => {
    for (const world of all) {
      const payments = population(world)
      const total = world.groups.reduce((sum, { share = 1 }) => sum + share, 0)
      for (const { country = {}, currency, method, share = 1 } of world.groups) {
        const isOwn = (one: (typeof payments)[number]) =>
          one.method === method && (currency === undefined || one.currency === currency)
        const own = payments.filter(isOwn)
        if (currency !== undefined || world.groups.every((group) => group.currency === undefined)) {
          assert.closeTo(own.length / payments.length, share / total, 0.05, world.name)
        }
        const weights = Object.values(country).reduce((sum, weight) => sum + weight, 0)
        for (const [name, weight] of Object.entries(country)) {
          const having = own.filter((payment) => payment.country === name).length
          assert.closeTo(having / own.length, weight / weights, 0.05, world.name)
        }
      }
    }
  })

  it("have outcomes whose probabilities add up to 1, for every payment at every provider", () => {
    for (const world of all) {
      const planted = population(world).flatMap((payment) => {
        const { at, common = {} } = world.truth(payment)
        return [common, ...Object.values(at)].map((failures) => JSON.stringify(failures))
      })
      for (const failures of new Set(planted)) {
        const sum = endings(JSON.parse(failures)).reduce((total, [probability]) => total + probability, 0)
        assert.closeTo(sum, 1, 1e-9, world.name)
      }
    }
  })

  it("agree with what the engine stores for their payments", async () => {
    const names = ["failover is removed", "three payment methods, two of which move", "never had these countries"]
    for (const world of all.filter(({ name }) => names.includes(name))) {
      assert.deepStrictEqual(faultsOfWorld(await measure(world), neverHadWorlds.includes(world)), [])
    }
  })
})
