import { assert, describe, it } from "@effect/vitest"
import { conformanceChecks, checkIds } from "@paymux/testkit"

describe("the conformance checks", () => {
  it("are each tried, in the order of their names", () => {
    assert.deepStrictEqual(
      conformanceChecks.map(({ id }) => id),
      [...checkIds]
    )
  })
})
