/** One test for each law, over one batch of seeds. */
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { allLaws, idleLaws } from "@paymux/testkit/simulation"
import type { LawName } from "@paymux/testkit/simulation"
import { simulate } from "./pool.ts"
import type { Batch, Result } from "./pool.ts"

export interface Expected {
  /** Laws that the engine as it stands breaks: expected failures, each of which ends with the change that mends it. */
  readonly open: ReadonlyArray<LawName>
  /** Whether some run is known to break, as when the engine loops. */
  readonly breaks: boolean
}

/** @param alsoTrue more that must hold of the batch, by name */
export const describeLaws = (
  name: string,
  batch: Omit<Batch, "shrinks">,
  { breaks, open }: Expected,
  alsoTrue: { readonly [test: string]: (result: Result) => void } = {}
): void => {
  describe(`the engine keeps its laws ${name}`, { timeout: 300_000 }, () => {
    let result: Result
    beforeAll(async () => {
      result = await simulate({ ...batch, shrinks: false })
    }, 300_000)

    for (const law of allLaws) {
      const holds = open.includes(law) ? it.fails : it
      holds(law, () => {
        const found = result.failures.find(({ report }) => report?.includes(law) === true)
        assert.strictEqual(result.figures.violations[law] ?? 0, 0, found?.report ?? law)
      })
    }

    const ends = breaks ? it.fails : it
    ends("ends every run", () => {
      assert.deepStrictEqual(
        result.failures.filter(({ figures }) => figures === null).map(({ report }) => report),
        []
      )
    })

    it("gives every law something to judge", () => {
      assert.deepStrictEqual(idleLaws(result.figures), [])
    })

    for (const [test, check] of Object.entries(alsoTrue)) it(`and ${test}`, () => check(result))
  })
}
