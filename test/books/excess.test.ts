/** Returns of an excess against what really moved, over random histories. `test/long` plays 100,000. */
import { assert, describe, it } from "@effect/vitest"
import { playExcessHistory } from "./ExcessHistory.ts"
import { unaccounted } from "./excessExpectations.ts"

describe("an excess that is returned by the engine, by operators and at the provider, in every order", () => {
  it("is never returned twice without a review, and no review is about less than that", () => {
    const histories = Array.from({ length: 3_000 }, (_, seed) => playExcessHistory(seed))
    assert.deepStrictEqual(histories.flatMap(unaccounted).slice(0, 5), [])
    const count = (isCounted: (history: (typeof histories)[number]) => boolean) => histories.filter(isCounted).length
    assert.isAbove(
      count(({ reviews }) => reviews.some(({ reason }) => reason === "excess_refund")),
      300,
      "returned twice"
    )
    assert.isAbove(
      count(({ dismissed }) => dismissed.length > 0),
      300,
      "dismissed"
    )
    assert.isAbove(
      count(({ record }) => record.operations.some(({ charge, status }) => charge !== null && status === "succeeded")),
      300,
      "a further charge was refunded"
    )
  })
})
