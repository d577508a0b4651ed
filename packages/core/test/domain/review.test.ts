/** Which answers fit a review, and what they make of the payment. */
import { assert, describe, it } from "@effect/vitest"
import { overpayment } from "../../src/domain/books/balance.ts"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import { dueReversals } from "../../src/domain/books/reversal.ts"
import { corrected, resolve } from "../../src/domain/books/resolve.ts"
import { resolutions } from "../../src/domain/Review.ts"
import type { Resolution, ReviewReason } from "../../src/domain/Review.ts"
import { questioned } from "../../src/domain/books/reviews.ts"
import type { EvidenceSource } from "../../src/domain/Evidence.ts"
import type { Outcome } from "../../src/domain/Outcome.ts"
import {
  after,
  answer,
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
} from "./records.ts"

const at = { now: 5, lateSuccess: "succeed" } as const

const fits = (record: PaymentRecord, reason: ReviewReason): ReadonlyArray<Resolution> =>
  resolutions.filter((resolution) => resolve(record, reviewOf(record, reason), { resolution }, at) !== null)

/** An operation of unknown outcome, without a scheduled inquiry. */
const lost = (record: PaymentRecord, name: string | number): PaymentRecord => {
  const unknown = after(record, [name, claims.unknown])
  const operations = unknown.operations.map((each) =>
    each.id === `op_${name}` ? { ...each, nextCheckAt: null } : each
  )
  return inReview({ ...unknown, operations }, "inquiries_exhausted", name)
}

const unknown = lost(begun, 1)
const shown = after(begun, [1, claims.pending])
const mismatch = after(begun, [1, { _tag: "Succeeded", amount: money(99) }])
const next = { attempt: attempt(2), operation: operation(2) }
/** As an inquiry shows it, which leads to no reversal here. */
const confirmed = (record: PaymentRecord, outcome: Outcome): PaymentRecord =>
  after(record, [1, outcome, { source: "inquiry", lateSuccess: "reverse" }])
const twice = after(begun, [1, claims.declined, { next }], [2, claims.succeeded], [1, claims.succeeded])
const late = after(failed, [1, claims.succeeded, { lateSuccess: "reverse" }])
const hold = after(failed, [1, claims.authorized])
const tooMuch = after(asked(held, "c", { kind: "capture", minorUnits: 60 }), ["c", taken(80)])
const refunded = after(
  asked(paid, "r", { kind: "refund", minorUnits: 60 }),
  ["r", claims.refundFailed],
  ["r", claims.refundSucceeded]
)
const refundOf = (minorUnits: number) =>
  after(asked(paid, "r", { kind: "refund", minorUnits: 60 }), ["r", { _tag: "Succeeded", amount: money(minorUnits) }])
const refusing = after(asked(held, "c", { kind: "capture" }), ["c", claims.captureFailed])
const refusedCapture = after(refusing, ["c", taken(100)])
const stranger = after(paid, [1, givenBack(30), { reference: "re_9" }])

