/** What a second booking reports to the engine: another charge or refund, or more of the one that is known. */
import { assert, describe, it } from "@effect/vitest"
import type { StatementMovement } from "../../src/provider/Statement.ts"
import { differenceEvidence } from "../../src/statement/differenceEvidence.ts"
import { matchPage } from "../../src/statement/matchPage.ts"
import type { OurOperations } from "../../src/statement/OurOperations.ts"
import { money } from "../domain/records.ts"
import { capture, create, held, movement, ours, refund, refundMovement } from "./sample.ts"

/** What is reported about the last movement of the page. */
const reported = (movements: ReadonlyArray<StatementMovement>, known: OurOperations) => {
  const differences = matchPage(movements, new Map(), known).fresh.at(-1)?.differences ?? []
  return differences.flatMap((each) => {
    const evidence = differenceEvidence(each, known)
    if (evidence === null) return []
    const { about, outcome, source } = evidence
    const amount = "amount" in outcome ? outcome.amount?.minorUnits : undefined
    return [{ about, amount, outcome: outcome._tag, reference: outcome.reference, source }]
  })
}

const statement = { source: "statement" } as const

describe("a second booking", () => {
  it("under another reference is another charge of the payment", () => {
    const twice = [movement({ operation: create.id }), movement({ id: "m2", operation: create.id, reference: "ch_2" })]
    assert.deepStrictEqual(reported(twice, ours(create)), [
      { ...statement, about: { operation: create.id }, amount: 1000, outcome: "Succeeded", reference: "ch_2" }
    ])
  })

  it("under the same reference is more of the same charge", () => {
    const twice = [movement({ operation: create.id }), movement({ id: "m2", reference: "ref_c", amount: money(900) })]
    assert.deepStrictEqual(reported(twice, ours(create)), [
      { ...statement, about: { operation: create.id }, amount: 1900, outcome: "Succeeded", reference: "ref_c" }
    ])
  })

  it("of a capture is more of its whole charge, beside the other captures that succeeded", () => {
    const one = capture("c1", { reference: "cap_1" })
    const other = capture("c2", { reference: "cap_2", minorUnits: 350 })
    const declined = capture("c3", { reference: "cap_3", minorUnits: 70, status: "declined" })
    const twice = ["ref_h", "cap_1", null].map((reference) => [
      movement({ type: "capture", operation: one.id, amount: money(400) }),
      movement({ id: "m2", type: "capture", operation: one.id, reference, amount: money(400) })
    ])
    for (const movements of twice) {
      assert.deepStrictEqual(
        reported(movements, ours(held, one, other, declined)),
        [{ ...statement, about: { operation: held.id }, amount: 1150, outcome: "Succeeded", reference: "ref_h" }],
        String(movements[1]?.reference)
      )
    }
  })

  it("of a refund is about the refund: more of it, or another one under another reference", () => {
    const again = (reference: string) => [
      refundMovement({ operation: refund.id }),
      refundMovement({ id: "m3", operation: refund.id, reference })
    ]
    const about = { ...statement, about: { operation: refund.id }, outcome: "RefundSucceeded" as const }
    assert.deepStrictEqual(reported(again("ref_r"), ours(create, refund)), [
      { ...about, amount: 600, reference: "ref_r" }
    ])
    assert.deepStrictEqual(reported(again("re_2"), ours(create, refund)), [
      { ...about, amount: 300, reference: "re_2" }
    ])
  })
})
