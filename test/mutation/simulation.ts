/**
 * The simulation as a judge of mutants: a few seeds in which vendors keep their promises, and a few in which they break
 * them. A violation, or a run that breaks, catches the mutant. This is the only file of the mutation run that knows the
 * simulation.
 */
import { assert, describe, it } from "@effect/vitest"
import { drawPlan, run, verdictOn } from "@paymux/test-suites/simulation"

const seeds = { honest: [1, 2, 3, 4, 5, 6], everything: Array.from({ length: 16 }, (_, seed) => seed + 1) }

for (const profile of ["honest", "everything"] as const)
  describe(`simulation, ${profile}`, () => {
    for (const seed of seeds[profile])
      it(`finds no violation in seed ${seed}`, async () => {
        const { violations } = verdictOn(await run(drawPlan(seed, { payments: 100, profile })))
        assert.deepStrictEqual(
          violations.map(({ expectation }) => expectation),
          []
        )
      })
  })
