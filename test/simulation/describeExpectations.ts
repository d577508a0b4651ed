/** One test for each expectation, over one batch of seeds. */
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { allExpectations, idleExpectations } from "@paymux/test-suites/simulation"
import { simulate } from "./pool.ts"
import type { Batch, Result } from "./pool.ts"

/** @param alsoTrue more that must hold of the batch, by name */
export const describeExpectations = (
  name: string,
  batch: Omit<Batch, "shrinks">,
  alsoTrue: { readonly [test: string]: (result: Result) => void } = {}
): void => {
  describe(`the engine meets its expectations ${name}`, { timeout: 300_000 }, () => {
    let result: Result
    beforeAll(async () => {
      result = await simulate({ ...batch, shrinks: false })
    }, 300_000)

    for (const expectation of allExpectations) {
      it(`meets ${expectation}`, () => {
        const found = result.failures.find(({ report }) => report?.includes(expectation) === true)
        assert.strictEqual(result.figures.violations[expectation] ?? 0, 0, found?.report ?? expectation)
      })
    }

    it("ends every run", () => {
      assert.deepStrictEqual(
        result.failures.filter(({ figures }) => figures === null).map(({ report }) => report),
        []
      )
    })

    it("gives every expectation something to judge", () => {
      assert.deepStrictEqual(idleExpectations(result.figures), [])
    })

    for (const [test, check] of Object.entries(alsoTrue)) it(`and ${test}`, () => check(result))
  })
}
