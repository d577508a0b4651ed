import { assert, describe, it } from "@effect/vitest"
import type { Attempt } from "../../src/domain/Attempt.ts"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import { acceptedAttempt } from "../../src/domain/books/balance.ts"
import { dueReversals } from "../../src/domain/books/reversal.ts"
import { isLateCapture } from "../../src/domain/transition/reportedMoney.ts"
import type { Outcome } from "../../src/domain/Outcome.ts"
import {
  after,
  apply,
  asked,
  attempt,
  begun,
  claims,
  failed,
  held,
  money,
  operation,
  paid,
  reasons
} from "./records.ts"

const canceled = after(held, [1, claims.canceled])

const next = { attempt: attempt(2), operation: operation(2) }
/** Two attempts of which the first was declined, and the second has become `claim`. */
const second = (outcome: Outcome): PaymentRecord => after(begun, [1, claims.declined, { next }], [2, outcome])

/** What the engine refunds or releases after a confirmed report; `null`: nothing. */
const kindOf = (record: PaymentRecord, name: string | number, outcome: Outcome, policy: "succeed" | "reverse") => {
  const reported = apply(record, name, outcome, { lateSuccess: policy, source: "inquiry" })
  const due = reported._tag === "Changed" ? dueReversals(reported.record) : []
  const [only] = due
  if (only === undefined || reported._tag !== "Changed") return null
  assert.lengthOf(due, 1)
  return `${only.kind} ${only.minorUnits} ${reasons(reported.record).join()}`
}

describe("money is the payment's", () => {
  it("while it is open, and where it had failed unless the merchant wants it back", () => {
    assert.isNull(kindOf(begun, 1, claims.succeeded, "reverse"))
    assert.isNull(kindOf(failed, 1, claims.succeeded, "succeed"))
    assert.strictEqual(kindOf(failed, 1, claims.succeeded, "reverse"), "refund 100 late_success")
  })

  it("if its own hold is captured, and if it was reported before", () => {
    assert.isNull(kindOf(held, 1, claims.captured, "reverse"))
    assert.isNull(kindOf(paid, 1, claims.succeeded, "reverse"))
  })
})

describe("money is too much", () => {
  it("where another attempt paid or holds, and where the payment was canceled", () => {
    for (const policy of ["succeed", "reverse"] as const) {
      assert.strictEqual(kindOf(second(claims.succeeded), 1, claims.succeeded, policy), "refund 100 duplicate_capture")
      assert.strictEqual(kindOf(second(claims.authorized), 1, claims.captured, policy), "refund 100 duplicate_capture")
      assert.strictEqual(kindOf(canceled, 1, claims.succeeded, policy), "refund 100 late_success")
    }
  })

  it("by what was taken, where the provider says how much", () => {
    assert.strictEqual(
      kindOf(second(claims.succeeded), 1, { _tag: "Succeeded", amount: money(70) }, "succeed"),
      "refund 70 duplicate_capture"
    )
  })

  it("if its hold came when the payment needed none: it is released", () => {
    assert.strictEqual(kindOf(failed, 1, claims.authorized, "succeed"), "cancel 100 late_authorization")
    assert.isNull(kindOf(canceled, 1, claims.authorized, "succeed"), "an old report of a hold that was released")
    assert.strictEqual(
      kindOf(second(claims.succeeded), 1, claims.authorized, "succeed"),
      "cancel 100 late_authorization"
    )
    assert.strictEqual(kindOf(second(claims.pending), 1, claims.authorized, "succeed"), "cancel 100 late_authorization")
  })

  it("where it is captured of a hold that had ended; other later operations take no money", () => {
    const capture = asked(canceled, "c", { kind: "capture", minorUnits: 60 })
    assert.strictEqual(kindOf(capture, "c", claims.succeeded, "succeed"), "refund 60 late_success")
    for (const kind of ["cancel", "refund"] as const) {
      assert.isNull(kindOf(asked(canceled, "o", { kind }), "o", claims.succeeded, "reverse"))
    }
  })

  it("never where nothing was taken", () => {
    for (const claim of [claims.declined, claims.pending, claims.unknown, claims.refundSucceeded, claims.detected]) {
      assert.isNull(kindOf(second(claims.succeeded), 1, claim, "reverse"), claim._tag)
    }
  })
})

describe("a late capture", () => {
  const capture = operation("c", { kind: "capture" })
  it("is one of a hold that is over or unwanted, and not one of the payment's own hold", () => {
    for (const [over, late] of [
      [{ status: "canceled" }, true],
      [{ status: "expired" }, true],
      [{ status: "authorized", isOverpayment: true }, true],
      [{ status: "authorized" }, false],
      [{ status: "succeeded" }, false]
    ] as ReadonlyArray<readonly [Partial<Attempt>, boolean]>) {
      assert.strictEqual(isLateCapture(attempt(1, over), capture, claims.captured), late, JSON.stringify(over))
    }
    for (const [status, late] of [
      ["declined", true],
      ["not_executed", true],
      ["succeeded", false]
    ] as const) {
      const over = { ...capture, status }
      assert.strictEqual(isLateCapture(attempt(1, { status: "canceled" }), over, claims.captured), late, status)
    }
  })
})

describe("an overpayment", () => {
  const both = after(second(claims.succeeded), [1, claims.succeeded])
  const reversing = asked(both, "v", { kind: "refund", purpose: "reversal" })

  it("is not what the payment was paid by", () => {
    assert.strictEqual(acceptedAttempt(after(failed, [1, claims.succeeded, { lateSuccess: "reverse" }])), undefined)
    assert.strictEqual(acceptedAttempt(both)?.seq, 2)
  })

  it("is in review unless its reversal is on the way or done", () => {
    assert.deepStrictEqual(reasons(both), ["duplicate_capture"])
    for (const claim of [claims.unknown, claims.pending, claims.succeeded]) {
      assert.deepStrictEqual(reasons(after(reversing, ["v", claim])), [], claim._tag)
    }
    const [declined] = [after(reversing, ["v", claims.declined])]
    assert.deepStrictEqual(reasons(declined), ["duplicate_capture"])
    assert.deepStrictEqual(reasons(after(reversing, ["v", claims.notExecuted, { retryAt: null }])), [
      "duplicate_capture"
    ])
  })
})
