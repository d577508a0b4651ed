/** The expectations of `test/simulation/expectations.test.ts` over more seeds: fifty of a thousand payments, fifty with every fault. */
import { assert } from "@effect/vitest"
import { describeExpectations } from "../simulation/describeExpectations.ts"

describeExpectations(
  "where vendors keep their promises",
  { from: 5, seeds: 50, payments: 1_000, profile: "honest" },
  {
    "enough goes wrong for this to mean something": ({ figures }) => {
      assert.isAbove(figures.payments, 45_000)
      assert.isAbove(figures.kills, 300)
      assert.isAbove(figures.failedEvents, 5_000)
      assert.isAbove(figures.reviews, 100)
    }
  }
)

describeExpectations("whatever vendors, clocks, databases and operators do", {
  from: 11,
  seeds: 50,
  payments: 300,
  profile: "everything"
})
