import { assert, describe, it } from "@effect/vitest"
import type { Attempt } from "../../src/domain/Attempt.ts"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import { isGivenBack, isLateCapture, paidBy, surplusTold } from "../../src/domain/surplus.ts"
import type { EvidenceClaim } from "../../src/provider/Evidence.ts"
import { after, asked, attempt, begun, claims, failed, find, held, money, operation, paid } from "./records.ts"

const canceled = after(held, [1, claims.canceled])

/** With a second attempt, closed unless said otherwise. */
const second = (record: PaymentRecord, over: Partial<Attempt> = { status: "declined" }): PaymentRecord => ({
  ...record,
  attempts: [...record.attempts, attempt(2, over)],
  operations: [...record.operations, operation(2)]
})

const kindOf = (record: PaymentRecord, name: string | number, claim: EvidenceClaim, policy: "succeed" | "reverse") => {
  const surplus = surplusTold(record, find(record, name), claim, policy)
  return surplus === null ? null : `${surplus.kind} ${surplus.minorUnits} ${surplus.review}`
}

describe("money is the payment's", () => {
  it("while it is open, and where it had failed unless the merchant wants it back", () => {
    assert.isNull(kindOf(begun, 1, claims.succeeded, "reverse"))
    assert.isNull(kindOf(failed, 1, claims.succeeded, "succeed"))
    assert.strictEqual(kindOf(failed, 1, claims.succeeded, "reverse"), "refund 100 late_success")
  })

  it("where its own hold is captured, and where it was told before", () => {
    assert.isNull(kindOf(held, 1, claims.captured, "reverse"))
    assert.isNull(kindOf(paid, 1, claims.succeeded, "reverse"))
  })
})

describe("money is too much", () => {
  it("where another attempt paid or holds, and where the payment was canceled", () => {
    for (const policy of ["succeed", "reverse"] as const) {
      assert.strictEqual(kindOf(second(paid), 2, claims.succeeded, policy), "refund 100 duplicate_capture")
      assert.strictEqual(kindOf(second(held), 2, claims.captured, policy), "refund 100 duplicate_capture")
      assert.strictEqual(kindOf(canceled, 1, claims.succeeded, policy), "refund 100 late_success")
    }
  })

  it("by what was taken, where the provider says how much", () => {
    assert.strictEqual(
      kindOf(second(paid), 2, { kind: "succeeded", amount: money(70) }, "succeed"),
      "refund 70 duplicate_capture"
    )
  })

  it("where its hold came when nobody wanted it: it is let go", () => {
    for (const record of [failed, canceled]) {
      assert.strictEqual(kindOf(record, 1, claims.authorized, "succeed"), "cancel 100 late_authorization")
    }
    assert.strictEqual(kindOf(second(paid), 2, claims.authorized, "succeed"), "cancel 100 late_authorization")
    assert.strictEqual(kindOf(second(begun), 2, claims.authorized, "succeed"), "cancel 100 late_authorization")
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
      assert.isNull(kindOf(second(paid), 2, claim, "reverse"), claim.kind)
    }
  })
})

describe("a late capture", () => {
  const capture = operation("c", { kind: "capture" })
  it("is one of a hold that is over or unwanted, and not one of the payment's own hold", () => {
    for (const [over, late] of [
      [{ status: "canceled" }, true],
      [{ status: "expired" }, true],
      [{ status: "authorized", surplus: true }, true],
      [{ status: "authorized" }, false],
      [{ status: "succeeded" }, false]
    ] as ReadonlyArray<readonly [Partial<Attempt>, boolean]>) {
      assert.strictEqual(isLateCapture(attempt(1, over), capture, claims.captured), late, JSON.stringify(over))
    }
    assert.isFalse(
      isLateCapture(attempt(1, { status: "canceled" }), { ...capture, status: "declined" }, claims.captured)
    )
  })
})

describe("surplus money", () => {
  const surplus = second(paid, { status: "succeeded", surplus: true })
  const reversed = (status: "planned" | "unknown" | "succeeded" | "declined" | "not_executed") =>
    asked(surplus, "v", { attemptSeq: 2, kind: "refund", purpose: "reversal", status })

  it("is not what the payment was paid by", () => {
    assert.strictEqual(paidBy(second(begun, { status: "succeeded", surplus: true })), undefined)
    assert.strictEqual(paidBy(surplus)?.seq, 1)
  })

  it("is given back while its reversal is on the way or done, and not where that came to nothing", () => {
    for (const status of ["planned", "unknown", "succeeded"] as const) {
      assert.isTrue(isGivenBack(reversed(status), attempt(2, { status: "succeeded", surplus: true })), status)
    }
    for (const record of [surplus, reversed("declined"), reversed("not_executed")]) {
      assert.isFalse(isGivenBack(record, attempt(2, { status: "succeeded", surplus: true })))
    }
    assert.isTrue(isGivenBack(surplus, attempt(2, { status: "canceled", surplus: true })))
    assert.isTrue(isGivenBack(surplus, attempt(1, { status: "succeeded" })))
  })
})
