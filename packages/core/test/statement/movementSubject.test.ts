/** Which refund of ours a booking is about, where a payment has refunds of several charges. */
import { assert, describe, it } from "@effect/vitest"
import { movementSubject } from "../../src/statement/movementSubject.ts"
import { create, ourOperation, ours, refundMovement } from "./sample.ts"

const reversal = (charge: string) =>
  ourOperation(`of_${charge}`, { kind: "refund", minorUnits: 300, reference: null, status: "unknown", charge })

const subjectOf = (original: string | null, ...refunds: ReadonlyArray<ReturnType<typeof reversal>>) => {
  const subject = movementSubject(
    refundMovement({ reference: "re_dashboard", original }),
    ours(create, reversal("ch_2"), ...refunds)
  )
  return subject._tag === "ours" ? subject.operation.id : subject._tag
}

describe("a refund that the statement names by its charge alone", () => {
  it("is that of this charge, and not the open refund of another one", () => {
    assert.strictEqual(subjectOf("ref_c"), "unknown_refund")
    assert.strictEqual(subjectOf("ref_c", reversal("ch_3")), "unknown_refund")
    const known = ours(create, reversal("ch_2"), reversal("ch_3"))
    const found = movementSubject(
      { ...refundMovement({ reference: "re_dashboard", original: "ch_3" }), operation: create.id },
      known
    )
    assert.deepInclude(found, { _tag: "ours", operation: reversal("ch_3") })
    const requested = ourOperation("r", { kind: "refund", minorUnits: 300, reference: null, status: "unknown" })
    assert.strictEqual(subjectOf("ref_c", requested), requested.id)
  })
})