describe("which answer fits", () => {
  const table: ReadonlyArray<readonly [string, PaymentRecord, ReviewReason, ReadonlyArray<Resolution>]> = [
    ["an unknown payment", unknown, "inquiries_exhausted", ["succeeded", "not_done"]],
    ["another amount", mismatch, "amount_mismatch", ["succeeded", "given_back"]],
    [
      "another coin, which counts as nothing",
      after(begun, [1, { _tag: "Succeeded", amount: money(0) }]),
      "amount_mismatch",
      ["not_done", "given_back"]
    ],
    ["another amount of a refund", refundOf(40), "amount_mismatch", ["succeeded", "not_done"]],
    ["a refund of nothing", refundOf(0), "amount_mismatch", ["succeeded", "not_done"]],
    ["money that was reported twice", twice, "duplicate_capture", ["not_done", "given_back"]],
    ["money that came twice", confirmed(twice, claims.succeeded), "duplicate_capture", ["given_back"]],
    ["money that was reported late", late, "late_success", ["not_done", "given_back"]],
    ["money that came late", confirmed(late, claims.succeeded), "late_success", ["given_back"]],
    ["a hold that was reported late", hold, "late_authorization", ["not_done", "given_back"]],
    ["a hold that came late", confirmed(hold, claims.authorized), "late_authorization", ["given_back"]],
    ["more than was asked", tooMuch, "excess_capture", ["not_done", "given_back"]],
    ["more than was asked, by its own books", confirmed(tooMuch, taken(80)), "excess_capture", ["given_back"]],
    ["a refund that was called failed", refunded, "excess_refund", ["succeeded", "dismissed"]],
    ["a refund that names no operation", stranger, "excess_refund", ["dismissed"]],
    [
      "an unknown refund",
      lost(asked(paid, "r", { kind: "refund" }), "r"),
      "inquiries_exhausted",
      ["succeeded", "not_done"]
    ],
    [
      "an unknown capture",
      lost(asked(held, "c", { kind: "capture" }), "c"),
      "inquiries_exhausted",
      ["succeeded", "not_done"]
    ],
    ["a close that was refused", inReview(shown, "close_failed", 1), "close_failed", ["succeeded", "not_done"]],
    [
      "a capture that was taken back",
      inReview(paid, "capture_failed", 1),
      "capture_failed",
      ["succeeded", "dismissed"]
    ],
    ["a close that was paid", inReview(paid, "paid_after_close", 1), "paid_after_close", ["succeeded", "dismissed"]],
    [
      "another payment's charge",
      inReview(shown, "reference_conflict", 1),
      "reference_conflict",
      ["succeeded", "not_done"]
    ],
    [
      "another payment's charge, of one that is paid",
      inReview(paid, "reference_conflict", 1),
      "reference_conflict",
      ["succeeded", "dismissed"]
    ],
    ["a capture that was refused, and is reported done", refusedCapture, "contradiction", ["succeeded", "dismissed"]]
  ]
  for (const [what, record, reason, words] of table) {
    it(`where ${what} is in question`, () => assert.deepStrictEqual(fits(record, reason), words))
  }

  it("is never to dismiss what is unknown or held: money depends on it", () => {
    assert.isNull(answer(unknown, "inquiries_exhausted", "dismissed"))
    for (const reason of ["close_failed", "amount_mismatch", "reference_conflict"] as const) {
      assert.isNull(answer(inReview(after(begun, [1, claims.unknown]), reason, 1), reason, "dismissed"), reason)
    }
    assert.isNull(answer(mismatch, "amount_mismatch", "dismissed"))
  })
})

describe("an answer that a conflict of references was paid", () => {
  const conflict = (record: PaymentRecord, reference: string, source: EvidenceSource): PaymentRecord =>
    questioned(record, "reference_conflict", find(record, 1), 0, { reference, source })
  const own = after(begun, [1, claims.succeeded, { reference: "ch_1" }])

  it("beside a charge of the payment's own is a second charge, in the books", () => {
    const { record } = changed(answer(conflict(own, "ch_9", "webhook"), "reference_conflict", "succeeded"))
    assert.deepStrictEqual(reasons(record), ["duplicate_capture"])
    assert.deepInclude(reviewOf(record, "duplicate_capture"), { reference: "ch_9", minorUnits: 100 })
    assert.strictEqual(find(record, 1).reference, "ch_1")
  })

  it("stands if a webhook raised it and another charge is the payment's own; a reply with another payment's body ends", () => {
    const later = [1, claims.succeeded, { source: "inquiry", reference: "ch_1" }] as const
    for (const [source, standing] of [
      ["webhook", ["reference_conflict"]],
      ["observed", ["reference_conflict"]],
      ["reply", []],
      ["inquiry", []]
    ] as const) {
      const record = conflict(own, "ch_9", source)
      assert.deepStrictEqual(reasons(after(record, later)), standing, source)
      const named = conflict(own, "ch_1", source)
      assert.deepStrictEqual(reasons(after(named, later)), [], `${source} about its own charge`)
    }
  })
})

