/** The books against a vendor's own ledger, over random histories of reports. `test/long` plays 100,000 of each. */
import { assert, describe, it } from "@effect/vitest"
import { playBookHistory } from "./BookHistory.ts"
import { correctMoneyStays, everyUnitIsAccountedFor, neverMoreThanMoved } from "./expectations.ts"

const seeds = Array.from({ length: 5_000 }, (_, seed) => seed)

describe("the books agree with the vendor's ledger", () => {
  it("whatever a vendor does twice, reports late, repeats or leaves out", () => {
    const broken = seeds.flatMap((seed) => {
      const history = playBookHistory(seed, "faulty")
      return [...neverMoreThanMoved(history), ...everyUnitIsAccountedFor(history)]
    })
    assert.deepStrictEqual(broken.slice(0, 5), [])
  })

  it("and correct money is never too much, however it is reported", () => {
    const broken = seeds.flatMap((seed) => {
      const history = playBookHistory(seed, "honest")
      return [...neverMoreThanMoved(history), ...everyUnitIsAccountedFor(history), ...correctMoneyStays(history)]
    })
    assert.deepStrictEqual(broken.slice(0, 5), [])
  })
})
