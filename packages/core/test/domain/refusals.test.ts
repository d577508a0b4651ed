/** Rates, statistics and explanations read attempts: the word of a refusal in its evidence must not change them. */
import { assert, describe, it } from "@effect/vitest"
import type { OperationId } from "../../src/domain/Ids.ts"
import { transition } from "../../src/domain/transition/transition.ts"
import { decodeEvidence } from "../../src/store/StoredEvidence.ts"
import { begun, step } from "./records.ts"

/** As stored: `proof_code` is the word of earlier versions for every refusal. */
const stored = (reason: string) => ({
  source: "reply",
  about: { operation: "op_1" as OperationId },
  claim: { kind: "not_executed", reason },
  reference: null,
  vendorCode: null,
  eventId: null,
  occurredAt: null
})

const changeBy = (reason: string) => {
  const [operation] = begun.operations
  const evidence = decodeEvidence(stored(reason))
  if (operation === undefined || evidence === null) return assert.fail("cannot be read")
  return transition(begun, operation, evidence, step)
}

describe("evidence that nothing was done", () => {
  it.each(["refused", "not_sent", "stated"])("ends the attempt by %s as by the word of earlier versions", (reason) => {
    const change = changeBy(reason)
    assert.strictEqual(change._tag, "Changed")
    assert.deepStrictEqual(change, changeBy("proof_code"))
  })
})
