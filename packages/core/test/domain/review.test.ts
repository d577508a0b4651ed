import { assert, describe, it } from "@effect/vitest"
import type { PaymentRecord, ReviewReason } from "../../src/domain/Payment.ts"
import { flagForReview } from "../../src/domain/change.ts"
import { resolutions, resolve } from "../../src/domain/review.ts"
import type { Resolution } from "../../src/domain/review.ts"
import { after, asked, attempt, begun, changed, claims, find, held, money, operation, paid } from "./records.ts"

const inReview = (record: PaymentRecord, reason: ReviewReason): PaymentRecord => ({
  ...record,
  payment: { ...record.payment, review: { reason } }
})

const fits = (record: PaymentRecord): ReadonlyArray<Resolution> =>
  resolutions.filter((resolution) => resolve(record, resolution, 5) !== null)

const by = (record: PaymentRecord, resolution: Resolution) => {
  const resolved = resolve(record, resolution, 5)
  return changed(resolved === null ? null : resolved.change).record
}

const unknown = inReview(after(begun, [1, claims.unknown]), "inquiries_exhausted")
const mismatch = after(begun, [1, { kind: "succeeded", amount: money(99) }])
const twice: PaymentRecord = inReview(
  {
    ...paid,
    attempts: [...paid.attempts, attempt(2, { status: "succeeded", surplus: true })],
    operations: [...paid.operations, operation(2, { status: "succeeded", nextCheckAt: null })]
  },
  "duplicate_capture"
)

describe("which word fits", () => {
  const shown = after(begun, [1, claims.pending])
  const table: ReadonlyArray<readonly [string, PaymentRecord, ReadonlyArray<Resolution>]> = [
    ["an unknown payment", unknown, ["succeeded", "not_done"]],
    ["another amount", mismatch, ["succeeded", "given_back"]],
    [
      "another coin, which counts as nothing",
      { ...mismatch, payment: { ...mismatch.payment, amountReceived: 0 } },
      ["not_done", "given_back"]
    ],
    ["money that came twice", twice, ["given_back"]],
    [
      "an unknown refund",
      inReview(after(asked(paid, "r", { kind: "refund" }), ["r", claims.unknown]), "inquiries_exhausted"),
      ["succeeded", "not_done"]
    ],
    [
      "an unknown capture",
      inReview(after(asked(held, "c", { kind: "capture" }), ["c", claims.unknown]), "inquiries_exhausted"),
      ["succeeded", "not_done"]
    ],
    ["a close that was refused", inReview(shown, "close_failed"), ["succeeded", "not_done", "dismissed"]],
    ["a capture that was taken back", inReview(paid, "capture_failed"), ["dismissed"]],
    ["a close that was paid", inReview(paid, "paid_after_close"), ["dismissed"]],
    ["nothing", paid, []]
  ]
  for (const [what, record, words] of table) {
    it(`where ${what} is in question`, () => {
      assert.deepStrictEqual(fits(record), words)
    })
  }

  it("is never to wave away what is unknown, whatever the review is about", () => {
    for (const reason of ["capture_failed", "close_failed", "paid_after_close", "amount_mismatch"] as const) {
      assert.isNull(resolve(inReview(after(begun, [1, claims.unknown]), reason), "dismissed", 5), reason)
    }
  })
})

describe("a review that is dismissed", () => {
  const dismissed = (record: PaymentRecord) => resolve(record, "dismissed", 5)?.change.record.payment ?? null

  it("lets the payment wait again: for its payer if there is a next action, otherwise for its provider", () => {
    const nextAction = { type: "wait", expiresAt: null } as const
    for (const [action, reason] of [
      [nextAction, "awaiting_customer"],
      [null, "processing"]
    ] as const) {
      const pending = after(begun, [1, { kind: "pending", nextAction: action, awaitingFinality: false }])
      const flagged = flagForReview(pending, "close_failed", 2)
      assert.deepInclude(dismissed(changed(flagged).record), {
        review: null,
        state: { status: "pending", reason, nextAction: action }
      })
    }
  })

  it("stays open for a mismatched amount while the money is there, is held, or may still arrive", () => {
    const surplus = inReview(twice, "amount_mismatch")
    const open = inReview(asked(paid, "r", { kind: "refund", status: "pending" }), "amount_mismatch")
    for (const record of [surplus, inReview(held, "amount_mismatch"), mismatch, open]) assert.isNull(dismissed(record))
  })
})

describe("a word", () => {
  it("ends the review and is kept as the operator's", () => {
    for (const [record, words] of [
      [unknown, ["succeeded", "not_done"]],
      [mismatch, ["succeeded", "given_back"]],
      [twice, ["given_back"]],
      [inReview(paid, "capture_failed"), ["dismissed"]]
    ] as ReadonlyArray<readonly [PaymentRecord, ReadonlyArray<Resolution>]>) {
      for (const word of words) {
        assert.isNull(by(record, word).payment.review, word)
        assert.strictEqual(resolve(record, word, 5)?.cause.evidence.source, "operator")
      }
    }
  })

  it("accepts another amount as what arrived", () => {
    assert.strictEqual(by(mismatch, "succeeded").payment.amountCaptured, 99)
  })

  it("leaves a later operation alone that it is not about", () => {
    const both = inReview(
      asked(after(asked(paid, "r", { kind: "refund", minorUnits: 10 }), ["r", claims.unknown]), "q", {
        kind: "refund",
        minorUnits: 20,
        status: "pending"
      }),
      "inquiries_exhausted"
    )
    const record = by(both, "succeeded")
    assert.deepStrictEqual([find(record, "r").status, find(record, "q").status], ["succeeded", "pending"])
    assert.strictEqual(record.payment.amountRefunded, 10)
  })

  it("puts away a mismatch that is over, so that no review stays for ever", () => {
    assert.isNull(by(inReview(paid, "amount_mismatch"), "dismissed").payment.review)
  })
})
