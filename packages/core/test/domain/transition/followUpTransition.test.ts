import { assert, describe, it } from "@effect/vitest"
import type { PaymentRecord } from "../../../src/domain/Payment.ts"
import type { Outcome } from "../../../src/domain/Outcome.ts"
import {
  after,
  apply,
  asked,
  attempt,
  begun,
  changed,
  claims,
  failed,
  find,
  givenBack,
  held,
  inReview,
  money,
  operation,
  paid,
  reasons,
  reviewOf,
  taken
} from "../records.ts"

const capturing = asked(held, "c", { kind: "capture" })
const canceling = asked(held, "x", { kind: "cancel" })
const refunding = asked(paid, "r", { kind: "refund", minorUnits: 60 })

describe("words about another kind of operation", () => {
  const foreign: ReadonlyArray<readonly [string, PaymentRecord, string, ReadonlyArray<Outcome>]> = [
    ["capture", capturing, "c", [claims.refundSucceeded, claims.refundFailed, claims.refundPending]],
    ["cancel", canceling, "x", [claims.captured, claims.captureFailed, claims.refundSucceeded, claims.refundFailed]],
    ["refund", refunding, "r", [claims.captured, claims.captureFailed]]
  ]
  for (const [kind, record, name, reported] of foreign) {
    it(`say nothing of a ${kind}`, () => {
      for (const outcome of reported) assert.strictEqual(apply(record, name, outcome)._tag, "Unchanged", outcome._tag)
    })
  }
})

