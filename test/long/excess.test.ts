/** Returns of an excess against what really moved: 100,000 histories. */
import { assert, describe, it } from "@effect/vitest"
import { playExcessHistory } from "../books/ExcessHistory.ts"
import { unaccounted } from "../books/excessExpectations.ts"
import { slice } from "../support/amount.ts"

const seeds = slice(
  Array.from({ length: 100_000 }, (_, seed) => seed),
  10
)

describe(`${seeds.length} histories of an excess`, () => {
  it("nothing is returned twice without a review", () => {
    const broken = seeds.flatMap((seed) => unaccounted(playExcessHistory(seed)))
    assert.deepStrictEqual(broken.slice(0, 5), [])
  })
})
