/** The tests of the simulator itself: a simulator that notices nothing shows nothing. */
import { assert, describe, it } from "@effect/vitest"
import { drawPlan, report, run, shrink, verdictOn } from "@paymux/testkit/simulation"
import type { LawName, Plan, Variation } from "@paymux/testkit/simulation"
import { noticed } from "./noticed.ts"
import { openInHonest } from "./openLaws.ts"
import { plantedBugs } from "./plantedBugs.ts"
import { sourceBugs } from "./sourceBugs.ts"

const seeds = Array.from({ length: 20 }, (_, index) => index + 1)

const violations = async (plan: Plan, variation: Variation, law: LawName) =>
  verdictOn(await run(plan, variation)).violations.filter((violation) => violation.law === law)

describe("the simulator notices an engine that", () => {
  for (const { breaks, name, profile, variation } of plantedBugs) {
    it(`${name}, and shrinks the run to one payment`, async () => {
      for (const seed of seeds) {
        const plan = drawPlan(seed, { payments: 60, profile })
        const [found] = await violations(plan, variation, breaks)
        if (found === undefined) continue
        assert.deepStrictEqual(await violations(plan, {}, breaks), [], "the same run without the bug is clean")
        const { law, n } = found
        const small = await shrink(plan, n, async (smaller) =>
          (await violations(smaller, variation, law)).some((violation) => violation.n === n)
        )
        assert.strictEqual(small.payments.length, 1)
        const text = report(await run(small, variation), await violations(small, variation, law))
        assert.include(text, `Seed ${seed}`)
        assert.include(text, `${law}, payment ${n}`)
        assert.include(text, "is called to")
        return
      }
      assert.fail(`not noticed in ${seeds.length} seeds`)
    })
  }
})

describe.concurrent("the simulator notices an engine whose source", { timeout: 120_000 }, () => {
  for (const { firstSeed, name, profile = "honest", ...patch } of sourceBugs) {
    it(`${name}, in a seed of the ${profile} profile`, async ({ expect }) => {
      const job = { patch, profile, firstSeed, seeds: 40, payments: 100, open: openInHonest }
      expect(await noticed(job)).not.toBeNull()
    })
  }
})

describe("a run", () => {
  it("is the same, byte for byte, for the same seed, and another for another", async () => {
    const bytes = async (seed: number) => JSON.stringify((await run(drawPlan(seed, { payments: 60 }))).entries)
    const first = await bytes(7)
    // Not `strictEqual`: the printed difference would be two megabytes.
    assert.isTrue((await bytes(7)) === first)
    assert.isFalse((await bytes(8)) === first)
  })

  it("leaves the other payments' chances alone when one is left out", () => {
    const plan = drawPlan(3, { payments: 20 })
    assert.deepStrictEqual(drawPlan(3, { payments: 20 }).payments[11], plan.payments[11])
  })
})
