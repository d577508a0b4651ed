/** The books against a vendor's own ledger: 100,000 histories of vendors that misbehave, and as many of one that does not. */
import { assert, describe, it } from "@effect/vitest"
import { playBookHistory } from "../books/BookHistory.ts"
import { slice } from "../support/amount.ts"
import { correctMoneyStays, everyUnitIsAccountedFor, neverMoreThanMoved } from "../books/expectations.ts"

const seeds = slice(
  Array.from({ length: 100_000 }, (_, seed) => seed),
  10
)

describe(`${seeds.length} histories of reports`, () => {
  it("every unit that moved is shown, overpaid or in a review, and no unit twice", () => {
    const broken = seeds.flatMap((seed) => {
      const history = playBookHistory(seed, "faulty")
      return [...neverMoreThanMoved(history), ...everyUnitIsAccountedFor(history)]
    })
    assert.deepStrictEqual(broken.slice(0, 5), [])
  })

  it("correct money is never too much and never refunded", () => {
    const broken = seeds.flatMap((seed) => {
      const history = playBookHistory(seed, "honest")
      return [...neverMoreThanMoved(history), ...everyUnitIsAccountedFor(history), ...correctMoneyStays(history)]
    })
    assert.deepStrictEqual(broken.slice(0, 5), [])
  })
})