describe("a capture", () => {
  it("takes what was asked, ends the attempt and its create, and nothing looks after the hold any more", () => {
    const { event, record } = changed(
      apply(asked(held, "c", { kind: "capture", minorUnits: 60 }), "c", claims.succeeded)
    )
    assert.strictEqual(event, "payment.succeeded")
    assert.strictEqual(record.payment.amountCaptured, 60)
    assert.deepInclude(find(record, 1), { status: "succeeded", nextCheckAt: null })
    assert.strictEqual(record.attempts[0]?.status, "succeeded")
  })

  it("of less, or another currency, is no success: it is held for an operator, and repeated changes nothing", () => {
    for (const amount of [money(99), money(100, "USD")]) {
      const { record } = changed(apply(capturing, "c", { _tag: "Succeeded", amount }))
      assert.strictEqual(record.payment.state.status, "authorized")
      assert.deepStrictEqual(reasons(record), ["amount_mismatch"])
      assert.deepInclude(reviewOf(record, "amount_mismatch"), { operationId: find(record, "c").id, ...amount })
      assert.deepInclude(find(record, "c"), { status: "pending", nextCheckAt: null })
      assert.strictEqual(apply(record, "c", { _tag: "Succeeded", amount })._tag, "Unchanged")
    }
  })

  it("keeps when its attempt ended: the provider answered when it was authorized", () => {
    const authorizedAt = held.attempts[0]?.endedAt ?? null
    assert.isNumber(authorizedAt)
    const later = { now: (authorizedAt ?? 0) + 3_600_000 }
    for (const operation of [1, "c"] as const) {
      const { record } = changed(apply(capturing, operation, claims.captured, later))
      assert.deepInclude(record.attempts[0], { status: "succeeded", endedAt: authorizedAt })
      assert.strictEqual(find(record, "c").endedAt, later.now)
    }
    const { record } = changed(apply(canceling, "x", claims.succeeded, later))
    assert.deepInclude(record.attempts[0], { status: "canceled", endedAt: later.now })
  })

  it("that is reported for the create and for the capture is captured once", () => {
    for (const [first, second] of [
      [1, "c"],
      ["c", 1]
    ] as const) {
      const { record } = changed(apply(capturing, first, claims.captured))
      assert.strictEqual(record.payment.amountCaptured, 100)
      assert.strictEqual(find(record, "c").status, "succeeded")
      const both = changed(apply(record, second, claims.captured))
      assert.deepStrictEqual([both.event, both.record.payment.amountCaptured], [null, 100])
      assert.deepStrictEqual(reasons(both.record), [])
      assert.strictEqual(apply(both.record, second, claims.captured)._tag, "Unchanged")
    }
  })

  it("of more than it asked for is done, and the rest is in review", () => {
    const { event, record } = changed(apply(asked(held, "c", { kind: "capture", minorUnits: 60 }), "c", taken(80)))
    assert.deepStrictEqual([event, record.payment.amountCaptured], ["payment.succeeded", 60])
    assert.deepStrictEqual(reasons(record), ["excess_capture"])
    assert.deepInclude(reviewOf(record, "excess_capture"), { minorUnits: 20, currency: "EUR", provider: "p1" })
  })

  it("found out after its hold had lapsed succeeds late, with what it took", () => {
    const lapsed = after(
      asked(held, "c", { kind: "capture", minorUnits: 60 }),
      ["c", claims.unknown],
      [1, claims.expired]
    )
    assert.strictEqual(lapsed.payment.state.status, "failed")
    const { event, record } = changed(apply(lapsed, "c", claims.succeeded))
    assert.deepStrictEqual(record.payment.state, { status: "succeeded", late: true })
    assert.strictEqual(record.payment.amountCaptured, 60)
    assert.strictEqual(event, "payment.succeeded")
    assert.strictEqual(find(record, "c").status, "succeeded")
  })

  it("that is found after its hold was released is an overpayment: a review opens with its amount", () => {
    const { event, record } = changed(apply(after(capturing, [1, claims.canceled]), "c", claims.succeeded))
    assert.deepStrictEqual([record.payment.state.status, event], ["canceled", null])
    assert.deepInclude(record.attempts[0], { status: "succeeded", isOverpayment: true })
    assert.deepStrictEqual(reasons(record), ["late_success"])
    assert.deepInclude(reviewOf(record, "late_success"), { minorUnits: 100, provider: "p1" })
  })

  it("found out after the cancel of its hold was confirmed is looked at, not forgotten", () => {
    const both = asked(after(capturing, ["c", claims.unknown]), "x", { kind: "cancel", purpose: "reversal" })
    const { record } = changed(apply(after(both, ["x", claims.canceled]), "c", claims.captured))
    assert.deepStrictEqual(reasons(record), ["late_success"])
    assert.deepInclude(record.attempts[0], { status: "succeeded", isOverpayment: true })
  })

  it("not found, replaced by another, and done after all is too much: the payment keeps what it asked for", () => {
    const part = asked(held, "c", { kind: "capture", minorUnits: 60 })
    const other = asked(after(part, ["c", claims.notFound]), "d", { kind: "capture", minorUnits: 40 })
    const paidOnce = after(other, ["d", claims.captured, { reference: "psp_d" }])
    const { event, record } = changed(apply(paidOnce, "c", claims.captured, { reference: "psp_c" }))
    assert.deepStrictEqual([event, record.payment.amountCaptured], [null, 40])
    assert.deepInclude(find(record, "c"), { status: "succeeded", isOverpayment: true })
    assert.deepInclude(reviewOf(record, "excess_capture"), { minorUnits: 60 })
  })

  it("that was not found and is then reported as done is done", () => {
    const notFound = after(capturing, ["c", claims.notFound])
    assert.deepInclude(find(notFound, "c"), { status: "not_executed", nextCheckAt: null })
    assert.strictEqual(changed(apply(notFound, "c", claims.captured)).record.payment.state.status, "succeeded")
  })

  it("that is declined is over: the hold stands, and the capture is not inquired about again", () => {
    const { event, record } = changed(apply(capturing, "c", claims.declined))
    assert.strictEqual(event, "payment.capture_failed")
    assert.strictEqual(record.payment.state.status, "authorized")
    assert.deepInclude(find(record, "c"), { status: "declined", code: "do_not_honor", nextCheckAt: null })
  })
})

describe("a cancel", () => {
  it("of a payer who paid meanwhile changes no money; one confirmed all the same is looked at", () => {
    const both = after(canceling, [1, claims.captured])
    assert.deepStrictEqual(reasons(changed(apply(both, "x", claims.declined)).record), [])
    const { event, record } = changed(apply(both, "x", claims.canceled))
    assert.deepStrictEqual([record.payment.state.status, event], ["succeeded", null])
    assert.deepStrictEqual(reasons(record), ["paid_after_close"])
  })

  it("that was requested ends the payment as canceled, also if the provider did nothing: no other provider is tried", () => {
    const shown = asked(after(begun, [1, claims.pending]), "x", { kind: "cancel" })
    const next = { attempt: attempt(2), operation: operation(2) }
    for (const claim of [claims.notExecuted, claims.canceled, claims.expired]) {
      const { event, record } = changed(apply(shown, 1, claim, { next }))
      assert.deepStrictEqual(
        [record.payment.state.status, event, record.attempts.length],
        ["canceled", "payment.canceled", 1]
      )
    }
  })

  it("unknown keeps the hold, and what is pending does not become unknown", () => {
    const unknown = after(canceling, ["x", claims.unknown])
    assert.deepInclude(find(unknown, "x"), { status: "unknown", unsettled: true })
    assert.strictEqual(unknown.payment.state.status, "authorized")
    const pending = after(canceling, ["x", claims.pending])
    assert.strictEqual(apply(pending, "x", claims.unknown)._tag, "Unchanged")
  })
})