describe("an answer that nothing was done", () => {
  const shown = { source: "inquiry" } as const
  const fitsNotDone = (record: PaymentRecord, reason: ReviewReason) => fits(record, reason).includes("not_done")

  it("fits the charge that was only reported, where the provider's own books show another one", () => {
    const second = after(
      begun,
      [1, claims.succeeded, { reference: "ch_1" }],
      [1, claims.succeeded, { reference: "ch_2" }],
      [1, claims.succeeded, { reference: "ch_1", ...shown }]
    )
    assert.deepInclude(reviewOf(second, "duplicate_capture"), { reference: "ch_2" })
    assert.isTrue(fitsNotDone(second, "duplicate_capture"))
    const both = after(second, [1, claims.succeeded, { reference: "ch_2", ...shown }])
    assert.isFalse(fitsNotDone(both, "duplicate_capture"))
    assert.isTrue(fitsNotDone(after(twice, [2, claims.succeeded, shown]), "duplicate_capture"), "of another attempt")
  })

  it("does not fit a charge whose capture they show under its own reference", () => {
    const hold = after(begun, [1, claims.authorized, { reference: "ch_1" }])
    const capturing = asked(hold, "c", { kind: "capture", minorUnits: 60 })
    const more = after(capturing, ["c", taken(80), { reference: "cap_1" }])
    assert.deepInclude(reviewOf(more, "excess_capture"), { reference: "ch_1", minorUnits: 20 })
    assert.isTrue(fitsNotDone(more, "excess_capture"))
    const looked = after(more, ["c", taken(80), { reference: "cap_1", ...shown }])
    assert.isFalse(fitsNotDone(looked, "excess_capture"))
  })

  it("fits a charge of which they show a refund only", () => {
    const refunding = asked(tooMuch, "r", { kind: "refund", minorUnits: 10 })
    assert.isTrue(fitsNotDone(after(refunding, ["r", claims.refundSucceeded, shown]), "excess_capture"))
  })
})

describe("an answer", () => {
  it("ends its review and is the operator's statement", () => {
    const table: ReadonlyArray<readonly [PaymentRecord, ReviewReason]> = [
      [unknown, "inquiries_exhausted"],
      [mismatch, "amount_mismatch"],
      [twice, "duplicate_capture"],
      [late, "late_success"],
      [hold, "late_authorization"],
      [tooMuch, "excess_capture"],
      [refunded, "excess_refund"],
      [stranger, "excess_refund"],
      [inReview(paid, "capture_failed", 1), "capture_failed"]
    ]
    for (const [record, reason] of table) {
      const words = fits(record, reason)
      assert.isNotEmpty(words)
      for (const word of words) {
        const resolved = resolve(record, reviewOf(record, reason), { resolution: word }, at)
        assert.strictEqual(resolved?.cause.evidence.source, "operator")
        assert.notInclude(reasons(changed(resolved?.change ?? null).record), reason, `${reason} ${word}`)
      }
    }
  })

  it("that nothing was done takes back what was only reported, and no more", () => {
    for (const [record, reason] of [
      [twice, "duplicate_capture"],
      [late, "late_success"],
      [hold, "late_authorization"],
      [tooMuch, "excess_capture"]
    ] as const) {
      const { event, record: over } = changed(answer(record, reason, "not_done"))
      const { amountCaptured, amountRefunded, state } = record.payment
      assert.deepStrictEqual([event, reasons(over), overpayment(over), dueReversals(over)], [null, [], 0, []], reason)
      assert.deepStrictEqual(
        [over.payment.amountCaptured, over.payment.amountRefunded, over.payment.state],
        [amountCaptured, amountRefunded, state],
        reason
      )
      assert.deepStrictEqual(over.entries.slice(0, -1), record.entries, "entries are only added")
      const { currency, minorUnits, provider, reference } = reviewOf(record, reason)
      assert.deepInclude(over.entries.at(-1), {
        source: "operator",
        basis: "total",
        currency,
        minorUnits,
        provider,
        reference
      })
    }
  })

  it("to one review leaves the others", () => {
    const two = changed(apply(inReview(twice, "capture_failed", 2), "2", claims.disputed)).record
    const one = changed(answer(two, "capture_failed", "dismissed")).record
    assert.deepStrictEqual(
      [reasons(two).toSorted(), reasons(one)],
      [["capture_failed", "duplicate_capture"], ["duplicate_capture"]]
    )
  })

  it("accepts another amount as what arrived", () => {
    const { payment } = changed(answer(mismatch, "amount_mismatch", "succeeded")).record
    assert.deepStrictEqual([payment.state.status, payment.amountCaptured], ["succeeded", 99])
  })

  it("leaves a later operation alone that it is not about", () => {
    const first = lost(asked(paid, "r", { kind: "refund", minorUnits: 10 }), "r")
    const both = asked(first, "q", { kind: "refund", minorUnits: 20, status: "pending" })
    const { record } = changed(answer(both, "inquiries_exhausted", "succeeded"))
    assert.deepStrictEqual([find(record, "r").status, find(record, "q").status], ["succeeded", "pending"])
    assert.strictEqual(record.payment.amountRefunded, 10)
  })

  it("ends a hold that an operator released at the provider", () => {
    const { record } = changed(answer(hold, "late_authorization", "given_back"))
    assert.deepStrictEqual([record.attempts[0]?.status, reasons(record)], ["canceled", []])
  })

  it("lets a second hold go, and the attempt's own stands", () => {
    const named = (seq: number, reference: string) => [seq, claims.authorized, { reference }] as const
    const waiting = after(begun, named(1, "h_1"), named(1, "h_2"))
    assert.deepInclude(reviewOf(waiting, "late_authorization"), { reference: "h_2", minorUnits: 100 })
    const { event, record } = changed(answer(waiting, "late_authorization", "given_back"))
    assert.deepStrictEqual([event, record.payment.state.status, reasons(record)], [null, "authorized", []])
    assert.strictEqual(record.attempts[0]?.status, "authorized")
    const late = after(failed, named(1, "h_1"), named(1, "h_2"))
    const [first, second] = late.payment.reviews
    assert.deepStrictEqual([first?.reference, second?.reference], ["h_1", "h_2"])
    const left = second && resolve(late, second, { resolution: "given_back" }, at)?.change.record
    assert.deepStrictEqual([left?.attempts[0]?.status, left?.payment.reviews], ["authorized", [first]])
  })

  it("lets a payment wait again, for its payer or for its provider", () => {
    const nextAction = { type: "wait", expiresAt: null } as const
    for (const [action, reason] of [
      [nextAction, "awaiting_customer"],
      [null, "processing"]
    ] as const) {
      const pending = after(begun, [1, { _tag: "Pending", ...(action !== null && { nextAction: action }) }])
      const doubted = changed(apply(pending, 1, claims.captureFailed)).record
      assert.deepInclude(doubted.payment.state, { status: "pending", reason: "needs_review" })
      const { payment } = changed(answer(doubted, "contradiction", "dismissed")).record
      assert.deepStrictEqual(payment.state, { status: "pending", reason, nextAction: action })
    }
  })
})

