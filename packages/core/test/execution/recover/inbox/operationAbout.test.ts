import { assert, describe, it } from "@effect/vitest"
import { operationAbout } from "../../../../src/execution/recover/inbox/operationAbout.ts"
import type { Evidence } from "../../../../src/domain/Evidence.ts"
import type { Outcome } from "../../../../src/domain/Outcome.ts"
import { asked, claims, evidence, find, operation, paid } from "../../../domain/records.ts"

/** A provider with one name for the payment, its captures and its refunds. */
const named = asked(
  asked({ ...paid, operations: [operation(1, { reference: "pi_1" })] }, "c", { kind: "capture", reference: "pi_1" }),
  "r",
  { kind: "refund", reference: "pi_1" }
)

const underName = (outcome: Outcome, providerReference = "pi_1", provider = "p1"): Evidence => ({
  ...evidence(find(named, 1).id, outcome),
  about: { provider, providerReference }
})

/** Without a former id. */
const ownId = (id: string) => [id]

const about = (reported: Evidence, provider: string | null = "p1") =>
  operationAbout(named, reported, provider, ownId)?.id

describe("a report about a reference that several operations have", () => {
  it("is about the last refund if it reports a refund, and about the payment otherwise", () => {
    const twice = asked(named, "s", { kind: "refund", reference: "pi_1" })
    for (const claim of [claims.refundPending, claims.refundSucceeded, claims.refundFailed]) {
      assert.strictEqual(about(underName(claim)), "op_r", claim._tag)
      assert.strictEqual(operationAbout(twice, underName(claim), "p1", ownId)?.id, "op_s", claim._tag)
    }
    for (const claim of [claims.succeeded, claims.captured, claims.canceled, claims.captureFailed]) {
      assert.strictEqual(about(underName(claim)), "op_1", claim._tag)
      const reversed = { ...named, operations: named.operations.toReversed() }
      assert.strictEqual(operationAbout(reversed, underName(claim), "p1", ownId)?.id, "op_1", claim._tag)
    }
  })

  it("is about the payment if it reports a refund that was not requested", () => {
    const without = { ...named, operations: named.operations.filter(({ kind }) => kind !== "refund") }
    assert.strictEqual(operationAbout(without, underName(claims.refundSucceeded), "p1", ownId)?.id, "op_1")
  })
})

describe("a report about a reference that no operation has any more", () => {
  it("is about the create operation at that provider, and about none at another", () => {
    for (const claim of [claims.succeeded, claims.captured, claims.canceled, claims.refundSucceeded]) {
      assert.strictEqual(about(underName(claim, "pi_0")), "op_1", claim._tag)
      assert.strictEqual(about(underName(claim, "pi_0"), null), "op_1", claim._tag)
      assert.isUndefined(about(underName(claim, "pi_0", "p2"), "p2"), claim._tag)
      assert.isUndefined(about(underName(claim, "pi_0", "p2"), null), claim._tag)
    }
    const there = operation(2, { provider: "p2", reference: "pi_2" })
    const failedOver = { ...named, operations: [...named.operations, there] }
    assert.strictEqual(operationAbout(failedOver, underName(claims.succeeded, "pi_0"), null, ownId)?.id, "op_1")
    assert.strictEqual(operationAbout(failedOver, underName(claims.succeeded, "pi_0", "p2"), "p2", ownId)?.id, there.id)
    // A name that an operation has comes first, whichever operation it is.
    const captured = asked(failedOver, "d", { kind: "capture", reference: "cap_1" })
    assert.strictEqual(operationAbout(captured, underName(claims.captured, "cap_1"), "p1", ownId)?.id, "op_d")
  })
})

describe("a provider", () => {
  it("speaks of its own operations only; the engine of all", () => {
    const byId = evidence(find(named, "r").id, claims.refundSucceeded)
    assert.strictEqual(about(byId), "op_r")
    assert.isUndefined(about(byId, "p2"))
    assert.strictEqual(about(byId, null), "op_r")
    assert.isUndefined(about(underName(claims.succeeded), "p2"))
    assert.isUndefined(about(underName(claims.succeeded, "pi_1", "p2"), null))
    assert.isUndefined(about(underName(claims.succeeded, "pi_2", "p2")))
  })
})
