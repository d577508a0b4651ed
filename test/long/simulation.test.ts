/** The expectations of `test/simulation/expectations.test.ts` over more seeds: fifty of a thousand payments, fifty with every fault. */
import { assert } from "@effect/vitest"
import { describeExpectations } from "../simulation/describeExpectations.ts"
import { isWhole, slice } from "../support/amount.ts"

const [first = 0, ...others] = slice([0, 5, 10, 15, 20, 25, 30, 35, 40, 45], 10)
const seeds = 5 * (1 + others.length)

describeExpectations(
  "where vendors keep their promises",
  { from: 5 + first, seeds, payments: 1_000, profile: "honest" },
  isWhole()
    ? {
        "enough goes wrong for this to mean something": ({ figures }) => {
          assert.isAbove(figures.payments, 45_000)
          assert.isAbove(figures.kills, 300)
          assert.isAbove(figures.failedEvents, 5_000)
          assert.isAbove(figures.reviews, 100)
        }
      }
    : {}
)

describeExpectations("whatever vendors, clocks, databases and operators do", {
  from: 11 + first,
  seeds,
  payments: 300,
  profile: "everything"
})
