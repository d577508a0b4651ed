/** Which operation and which charge an operator's answer is about. */
import { assert, describe, it } from "@effect/vitest"
import { chargesOf, overpayment } from "../../src/domain/books/balance.ts"
import { derived } from "../../src/domain/transition/change.ts"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import { resolve } from "../../src/domain/books/resolve.ts"
import { dueReversals } from "../../src/domain/books/reversal.ts"
import { questioned } from "../../src/domain/books/reviews.ts"
import type { EvidenceSource } from "../../src/domain/Evidence.ts"
import type { Resolution, ReviewReason } from "../../src/domain/Review.ts"
import {
  after,
  answer,
  apply,
  asked,
  attempt,
  begun,
  changed,
  claims,
  find,
  givenBack,
  inReview,
  money,
  operation,
  paid,
  reasons,
  reviewOf,
  taken
} from "./records.ts"

const about = (record: PaymentRecord, reason: ReviewReason, resolution: Resolution): string | null =>
  resolve(record, reviewOf(record, reason), { resolution }, { now: 2000, lateSuccess: "succeed" })?.cause.operation
    .id ?? null

const next = { attempt: attempt(2), operation: operation(2) }
const shown = after(begun, [1, claims.pending])
/** The second attempt paid; the first was paid, too. */
const twice = after(begun, [1, claims.declined, { next }], [2, claims.succeeded], [1, claims.succeeded])

describe("money that was given back by hand", () => {
  it("is the charge of the review; nothing else fits but that it never was, where no inquiry has shown it", () => {
    const confirmed = after(twice, [1, claims.succeeded, { source: "inquiry" }])
    for (const record of [twice, confirmed]) {
      assert.strictEqual(about(record, "duplicate_capture", "given_back"), "op_1")
      for (const word of ["succeeded", "dismissed"] as const) {
        assert.isNull(about(record, "duplicate_capture", word), word)
      }
    }
    assert.strictEqual(about(twice, "duplicate_capture", "not_done"), "op_1")
    assert.isNull(about(confirmed, "duplicate_capture", "not_done"))
  })

  it("is not called never taken where an inquiry has shown it without its reference", () => {
    const reported = after(begun, [1, claims.pending, { reference: "ch_1" }], [1, claims.declined])
    const record = after(reported, [1, claims.succeeded, { source: "inquiry", lateSuccess: "reverse" }])
    assert.strictEqual(reviewOf(record, "late_success").reference, "ch_1")
    assert.isNull(about(record, "late_success", "not_done"))
    assert.strictEqual(about(record, "late_success", "given_back"), "op_1")
  })

  it("is one of two charges of an attempt, by its reference", () => {
    const second = after(
      begun,
      [1, claims.succeeded, { reference: "ch_1" }],
      [1, claims.succeeded, { reference: "ch_2" }]
    )
    const third = after(second, [1, claims.succeeded, { reference: "ch_3" }])
    assert.deepStrictEqual(reasons(third), ["duplicate_capture", "duplicate_capture"])
    assert.strictEqual(overpayment(third), 200)
    const { record } = changed(answer(third, "duplicate_capture", "given_back"))
    assert.deepInclude(reviewOf(record, "duplicate_capture"), { reference: "ch_3", minorUnits: 100 })
    assert.deepStrictEqual([reasons(record).length, overpayment(record)], [1, 100])
    assert.deepStrictEqual(
      chargesOf(record, record.attempts[0] ?? attempt(1)).map(({ reference, returned }) => [reference, returned]),
      [
        ["ch_1", 0],
        ["ch_2", 100],
        ["ch_3", 0]
      ]
    )
  })

  it("settles the review of a reversal that was refused, and leaves the operations as they were", () => {
    const refused = after(asked(twice, "v", { kind: "refund", purpose: "reversal" }), ["v", claims.declined])
    const { record } = changed(answer(refused, "duplicate_capture", "given_back"))
    assert.deepStrictEqual([reasons(record), overpayment(record)], [[], 0])
    assert.deepStrictEqual(record.operations, refused.operations)
  })

  it("is the mismatched amount, even if a cancel waits for an operator", () => {
    const mismatched = after(shown, [1, { _tag: "Succeeded", amount: money(99) }])
    const canceling = asked(mismatched, "x", { kind: "cancel", status: "pending", nextCheckAt: null })
    assert.strictEqual(about(canceling, "amount_mismatch", "given_back"), "op_1")
    const { event, record } = changed(answer(canceling, "amount_mismatch", "given_back"))
    assert.deepStrictEqual([event, record.payment.state.status], ["payment.failed", "failed"])
    assert.deepStrictEqual([reasons(record), overpayment(record)], [[], 0])
  })

  it("does not resolve a close that failed: the payer may still pay", () => {
    const refused = inReview(shown, "close_failed", 1)
    assert.isNull(about(refused, "close_failed", "given_back"))
    assert.strictEqual(about(refused, "close_failed", "not_done"), "op_1")
  })
})

