/**
 * The simulation as a judge of mutants: a few seeds in which vendors keep their promises. A violation, or a run that
 * breaks, catches the mutant. This is the only file of the mutation run that knows the simulation.
 */
import { assert, describe, it } from "@effect/vitest"
import { drawPlan, run, verdictOn } from "@paymux/test-suites/simulation"
import { openInHonest } from "../simulation/openExpectations.ts"

describe("simulation", () => {
  for (const seed of [1, 2, 3, 4, 5, 6])
    it(`finds no violation in seed ${seed}`, async () => {
      const { violations } = verdictOn(await run(drawPlan(seed, { payments: 100, profile: "honest" })))
      assert.deepStrictEqual(
        // The engine as it stands breaks these expectations, with or without a mutant.
        violations.map(({ expectation }) => expectation).filter((expectation) => !openInHonest.includes(expectation)),
        []
      )
    })
})
