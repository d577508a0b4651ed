/** Refunds beside disputes and refunds that were made elsewhere: 100,000 histories against a naive account. */
import { assert, describe, it } from "@effect/vitest"
import { faultsOfDisputes } from "../books/disputeExpectations.ts"
import { slice } from "../support/amount.ts"

const seeds = slice(
  Array.from({ length: 100_000 }, (_, seed) => seed),
  10
)

describe(`${seeds.length} histories of disputes and refunds`, () => {
  it("never refund more than was left, and return no money twice without a review", () => {
    assert.deepStrictEqual(seeds.flatMap(faultsOfDisputes).slice(0, 5), [])
  })
})
