/** The tests of the simulator itself: a simulator that notices nothing shows nothing. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { drawPlan, report, run, shrink, verdictOn } from "@paymux/test-suites/simulation"
import type { ExpectationName, Plan, Variation } from "@paymux/test-suites/simulation"
import { amount } from "../support/amount.ts"
import { noticed } from "./noticed.ts"
import { plantedBugs } from "./plantedBugs.ts"
import { sourceBugs } from "./sourceBugs.ts"

/** On each change every fourth bug, and that the others still fit the source. */
const tried = amount({ part: 4, all: 1 })
const someOf = <A>(bugs: ReadonlyArray<A>): ReadonlyArray<A> => bugs.filter((_, index) => index % tried === 0)

const seeds = Array.from({ length: 20 }, (_, index) => index + 1)

const violations = async (plan: Plan, variation: Variation, expectation: ExpectationName) =>
  verdictOn(await run(plan, variation)).violations.filter((violation) => violation.expectation === expectation)

describe("the simulator notices an engine that", () => {
  for (const { breaks, name, profile, variation } of someOf(plantedBugs)) {
    it(`${name}, and shrinks the run to one payment`, async () => {
      for (const seed of seeds) {
        const plan = drawPlan(seed, { payments: 60, profile })
        const [found] = await violations(plan, variation, breaks)
        if (found === undefined) continue
        assert.deepStrictEqual(await violations(plan, {}, breaks), [], "the same run without the bug is clean")
        const { expectation, n } = found
        const small = await shrink(plan, n, async (smaller) =>
          (await violations(smaller, variation, expectation)).some((violation) => violation.n === n)
        )
        assert.strictEqual(small.payments.length, 1)
        const text = report(await run(small, variation), await violations(small, variation, expectation))
        assert.include(text, `Seed ${seed}`)
        assert.include(text, `${expectation}, payment ${n}`)
        assert.include(text, "is called to")
        return
      }
      assert.fail(`not noticed in ${seeds.length} seeds`)
    })
  }
})

describe.concurrent("the simulator notices an engine whose source", () => {
  for (const { firstSeed, name, profile = "honest", ...patch } of someOf(sourceBugs)) {
    it(`${name}, in a seed of the ${profile} profile`, async ({ expect }) => {
      const job = { patch, profile, firstSeed, seeds: 16, payments: 100 }
      expect(await noticed(job)).not.toBeNull()
    })
  }
})

describe("a bug in the source", () => {
  it("is one that fits: the text it replaces is there once", () => {
    for (const { file, from, name } of sourceBugs) {
      const source = readFileSync(new URL(`../../packages/${file}`, import.meta.url), "utf8")
      assert.lengthOf(source.split(from), 2, name)
    }
  })
})

describe("a run", () => {
  it("is the same, byte for byte, for the same seed, and another for another", async () => {
    const bytes = async (seed: number) => JSON.stringify((await run(drawPlan(seed, { payments: 60 }))).entries)
    const first = await bytes(7)
    // Not `strictEqual`: the printed difference would be two megabytes.
    assert.isTrue((await bytes(7)) === first)
    assert.isFalse((await bytes(8)) === first)
  })

  it("reports a charge that arrives at its vendor after a rollback has lost its operation", async () => {
    const plan = drawPlan(18, { payments: 100, profile: "everything" })
    const lostAt = plan.incidents.find((incident) => incident.kind === "rollback")?.at ?? Number.NaN
    const result = await run(plan)
    assert.isTrue(
      result.charges.some(({ arrivedAt, isLost, sentAt }) => isLost && sentAt <= lostAt && arrivedAt > lostAt),
      "the seed has such a charge"
    )
    assert.deepStrictEqual(verdictOn(result).violations, [])
  })

  it("leaves the other payments' chances alone when one is left out", () => {
    const plan = drawPlan(3, { payments: 20 })
    assert.deepStrictEqual(drawPlan(3, { payments: 20 }).payments[11], plan.payments[11])
  })
})
