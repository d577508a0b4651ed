/** The tests of the simulator itself: a simulator that notices nothing shows nothing. */
import { assert, describe, it } from "@effect/vitest"
import { drawPlan, judge, report, run, shrink } from "@paymux/testkit/simulation"
import type { LawName, Plan, Variation } from "@paymux/testkit/simulation"
import { plantedBugs } from "./plantedBugs.ts"

const seeds = Array.from({ length: 20 }, (_, index) => index + 1)

const violations = async (plan: Plan, variation: Variation, law: LawName) =>
  judge(await run(plan, variation)).filter((violation) => violation.law === law)

describe("the simulator notices an engine that", () => {
  for (const { breaks, name, variation, weather } of plantedBugs) {
    it(`${name}, and shrinks the run to one payment`, async () => {
      for (const seed of seeds) {
        const plan = drawPlan(seed, { payments: 60, weather })
        const [found] = await violations(plan, variation, breaks)
        if (found === undefined) continue
        assert.deepStrictEqual(await violations(plan, {}, breaks), [], "the same run without the bug is clean")
        const { law, n } = found
        const small = await shrink(plan, n, async (smaller) =>
          (await violations(smaller, variation, law)).some((violation) => violation.n === n)
        )
        assert.strictEqual(small.payments.length, 1)
        const told = report(await run(small, variation), await violations(small, variation, law))
        assert.include(told, `Seed ${seed}`)
        assert.include(told, `${law}, payment ${n}`)
        assert.include(told, "is asked to")
        return
      }
      assert.fail(`not noticed in ${seeds.length} seeds`)
    })
  }
})

describe("a run", () => {
  it("is the same, byte for byte, for the same seed, and another for another", async () => {
    const bytes = async (seed: number) => JSON.stringify((await run(drawPlan(seed, { payments: 60 }))).entries)
    const first = await bytes(7)
    // Not `strictEqual`: nobody wants to read the difference of two megabytes.
    assert.isTrue((await bytes(7)) === first)
    assert.isFalse((await bytes(8)) === first)
  })

  it("leaves the other payments' chances alone when one is left out", () => {
    const plan = drawPlan(3, { payments: 20 })
    assert.deepStrictEqual(drawPlan(3, { payments: 20 }).payments[11], plan.payments[11])
  })
})
