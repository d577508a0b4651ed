/** Refunds beside disputes, against a naive account. `test/long` plays 100,000 histories. */
import { assert, describe, it } from "@effect/vitest"
import { faultsOfDisputes } from "./disputeExpectations.ts"

const seeds = Array.from({ length: 1_500 }, (_, seed) => seed)

describe("refunds beside disputes and refunds that were made elsewhere", () => {
  it("never exceed what was left, and no money is returned twice without a review", () => {
    assert.deepStrictEqual(seeds.flatMap(faultsOfDisputes).slice(0, 5), [])
  })
})