describe("a refund", () => {
  it("counts when it succeeds, once, and is taken out when it comes back, once (I5)", () => {
    const done = after(refunding, ["r", claims.refundSucceeded])
    assert.strictEqual(done.payment.amountRefunded, 60)
    assert.strictEqual(apply(done, "r", claims.succeeded)._tag, "Unchanged")
    const back = after(done, ["r", claims.refundFailed])
    assert.strictEqual(back.payment.amountRefunded, 0)
    assert.strictEqual(apply(back, "r", claims.refundFailed)._tag, "Unchanged")
  })

  it("fails with an event under its own id, however the provider refuses it", () => {
    for (const claim of [claims.declined, claims.refundFailed, claims.notExecuted, claims.notFound, claims.canceled]) {
      const { event, record, refund } = changed(apply(refunding, "r", claim))
      assert.deepStrictEqual([event, refund], ["refund.failed", find(refunding, "r").id], claim._tag)
      assert.strictEqual(record.payment.amountRefunded, 0)
    }
  })

  it("fails with processing_error if the provider gives no reason", () => {
    const { record } = changed(apply(refunding, "r", claims.refundFailed, { failure: null }))
    assert.deepInclude(find(record, "r"), { status: "declined", code: "processing_error" })
  })

  it("of less, or another currency, is held for an operator", () => {
    for (const amount of [money(59), money(60, "USD")]) {
      const { record } = changed(apply(refunding, "r", { _tag: "RefundSucceeded", amount }))
      assert.strictEqual(record.payment.amountRefunded, 0)
      assert.deepStrictEqual(reasons(record), ["amount_mismatch"])
      assert.deepInclude(find(record, "r"), { status: "pending", nextCheckAt: null })
    }
  })

  it("of more is done with what was asked, and the rest is in review", () => {
    const { event, record } = changed(apply(refunding, "r", givenBack(75), { reference: "re_1" }))
    assert.deepStrictEqual([event, record.payment.amountRefunded], ["refund.succeeded", 60])
    assert.deepStrictEqual(reasons(record), ["excess_refund"])
    const id = find(record, "r").id
    assert.deepInclude(reviewOf(record, "excess_refund"), { operationId: id, minorUnits: 15, reference: "re_1" })
  })

  it("that was made twice is in review by the reference of the second, whatever else was reported of the first", () => {
    const reports = [
      { reference: "re_1", amount: 60 },
      { reference: "re_1", amount: 75 },
      { reference: "re_0", amount: 60 }
    ]
    const record = reports.reduce(
      (so, { amount, reference }) => changed(apply(so, "r", givenBack(amount), { reference })).record,
      refunding
    )
    assert.strictEqual(record.payment.amountRefunded, 60)
    assert.deepStrictEqual(
      record.payment.reviews.map(({ minorUnits, reason, reference }) => [reason, reference, minorUnits]),
      [
        ["excess_refund", "re_0", 60],
        ["excess_refund", "re_1", 15]
      ]
    )
    assert.strictEqual(new Set(record.payment.reviews.map(({ id }) => id)).size, 2)
  })

  it("that was made again is in review by its own reference, not by that of its return or of another refund", () => {
    const again = after(
      asked(refunding, "s", { kind: "refund", minorUnits: 30 }),
      ["s", claims.refundSucceeded, { reference: "re_s" }],
      ["r", claims.refundSucceeded, { reference: "re_1" }],
      ["r", claims.refundFailed, { reference: "back_1" }],
      ["r", claims.refundSucceeded, { reference: "re_2" }]
    )
    assert.deepInclude(reviewOf(again, "excess_refund"), { operationId: find(again, "r").id, reference: "re_2" })
  })

  it("is reported as pending once, with its own id", () => {
    const first = changed(apply(refunding, "r", claims.unknown))
    assert.deepStrictEqual([first.event, first.refund], ["refund.pending", find(refunding, "r").id])
    const second = changed(apply(first.record, "r", claims.refundPending))
    assert.isNull(second.event)
  })

  it("neither succeeds nor fails changes the status of the payment", () => {
    for (const claim of [claims.succeeded, claims.declined, claims.notFound, claims.refundFailed]) {
      assert.strictEqual(changed(apply(refunding, "r", claim)).record.payment.state.status, "succeeded")
    }
  })
})

