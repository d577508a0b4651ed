/** What a difference with the provider's statement makes of a payment. */
import { assert, describe, it } from "@effect/vitest"
import { questioned } from "../../src/domain/books/reviews.ts"
import type { Reported } from "../../src/domain/books/reviews.ts"
import type { OperationId } from "../../src/domain/Ids.ts"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import type { ReviewReason } from "../../src/domain/Review.ts"
import * as Outcome from "../../src/domain/Outcome.ts"
import type { Outcome as AnyOutcome } from "../../src/domain/Outcome.ts"
import { apply, asked, begun, changed, failed, find, money, operation, paid, reasons } from "./records.ts"

const stated = (record: PaymentRecord, name: string | number, outcome: AnyOutcome) =>
  apply(record, name, outcome, { source: "statement" })

const refunded = changed(
  apply(asked(paid, "r", { kind: "refund", minorUnits: 40, status: "pending" }), "r", Outcome.succeeded())
).record

describe("a statement", () => {
  it("decides what was open or unknown here", () => {
    for (const record of [begun, changed(apply(begun, 1, Outcome.unknown({ reason: "timeout" }))).record]) {
      const { payment } = changed(stated(record, 1, Outcome.succeeded({ amount: money(100) }))).record
      assert.strictEqual(payment.state.status, "succeeded")
    }
  })

  it("without a payment or refund that succeeded here is a contradiction, and ends it when it has it later", () => {
    for (const [record, name] of [
      [paid, 1],
      [refunded, "r"]
    ] as const) {
      const { record: missing } = changed(stated(record, name, Outcome.notBooked()))
      assert.deepStrictEqual(reasons(missing), ["contradiction"])
      assert.strictEqual(missing.payment.state.status, "succeeded", "no money moves by it")
      assert.strictEqual(stated(missing, name, Outcome.notBooked())._tag, "Unchanged", "it is raised once")
      const found =
        name === 1 ? Outcome.succeeded({ amount: money(100) }) : Outcome.refundSucceeded({ amount: money(40) })
      assert.deepStrictEqual(reasons(changed(stated(missing, name, found)).record), [])
    }
  })

  it("with a refund that failed after all, of one that was missing, fails the refund", () => {
    const missing = changed(stated(refunded, "r", Outcome.notBooked())).record
    const { record } = changed(stated(missing, "r", { _tag: "RefundFailed" }))
    const refund = record.operations.find(({ kind }) => kind === "refund")
    assert.notStrictEqual(refund?.status, "succeeded")
    assert.strictEqual(record.payment.amountRefunded, 0)
  })

  it("with another booking does not end a contradiction about less money", () => {
    const less = changed(stated(paid, 1, Outcome.succeeded({ amount: money(99) }))).record
    for (const outcome of [
      Outcome.succeeded({ amount: money(100) }),
      Outcome.refundSucceeded({ amount: money(10), reference: "re_x" })
    ]) {
      const after = stated(less, 1, outcome)
      assert.include(reasons(after._tag === "Unchanged" ? less : changed(after).record), "contradiction")
    }
  })

  it("with a booking ends the question that a statement raised for lack of it, and no other", () => {
    const missing = { money: money(100), source: "statement" } as const
    const table: ReadonlyArray<readonly [string, ReviewReason, OperationId, Reported, ReadonlyArray<ReviewReason>]> = [
      ["lack of it", "contradiction", find(paid, 1).id, missing, []],
      ["another question of a statement", "reference_conflict", find(paid, 1).id, missing, ["reference_conflict"]],
      ["a webhook", "contradiction", find(paid, 1).id, { ...missing, source: "webhook" }, ["contradiction"]],
      [
        "another currency",
        "contradiction",
        find(paid, 1).id,
        { ...missing, money: money(100, "USD") },
        ["contradiction"]
      ],
      ["lack of another", "contradiction", operation("r").id, missing, ["contradiction"]]
    ]
    for (const [what, reason, id, report, standing] of table) {
      const record = questioned(paid, reason, { ...find(paid, 1), id }, 500, report)
      const after = stated(record, 1, Outcome.succeeded({ amount: money(100) }))
      assert.deepStrictEqual(reasons(after._tag === "Unchanged" ? record : after.record), standing, what)
    }
  })

  it("says nothing by the absence of what did not succeed here", () => {
    for (const record of [begun, failed]) {
      assert.strictEqual(stated(record, 1, Outcome.notBooked())._tag, "Unchanged")
    }
  })

  it("with less money or another currency is a contradiction", () => {
    for (const amount of [money(99), money(100, "USD")]) {
      const { record } = changed(stated(paid, 1, Outcome.succeeded({ amount })))
      assert.deepStrictEqual(reasons(record), ["contradiction"])
      assert.strictEqual(record.payment.amountCaptured, 100)
    }
    const less = changed(stated(refunded, "r", Outcome.refundSucceeded({ amount: money(39) }))).record
    assert.deepStrictEqual(reasons(less), ["contradiction"])
  })

  it("with more money is an excess, which is not refunded automatically: a statement confirms nothing", () => {
    const { record } = changed(stated(paid, 1, Outcome.succeeded({ amount: money(200) })))
    assert.deepStrictEqual(reasons(record), ["excess_capture"])
    assert.strictEqual(record.operations.length, paid.operations.length)
  })

  it("with a refund that was not requested is an excess refund", () => {
    const stray = changed(stated(paid, 1, Outcome.refundSucceeded({ amount: money(10), reference: "re_x" }))).record
    assert.deepStrictEqual(reasons(stray), ["excess_refund"])
  })

  it("with a payment that had failed here opens a review or succeeds late, as a webhook does", () => {
    const { payment } = changed(stated(failed, 1, Outcome.succeeded({ amount: money(100) }))).record
    assert.deepInclude(payment.state, { status: "succeeded", late: true })
  })
})
