import { assert, describe, it } from "@effect/vitest"
import type { OperationId } from "../../src/domain/Ids.ts"
import { readAnswer, readEvidence } from "../../src/provider/validity.ts"

// Boundary of a test: an id of the right shape.
const operation = "op_01jd8w6x2vh6k9v0q3f7m5t1ac" as OperationId

const cases = [
  ["51", "51"],
  ["insufficient_funds", "insufficient_funds"],
  ["1700000000000", "1700000000000"],
  ["evt4242424242424242", "evt4242424242424242"],
  ["4242424242424242", null],
  ["E51 card 4242 4242 4242 4242 refused", null],
  [null, null]
] as const

describe("a vendor's code", () => {
  it.each(cases)("%s is kept as %s, and of an event's id the same holds", (code, kept) => {
    const given = { _tag: "Unknown", reason: "unmapped", vendorCode: code }
    assert.strictEqual(readAnswer(given)?.vendorCode ?? null, kept)
    const report = { about: { operation }, outcome: { _tag: "Canceled", vendorCode: code }, eventId: code }
    const { eventId, outcome } = readEvidence(report) ?? assert.fail()
    assert.deepStrictEqual([eventId, outcome.vendorCode ?? null], [kept, kept])
  })
})
