import { assert, describe, it } from "@effect/vitest"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import type { EvidenceClaim } from "../../src/provider/Evidence.ts"
import { after, apply, asked, attempt, begun, changed, claims, find, held, money, operation, paid } from "./records.ts"

const capturing = asked(held, "c", { kind: "capture" })
const canceling = asked(held, "x", { kind: "cancel" })
const refunding = asked(paid, "r", { kind: "refund", minorUnits: 60 })

describe("words about another kind of operation", () => {
  const foreign: ReadonlyArray<readonly [string, PaymentRecord, string, ReadonlyArray<EvidenceClaim>]> = [
    ["capture", capturing, "c", [claims.refundSucceeded, claims.refundFailed, claims.refundPending]],
    ["cancel", canceling, "x", [claims.captured, claims.captureFailed, claims.refundSucceeded, claims.refundFailed]],
    ["refund", refunding, "r", [claims.captured, claims.captureFailed]]
  ]
  for (const [kind, record, name, told] of foreign) {
    it(`say nothing of a ${kind}`, () => {
      for (const claim of told) assert.strictEqual(apply(record, name, claim)._tag, "Unchanged", claim.kind)
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

  it("of another amount is no success: it is held for an operator, and told again changes nothing", () => {
    for (const amount of [money(99), money(100, "USD")]) {
      const { record } = changed(apply(capturing, "c", { kind: "succeeded", amount }))
      assert.strictEqual(record.payment.state.status, "authorized")
      assert.deepStrictEqual(record.payment.review, { reason: "amount_mismatch" })
      assert.deepInclude(find(record, "c"), { status: "pending", nextCheckAt: null })
      assert.strictEqual(apply(record, "c", { kind: "succeeded", amount })._tag, "Unchanged")
    }
  })

  it("told of by the create and by itself is captured once", () => {
    for (const [first, second] of [
      [1, "c"],
      ["c", 1]
    ] as const) {
      const { record } = changed(apply(capturing, first, claims.captured))
      assert.strictEqual(record.payment.amountCaptured, 100)
      assert.strictEqual(find(record, "c").status, "succeeded")
      assert.strictEqual(apply(record, second, claims.captured)._tag, "Unchanged")
    }
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

  it("found out after its hold was let go is given back, or looked at where it cannot be", () => {
    const gone = after(capturing, [1, claims.canceled])
    const reversal = operation("v", { kind: "refund", purpose: "reversal", status: "planned" })
    const { record } = changed(apply(gone, "c", claims.succeeded, { reversal }))
    assert.strictEqual(record.payment.state.status, "canceled")
    assert.deepInclude(record.attempts[0], { status: "succeeded", surplus: true })
    assert.strictEqual(find(record, "v"), reversal)
    const alone = changed(apply(gone, "c", claims.succeeded))
    assert.deepStrictEqual(alone.record.payment.review, { reason: "late_success" })
  })

  it("found out after the cancel of its hold was confirmed is looked at, not forgotten", () => {
    const both = asked(after(capturing, ["c", claims.unknown]), "x", { kind: "cancel", purpose: "reversal" })
    const { record } = changed(apply(after(both, ["x", claims.canceled]), "c", claims.captured))
    assert.deepStrictEqual(record.payment.review, { reason: "late_success" })
    assert.deepInclude(record.attempts[0], { status: "succeeded", surplus: true })
  })

  it("believed not done and done after all is done", () => {
    const believed = after(capturing, ["c", claims.notFound])
    assert.deepInclude(find(believed, "c"), { status: "not_executed", nextCheckAt: null })
    assert.strictEqual(changed(apply(believed, "c", claims.captured)).record.payment.state.status, "succeeded")
  })

  it("declined is over: the hold stands, and nobody looks after the capture", () => {
    const { event, record } = changed(apply(capturing, "c", claims.declined))
    assert.strictEqual(event, "payment.capture_failed")
    assert.strictEqual(record.payment.state.status, "authorized")
    assert.deepInclude(find(record, "c"), { status: "declined", code: "do_not_honor", nextCheckAt: null })
  })
})

describe("a cancel", () => {
  it("of a payer who paid meanwhile changes no money; one confirmed all the same is looked at", () => {
    const both = after(canceling, [1, claims.captured])
    assert.isNull(changed(apply(both, "x", claims.declined)).record.payment.review)
    const { event, record } = changed(apply(both, "x", claims.canceled))
    assert.deepStrictEqual([record.payment.state.status, event], ["succeeded", null])
    assert.deepStrictEqual(record.payment.review, { reason: "paid_after_close" })
  })

  it("asked for ends the payment as canceled, also where the provider says it did nothing: nobody else is tried", () => {
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
      assert.deepStrictEqual([event, refund], ["refund.failed", find(refunding, "r").id], claim.kind)
      assert.strictEqual(record.payment.amountRefunded, 0)
    }
  })

  it("fails with processing_error if the provider gives no reason", () => {
    const { record } = changed(apply(refunding, "r", claims.refundFailed, { failure: null }))
    assert.deepInclude(find(record, "r"), { status: "declined", code: "processing_error" })
  })

  it("of another amount is held for an operator", () => {
    const { record } = changed(apply(refunding, "r", { kind: "refund_succeeded", amount: money(61) }))
    assert.strictEqual(record.payment.amountRefunded, 0)
    assert.deepStrictEqual(record.payment.review, { reason: "amount_mismatch" })
  })

  it("is told as pending once, and with its own id", () => {
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
    const wrong = { kind: "succeeded", amount: money(5) } as const
    const record = after(begun, [1, claims.notExecuted, { next }], [2, wrong], [1, wrong])
    assert.deepInclude(record.attempts[0], { status: "succeeded", surplus: true })
    assert.deepInclude(find(record, 1), { status: "succeeded", nextCheckAt: null })
    assert.deepStrictEqual(record.payment.review, { reason: "amount_mismatch" })
    assert.strictEqual(apply(record, 1, wrong)._tag, "Unchanged")
  })
})

describe("what the engine wants done itself", () => {
  const reversing = asked(paid, "v", { kind: "refund", purpose: "reversal" })

  it("is planned again where it was proven not done, under the same key", () => {
    const { event, record } = changed(apply(reversing, "v", claims.notExecuted))
    const again = find(record, "v")
    assert.deepInclude(again, { status: "planned", checks: 1, nextCheckAt: 61_000, unsettled: false, endedAt: null })
    assert.strictEqual(again.key, find(reversing, "v").key)
    assert.isNull(event)
  })

  it("is looked at where it is declined, or not done for long", () => {
    for (const result of [
      apply(reversing, "v", claims.declined),
      apply(reversing, "v", claims.notExecuted, { retryAt: null })
    ]) {
      assert.deepStrictEqual(changed(result).record.payment.review, { reason: "duplicate_capture" })
    }
  })

  it("is looked at also where somebody was asked already about its unknown outcome", () => {
    const lost = after(reversing, ["v", claims.unknown])
    const flagged = { ...lost, payment: { ...lost.payment, review: { reason: "inquiries_exhausted" } as const } }
    assert.deepStrictEqual(changed(apply(flagged, "v", claims.refundFailed)).record.payment.review, {
      reason: "duplicate_capture"
    })
  })

  it("is in review for what it could not do: a late hold, or a payment page, stays open", () => {
    const surplus = attempt(2, { status: "authorized", surplus: true })
    const late = asked({ ...paid, attempts: [...paid.attempts, surplus] }, "v", {
      attemptSeq: 2,
      kind: "cancel",
      purpose: "reversal"
    })
    assert.deepStrictEqual(changed(apply(late, "v", claims.declined)).record.payment.review, {
      reason: "late_authorization"
    })
    const closing = asked(after(begun, [1, claims.pending]), "e", { kind: "cancel", purpose: "expiry" })
    assert.deepStrictEqual(changed(apply(closing, "e", claims.notExecuted, { retryAt: null })).record.payment.review, {
      reason: "close_failed"
    })
  })

  it("given back ends the review of this money, and not that of another attempt's", () => {
    const review = { reason: "duplicate_capture" } as const
    const other = attempt(2, { status: "succeeded", surplus: true })
    const one = { ...reversing, payment: { ...reversing.payment, review } }
    assert.isNull(changed(apply(one, "v", claims.succeeded)).record.payment.review)
    const two = { ...one, attempts: [...one.attempts, other] }
    assert.deepStrictEqual(changed(apply(two, "v", claims.succeeded)).record.payment.review, review)
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
