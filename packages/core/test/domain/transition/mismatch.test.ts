/** Which amount a review names, where several reports of another amount than asked contradict each other. */
import { assert, describe, it } from "@effect/vitest"
import type { Attempt } from "../../../src/domain/Attempt.ts"
import { chargesOf, overpayment } from "../../../src/domain/books/balance.ts"
import type { PaymentRecord } from "../../../src/domain/Payment.ts"
import type { EvidenceSource } from "../../../src/domain/Evidence.ts"
import { after, answer, apply, asked, begun, changed, find, money, reviewOf, step } from "../records.ts"
import type { Report } from "../records.ts"

const report = (minorUnits: number, source: EvidenceSource, over: Report = {}) =>
  [1, { _tag: "Succeeded", amount: money(minorUnits) }, { source, reference: "ch_1", ...over }] as const

const shown = ({ payment }: PaymentRecord) => [
  payment.amountReceived,
  ...payment.reviews.map(({ minorUnits, reason }) => `${reason} ${minorUnits}`)
]

const attemptOf = ({ attempts: [attempt] }: PaymentRecord): Attempt => {
  if (attempt === undefined) return assert.fail("it has an attempt")
  return attempt
}

describe("an amount that the provider's own books show", () => {
  const books = after(begun, report(101, "inquiry"))

  it("stays in the review, whatever is reported after it: the provider is asked again", () => {
    for (const amount of [201, 99, 40]) {
      const record = after(books, report(amount, "webhook", { canInquire: true }))
      assert.deepStrictEqual(shown(record), [101, "amount_mismatch 101"])
      assert.strictEqual(find(record, 1).nextCheckAt, step.now)
      const again = after(record, report(101, "inquiry"))
      assert.deepStrictEqual(shown(again), [101, "amount_mismatch 101"])
      assert.isNull(find(again, 1).nextCheckAt)
    }
  })

  it("stays beside another one that was only reported, where the provider cannot be asked", () => {
    for (const amount of [201, 99]) {
      assert.deepStrictEqual(shown(after(books, report(amount, "webhook", { now: 2000 }))), [
        101,
        "amount_mismatch 101",
        `contradiction ${amount}`
      ])
    }
  })

  it("takes the place of any amount that was only reported, and ends its contradictions", () => {
    for (const amount of [201, 40]) {
      assert.deepStrictEqual(shown(after(begun, report(amount, "webhook"), report(101, "inquiry"))), [
        101,
        "amount_mismatch 101"
      ])
    }
    const contradicted = after(begun, report(150, "webhook"), report(201, "webhook"))
    assert.deepStrictEqual(shown(after(contradicted, report(101, "inquiry"))), [101, "amount_mismatch 101"])
  })

  it("grows, and does not shrink", () => {
    assert.deepStrictEqual(shown(after(books, report(120, "observed"))), [120, "amount_mismatch 120"])
    assert.deepStrictEqual(shown(after(books, report(60, "observed"))), [101, "amount_mismatch 101"])
  })
})

describe("amounts that were only reported, and contradict each other", () => {
  it("have a review each, in any order", () => {
    assert.deepStrictEqual(shown(after(begun, report(101, "reply"), report(201, "webhook"))), [
      101,
      "amount_mismatch 101",
      "contradiction 201"
    ])
    assert.deepStrictEqual(shown(after(begun, report(201, "webhook"), report(101, "webhook"))), [
      201,
      "amount_mismatch 201",
      "contradiction 101"
    ])
  })

  it("are parts of one transfer while they are less than what was asked: the largest counts", () => {
    const parts = after(begun, report(20, "webhook"), report(60, "webhook"))
    assert.deepStrictEqual(shown(parts), [60, "amount_mismatch 60"])
    assert.strictEqual(apply(parts, ...report(60, "webhook"))._tag, "Unchanged")
    assert.deepStrictEqual(shown(after(parts, report(40, "webhook"))), [60, "amount_mismatch 60"])
  })

  it("are over with an operator's answer about the amount", () => {
    const both = after(begun, report(101, "reply"), report(201, "webhook"))
    const record = changed(answer(both, "amount_mismatch", "succeeded")).record
    assert.strictEqual(record.payment.state.status, "succeeded")
    assert.notInclude(shown(record).join(), "contradiction")
    // No review shows another amount any longer; the excess is an overpayment.
    assert.deepInclude(record.payment, { amountReceived: null, amountCaptured: 100 })
    assert.deepInclude(reviewOf(both, "contradiction"), { reference: "ch_1", minorUnits: 201 })
  })
})

it("a refund of another amount than requested is in review, and is not an amount received", () => {
  const paid = after(begun, [1, { _tag: "Succeeded" }])
  const refund = asked(paid, "r", { kind: "refund", minorUnits: 60 })
  const record = after(refund, ["r", { _tag: "Succeeded", amount: money(40) }])
  assert.deepStrictEqual(shown(record), [null, "amount_mismatch 40"])
})

describe("a second charge", () => {
  it("of the same other amount has a review of its own", () => {
    const second = after(begun, report(60, "webhook"), report(60, "webhook", { reference: "ch_2" }))
    assert.deepStrictEqual(shown(second), [60, "amount_mismatch 60", "duplicate_capture 60"])
    assert.deepInclude(reviewOf(second, "duplicate_capture"), { reference: "ch_2" })
  })

  it("is named with the requested amount, or with what an inquiry shows, if reports contradict each other", () => {
    const duplicate = (minorUnits: number, source: EvidenceSource) =>
      report(minorUnits, source, { reference: "ch_2", lateSuccess: "reverse" })
    const own = report(100, "reply")
    for (const reports of [
      [duplicate(101, "webhook"), duplicate(100, "webhook")],
      [duplicate(100, "webhook"), duplicate(101, "webhook")]
    ]) {
      assert.deepStrictEqual(shown(after(begun, own, ...reports)), [null, "duplicate_capture 100"])
    }
    const confirmed = after(begun, own, duplicate(150, "webhook"), duplicate(120, "observed"))
    assert.strictEqual(overpayment(confirmed), 120)
  })
})

it("a hold is named with the requested amount, or with what an inquiry shows, if reports contradict each other", () => {
  const hold = (minorUnits: number, source: EvidenceSource) =>
    [1, { _tag: "Authorized", amount: money(minorUnits) }, { source, reference: "h_1" }] as const
  const declined = after(begun, [1, { _tag: "Declined", code: "do_not_honor", retry: "never" }])
  const late = after(declined, hold(101, "webhook"), hold(100, "webhook"))
  assert.deepInclude(chargesOf(late, attemptOf(late))[0], { held: 100 })
  const confirmed = after(declined, hold(130, "webhook"), hold(120, "inquiry"))
  assert.deepInclude(chargesOf(confirmed, attemptOf(confirmed))[0], { held: 120 })
})