describe("a dismissed review", () => {
  it("comes back only when more is in question", () => {
    const dismissed = changed(answer(stranger, "excess_refund", "dismissed")).record
    assert.deepStrictEqual(reasons(dismissed), [])
    assert.strictEqual(apply(dismissed, 1, givenBack(30), { reference: "re_9" })._tag, "Unchanged", "reported again")
    const less = changed(apply(dismissed, 1, { _tag: "Disputed", amount: money(10) })).record
    assert.deepStrictEqual(reasons(less), [], "another change does not bring it back")
    const more = changed(apply(less, 1, givenBack(40), { reference: "re_9" })).record
    assert.deepInclude(reviewOf(more, "excess_refund"), { minorUnits: 40, reference: "re_9" })
    const next = changed(apply(less, 1, givenBack(10), { reference: "re_10" })).record
    assert.deepInclude(reviewOf(next, "excess_refund"), { minorUnits: 10, reference: "re_10" })
  })

  it("of a question is not asked again for as much", () => {
    const dismissed = changed(
      answer(changed(apply(shown, 1, claims.captureFailed)).record, "contradiction", "dismissed")
    )
    assert.strictEqual(apply(dismissed.record, 1, claims.captureFailed)._tag, "Unchanged")
  })
})

describe("a statement about an operation without a review", () => {
  it("is what became of it; nothing else fits", () => {
    const refunding = asked(paid, "r", { kind: "refund", minorUnits: 60, status: "unknown" })
    const state = (resolution: Resolution) => corrected(refunding, find(refunding, "r"), resolution, at)
    assert.strictEqual(changed(state("succeeded")?.change ?? null).record.payment.amountRefunded, 60)
    assert.strictEqual(changed(state("not_done")?.change ?? null).event, "refund.failed")
    assert.isNull(state("given_back"))
    assert.isNull(state("dismissed"))
  })

  it("that is known already does not fit", () => {
    assert.isNull(corrected(failed, find(failed, 1), "not_done", at))
  })
})
