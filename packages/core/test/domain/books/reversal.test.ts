/** What is refunded or released without a request, and when. */
import { assert, describe, it } from "@effect/vitest"
import type { PaymentRecord } from "../../../src/domain/Payment.ts"
import { overpayment } from "../../../src/domain/books/balance.ts"
import {
  dueReversals,
  isUnconfirmed,
  needlessReversals,
  unconfirmedCharges
} from "../../../src/domain/books/reversal.ts"
import { isMismatchUnconfirmed } from "../../../src/domain/books/reviews.ts"
import {
  after,
  asked,
  attempt,
  begun,
  claims,
  failed,
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

const confirmed = { source: "inquiry" } as const
const reverse = { lateSuccess: "reverse" } as const
const due = (record: PaymentRecord): ReadonlyArray<string> =>
  dueReversals(record).map(({ attempt, kind, minorUnits }) => `${attempt.seq} ${kind} ${minorUnits}`)
const unconfirmed = (record: PaymentRecord): ReadonlyArray<number> =>
  record.attempts.filter((each) => isUnconfirmed(record, each)).map(({ seq }) => seq)

const late = after(failed, [1, claims.succeeded, reverse])
const sure = after(late, [1, claims.succeeded, { ...reverse, ...confirmed }])

describe("an excess", () => {
  it("is given back once the provider confirms it, and stands in a review until then", () => {
    assert.deepStrictEqual([due(late), unconfirmed(late), reasons(late)], [[], [1], ["late_success"]])
    assert.deepInclude(reviewOf(late, "late_success"), { minorUnits: 100, provider: "p1" })
    for (const source of ["inquiry", "observed", "operator"] as const) {
      const record = after(late, [1, claims.succeeded, { ...reverse, source }])
      assert.deepStrictEqual([due(record), unconfirmed(record)], [["1 refund 100"], []], source)
    }
  })

  it("is confirmed as far as the provider's own books go", () => {
    const partial = asked(held, "c", { kind: "capture", minorUnits: 60 })
    const reported = after(partial, ["c", taken(80)])
    assert.deepStrictEqual([due(reported), unconfirmed(reported)], [[], [1]])
    assert.deepStrictEqual(due(after(reported, [1, taken(70), confirmed])), ["1 refund 10"])
    assert.deepStrictEqual(due(after(reported, [1, taken(80), confirmed])), ["1 refund 20"])
  })

  it("is planned once: not while it is on its way, and not again after it failed", () => {
    const planned = asked(sure, "v", { kind: "refund", purpose: "reversal", status: "planned" })
    assert.deepStrictEqual([due(planned), unconfirmed(planned)], [[], []])
    const refused = after(planned, ["v", claims.declined])
    assert.deepStrictEqual([due(refused), reasons(refused)], [[], ["late_success"]])
    assert.deepStrictEqual(due(after(planned, ["v", claims.succeeded])), [])
  })

  it("is none where the payment wants the money, or nothing is decided", () => {
    for (const record of [begun, paid, held, failed])
      assert.deepStrictEqual([due(record), unconfirmed(record)], [[], []])
  })

  it("under another reference is given back under that reference, where its amount is the payment's", () => {
    const reported = (charge: string, amount: number, source: "webhook" | "inquiry") =>
      [1, taken(amount), { reference: charge, source }] as const
    const once = after(begun, reported("ch_1", 100, "inquiry"))
    const twice = after(once, reported("ch_2", 100, "webhook"))
    const [attempt] = twice.attempts
    assert.deepStrictEqual(
      [due(twice), attempt && unconfirmedCharges(twice, attempt), reasons(twice)],
      [[], ["ch_2"], ["duplicate_capture"]],
      "the own charge is shown"
    )
    const thrice = after(
      twice,
      reported("ch_2", 100, "inquiry"),
      reported("ch_3", 100, "inquiry"),
      reported("ch_other", 90, "inquiry")
    )
    assert.deepStrictEqual(
      dueReversals(thrice).map(({ charge, kind, minorUnits }) => [charge, kind, minorUnits]),
      [
        ["ch_2", "refund", 100],
        ["ch_3", "refund", 100]
      ]
    )
    const second = asked(thrice, "v", { kind: "refund", purpose: "reversal", charge: "ch_2", status: "planned" })
    assert.deepStrictEqual(
      dueReversals(second).map(({ charge }) => charge),
      ["ch_3"]
    )
    const done = after(second, ["v", claims.succeeded])
    assert.deepStrictEqual(
      [overpayment(done), done.payment.reviews.map(({ minorUnits, reference }) => [reference, minorUnits])],
      [
        190,
        [
          ["ch_3", 100],
          ["ch_other", 90]
        ]
      ]
    )
    assert.strictEqual(done.payment.amountRefunded, 0)
  })

  it("that is refunded by the engine never becomes the charge of a payment that an operator found paid", () => {
    const found = after(begun, [1, claims.succeeded, { source: "operator" }])
    const reversed = asked(found, "v", { kind: "refund", purpose: "reversal", charge: "ch_2" })
    const again = (record: PaymentRecord) => after(record, [1, taken(100), { reference: "ch_2", source: "webhook" }])
    assert.strictEqual(again(found).operations[0]?.reference, "ch_2")
    assert.notStrictEqual(again(reversed).operations[0]?.reference, "ch_2")
  })

  it("under another reference is not given back while the payment is disputed, also if that was planned", () => {
    const twice = after(
      begun,
      [1, taken(100), { reference: "ch_1", source: "inquiry" }],
      [1, taken(100), { reference: "ch_2", source: "inquiry" }]
    )
    const planned = asked(twice, "v", { kind: "refund", purpose: "reversal", charge: "ch_2", status: "planned" })
    assert.deepStrictEqual(needlessReversals(planned), [])
    const disputed = after(planned, [1, { _tag: "Disputed", amount: money(100) }])
    assert.deepStrictEqual(
      needlessReversals(disputed).map(({ charge }) => charge),
      ["ch_2"]
    )
    assert.deepStrictEqual(dueReversals(after(twice, [1, { _tag: "Disputed", amount: money(100) }])), [])
  })

  it("under another reference is not given back while it may have been, or may be what paid the payment", () => {
    const twice = after(
      begun,
      [1, taken(100), { reference: "ch_1", source: "inquiry" }],
      [1, taken(100), { reference: "ch_2", source: "inquiry" }]
    )
    assert.lengthOf(dueReversals(twice), 1)
    const outside = { _tag: "RefundSucceeded", amount: money(100), reference: "re_dashboard" } as const
    for (const record of [after(twice, [1, outside, { source: "webhook" }]), inReview(twice, "capture_failed", 1)]) {
      const [attempt] = record.attempts
      assert.deepStrictEqual([dueReversals(record), attempt && unconfirmedCharges(record, attempt)], [[], []])
    }
  })

  it("of each attempt is given back at its own provider", () => {
    const next = { attempt: attempt(2), operation: operation(2) }
    const both = after(
      begun,
      [1, claims.declined, { next }],
      [2, claims.succeeded, confirmed],
      [1, claims.succeeded, confirmed]
    )
    assert.deepStrictEqual(due(both), ["1 refund 100"])
  })
})

describe("more than was asked on a chain", () => {
  const method = { rail: "stablecoin", asset: null, network: null } as const
  const onChain: PaymentRecord = { ...begun, payment: { ...begun.payment, method } }
  const more = after(onChain, [1, taken(130)])

  it("is inquired about until the chain itself shows what arrived, and is never given back", () => {
    assert.deepStrictEqual([due(more), unconfirmed(more), reasons(more)], [[], [1], []])
    const shown = after(more, [1, taken(130), confirmed])
    assert.deepStrictEqual([due(shown), unconfirmed(shown), reasons(shown)], [[], [], []])
  })

  it("is not confirmed by a refund that the chain shows", () => {
    const refunded = after(asked(more, "r", { kind: "refund" }), ["r", claims.refundSucceeded, confirmed])
    assert.deepStrictEqual(unconfirmed(refunded), [1])
  })

  it("is nothing to inquire about where exactly that arrived, or where the payment does not succeed by it", () => {
    assert.deepStrictEqual(unconfirmed(after(onChain, [1, taken(100)])), [])
    assert.deepStrictEqual(unconfirmed(after(onChain, [1, taken(60)])), [])
    const late = after(after(onChain, [1, claims.declined]), [1, taken(130), reverse])
    const reversing = asked(late, "v", { kind: "refund", purpose: "reversal", minorUnits: 130 })
    assert.deepStrictEqual([unconfirmed(late), unconfirmed(reversing)], [[1], []])
    const canceled = after(onChain, [1, claims.canceled], [1, taken(130), { cancelIsFinal: true }])
    const returning = asked(canceled, "v", { kind: "refund", purpose: "reversal", minorUnits: 130 })
    assert.deepStrictEqual([unconfirmed(canceled), unconfirmed(returning)], [[1], []])
  })
})

describe("another amount than was asked", () => {
  const unsure = (record: PaymentRecord): ReadonlyArray<number> =>
    record.attempts.filter((each) => isMismatchUnconfirmed(record, each)).map(({ seq }) => seq)
  const other = after(begun, [1, taken(130), { reference: "ch_1" }])

  it("is inquired about until the provider's own books show money or a hold of its attempt", () => {
    assert.deepStrictEqual([reasons(other), unsure(other)], [["amount_mismatch"], [1]])
    assert.deepStrictEqual(unsure(after(other, [1, taken(130), { ...confirmed, reference: "ch_1" }])), [])
    const hold = after(begun, [1, { _tag: "Authorized", amount: money(130) }])
    assert.deepStrictEqual([reasons(hold), unsure(hold)], [["amount_mismatch"], [1]])
    assert.deepStrictEqual(unsure(after(hold, [1, { _tag: "Authorized", amount: money(130) }, confirmed])), [])
  })

  it("is not confirmed by what the books show of another attempt, or of money that was given back", () => {
    const next = { attempt: attempt(2), operation: operation(2) }
    const failedOver = after(begun, [1, claims.declined, { next }], [2, taken(130)], [1, claims.succeeded, confirmed])
    assert.deepStrictEqual(unsure(failedOver), [2])
    assert.deepStrictEqual(unsure(after(other, [1, givenBack(30), confirmed])), [1])
  })

  it("is nothing to inquire about without that question", () => {
    for (const record of [begun, paid, held, failed, late]) assert.deepStrictEqual(unsure(record), [])
  })
})

describe("a hold that no payment wants", () => {
  const reported = after(failed, [1, claims.authorized])
  const hold = after(reported, [1, claims.authorized, confirmed])

  it("is a hold, and no money, where another amount was reported than was asked", () => {
    const other = after(failed, [1, { _tag: "Authorized", amount: money(130) }, { reference: "h_1" }])
    assert.deepInclude(other.attempts[0], { status: "authorized", isOverpayment: true })
    assert.deepStrictEqual([unconfirmed(other), reasons(other)], [[1], ["amount_mismatch", "late_authorization"]])
    const shown = after(other, [1, { _tag: "Authorized", amount: money(100) }, { ...confirmed, reference: "h_1" }])
    assert.deepStrictEqual(due(shown), ["1 cancel 100"])
    const planned = asked(shown, "v", { kind: "cancel", purpose: "reversal", status: "planned" })
    const released = after(planned, ["v", claims.canceled])
    assert.deepStrictEqual([released.attempts[0]?.status, reasons(released)], ["canceled", []])
  })

  it("is released once it is confirmed, once", () => {
    assert.deepStrictEqual([due(reported), unconfirmed(reported), reasons(reported)], [[], [1], ["late_authorization"]])
    assert.deepStrictEqual(due(hold), ["1 cancel 100"])
    const planned = asked(hold, "v", { kind: "cancel", purpose: "reversal", status: "planned" })
    assert.deepStrictEqual(due(planned), [])
    const refused = after(planned, ["v", claims.declined])
    assert.deepStrictEqual([due(refused), reasons(refused)], [[], ["late_authorization"]])
    assert.deepStrictEqual(reasons(after(planned, ["v", claims.canceled])), [])
  })

  it("is none where a payment waits for it, or has captured a part of it", () => {
    const part = after(asked(held, "c", { kind: "capture", minorUnits: 60 }), ["c", taken(60), confirmed])
    for (const record of [held, part]) assert.deepStrictEqual([due(record), reasons(record)], [[], []])
  })
})