describe("a refund that is in question", () => {
  it("is the one that its review names, and not another", () => {
    const first = after(asked(paid, "r", { kind: "refund", minorUnits: 60 }), ["r", claims.refundFailed])
    const second = after(asked(first, "s", { kind: "refund", minorUnits: 40 }), ["s", claims.refundSucceeded])
    const record = changed(apply(second, "r", claims.refundSucceeded)).record
    assert.strictEqual(about(record, "excess_refund", "succeeded"), "op_r")
    const change = changed(answer(record, "excess_refund", "succeeded"))
    assert.deepStrictEqual([change.event, change.record.payment.amountRefunded], ["refund.succeeded", 100])
    assert.strictEqual(find(change.record, "r").status, "succeeded")
  })

  it("cannot be called done where it names no operation", () => {
    const record = after(paid, [1, givenBack(30), { reference: "re_1" }])
    assert.isNull(about(record, "excess_refund", "succeeded"))
    assert.strictEqual(about(record, "excess_refund", "dismissed"), "op_1")
  })
})

describe("what contradictory reports of one charge come to", () => {
  const automatic = { ...begun, payment: { ...begun.payment, captureMethod: "automatic" as const } }
  const amountsOf = (...reports: ReadonlyArray<readonly [number, EvidenceSource]>) => {
    const record = reports.reduce(
      (so, [amount, source]) =>
        changed(apply(so, 1, taken(amount), { source, reference: "ch_1", lateSuccess: "reverse" })).record,
      after(automatic, [1, claims.declined])
    )
    return record.payment.reviews.map(({ minorUnits }) => minorUnits)
  }

  it("where all of it is too much: what was asked, unless the provider's own books show another amount", () => {
    assert.deepStrictEqual(amountsOf([110, "webhook"]), [110])
    assert.deepStrictEqual(amountsOf([110, "webhook"], [100, "webhook"]), [100])
    assert.deepStrictEqual(amountsOf([100, "webhook"], [110, "webhook"]), [100])
    assert.deepStrictEqual(amountsOf([110, "webhook"], [100, "webhook"], [110, "inquiry"]), [110])
    assert.deepStrictEqual(amountsOf([110, "webhook"], [100, "inquiry"]), [100])
  })
})

describe("a charge that the provider's own books show", () => {
  it("is not the payment's where its amount is not, so that nothing of it is given back", () => {
    const automatic = { ...begun, payment: { ...begun.payment, captureMethod: "automatic" as const } }
    const record = after(
      automatic,
      [1, taken(130), { source: "reply", reference: "ch_of_another" }],
      [1, taken(100), { reference: "ch_1" }],
      [1, taken(130), { source: "observed", reference: "ch_of_another" }]
    )
    assert.strictEqual(find(record, 1).reference, "ch_1")
    assert.deepStrictEqual(dueReversals(record), [])
    assert.strictEqual(record.payment.amountCaptured, 100)
    assert.deepInclude(reviewOf(record, "duplicate_capture"), { reference: "ch_of_another", minorUnits: 130 })
  })

  it("is not the payment's on a chain either, where it is less than was asked", () => {
    const method = {
      rail: "stablecoin",
      asset: "USDC",
      network: "base"
    } as unknown as PaymentRecord["payment"]["method"]
    const onChain = { ...begun, payment: { ...begun.payment, captureMethod: "automatic" as const, method } }
    const record = after(
      onChain,
      [1, taken(70), { source: "reply", reference: "ch_of_another" }],
      [1, taken(70), { source: "observed", reference: "ch_of_another" }],
      [1, taken(100), { reference: "ch_1" }]
    )
    const again = apply(record, 1, taken(70), { source: "observed", reference: "ch_of_another" })
    assert.strictEqual(again._tag, "Unchanged")
    assert.strictEqual(find(record, 1).reference, "ch_1")
  })
})

describe("a conflict of references", () => {
  it("that an operator answers with success is about the charge that it names, and not about a declined one", () => {
    const declined = after(begun, [1, claims.declined, { next, reference: "ch_1" }], [2, claims.succeeded])
    const reported = { reference: "ch_2", money: money(100) }
    const record = derived(questioned(declined, "reference_conflict", find(declined, 1), 500, reported), 500)
    const { record: answered } = changed(answer(record, "reference_conflict", "succeeded"))
    assert.deepInclude(reviewOf(answered, "duplicate_capture"), { minorUnits: 100, reference: "ch_2" })
  })
})

describe("what an operator calls not done", () => {
  it("is inquired about again after an hour: it may have been too early to look", () => {
    const record = inReview(after(begun, [1, claims.unknown]), "close_failed", 1)
    const { record: over } = changed(answer(record, "close_failed", "not_done"))
    assert.deepInclude(find(over, 1), { status: "not_executed", checks: 0, nextCheckAt: 2000 + 3_600_000 })
  })
})