describe("money of another amount", () => {
  it("is written down for each attempt, also while another amount is looked at already", () => {
    const next = { attempt: attempt(2), operation: operation(2) }
    const wrong = { _tag: "Succeeded", amount: money(5) } as const
    const record = after(begun, [1, claims.notExecuted, { next }], [2, wrong], [1, wrong])
    assert.deepInclude(record.attempts[0], { status: "succeeded", isOverpayment: true })
    assert.deepInclude(find(record, 1), { status: "succeeded", nextCheckAt: null })
    assert.deepStrictEqual(reasons(record), ["amount_mismatch", "duplicate_capture"])
    assert.deepInclude(reviewOf(record, "duplicate_capture"), { attemptSeq: 1, minorUnits: 5 })
    assert.strictEqual(apply(record, 1, wrong)._tag, "Unchanged")
  })
})

describe("what the engine wants done itself", () => {
  const reverse = { lateSuccess: "reverse" } as const
  const late = after(failed, [1, claims.succeeded, reverse])
  const reversing = asked(late, "v", { kind: "refund", purpose: "reversal" })

  it("is planned again where it was proven not done, under the same key", () => {
    const { event, record } = changed(apply(reversing, "v", claims.notExecuted))
    const again = find(record, "v")
    assert.deepInclude(again, { status: "planned", checks: 1, nextCheckAt: 61_000, unsettled: false, endedAt: null })
    assert.strictEqual(again.key, find(reversing, "v").key)
    assert.isNull(event)
  })

  it("is in review again where it is declined, or not done for long", () => {
    assert.deepStrictEqual(reasons(after(reversing, ["v", claims.unknown])), [], "on its way")
    for (const result of [
      apply(reversing, "v", claims.declined),
      apply(reversing, "v", claims.notExecuted, { retryAt: null })
    ]) {
      const { record } = changed(result)
      assert.deepStrictEqual(reasons(record), ["late_success"])
      assert.deepInclude(reviewOf(record, "late_success"), { minorUnits: 100, provider: "p1" })
    }
  })

  it("is in review also where an operator was asked already about its unknown outcome", () => {
    const unknown = after(reversing, ["v", claims.unknown])
    const operations = unknown.operations.map((each) => ({ ...each, nextCheckAt: null }))
    const lost = inReview({ ...unknown, operations }, "inquiries_exhausted", "v")
    assert.deepStrictEqual(reasons(lost), ["inquiries_exhausted"])
    assert.deepStrictEqual(reasons(changed(apply(lost, "v", claims.refundFailed)).record), ["late_success"])
  })

  it("is in review for what it could not do: a late hold, or a payment page, stays open", () => {
    const hold = after(failed, [1, claims.authorized])
    const releasing = asked(hold, "v", { kind: "cancel", purpose: "reversal" })
    assert.deepStrictEqual(reasons(after(releasing, ["v", claims.unknown])), [])
    const { record } = changed(apply(releasing, "v", claims.declined))
    assert.deepStrictEqual(reasons(record), ["late_authorization"])
    assert.deepInclude(reviewOf(record, "late_authorization"), { minorUnits: 100, provider: "p1" })
    const closing = asked(after(begun, [1, claims.pending]), "e", { kind: "cancel", purpose: "expiry" })
    const open = changed(apply(closing, "e", claims.notExecuted, { retryAt: null })).record
    assert.deepStrictEqual(reasons(open), ["close_failed"])
  })

  it("given back ends the review of this money, and not that of another attempt's", () => {
    const { event, record } = changed(apply(reversing, "v", claims.succeeded))
    assert.deepStrictEqual([event, reasons(record)], ["payment.late_reversed", []])
    const next = { attempt: attempt(2), operation: operation(2) }
    const second = after(begun, [1, claims.declined, { next }], [2, claims.declined])
    const both = after(second, [1, claims.succeeded, reverse], [2, claims.succeeded, reverse])
    assert.deepStrictEqual(reasons(both), ["late_success", "late_success"])
    const left = after(asked(both, "v", { kind: "refund", purpose: "reversal" }), ["v", claims.succeeded])
    assert.deepStrictEqual(reasons(left), ["late_success"])
    assert.deepInclude(reviewOf(left, "late_success"), { attemptSeq: 2, provider: "p2", minorUnits: 100 })
  })

  it("does not close what was paid or held meanwhile, where it was not sent yet", () => {
    const shown = after(begun, [1, claims.pending])
    const closing = asked(shown, "e", { kind: "cancel", purpose: "expiry", status: "planned", nextCheckAt: 5 })
    for (const claim of [claims.succeeded, claims.authorized]) {
      const { record } = changed(apply(closing, 1, claim))
      assert.deepInclude(find(record, "e"), { status: "canceled", nextCheckAt: null })
    }
  })
})
