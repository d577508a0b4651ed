import { assert, describe, it } from "@effect/vitest"
import type { OperationId } from "../../src/domain/Ids.ts"
import { fromAnswer } from "../../src/provider/Evidence.ts"
import * as Outcome from "../../src/provider/Outcome.ts"
import { readEvidence } from "../../src/provider/validity.ts"

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
    const answer = Outcome.unknown({ reason: "unmapped", ...(code !== null && { vendorCode: code }) })
    assert.strictEqual(fromAnswer("reply", operation, answer).vendorCode, kept)
    const told = { about: { operation }, claim: { kind: "canceled" }, vendorCode: code, eventId: code }
    const { eventId, vendorCode } = readEvidence(told) ?? assert.fail()
    assert.deepStrictEqual({ eventId, vendorCode }, { eventId: kept, vendorCode: kept })
  })
})
