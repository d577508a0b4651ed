/** An excess that was returned more than once: by an operator, by the engine, at the provider, or by several of them. */
import { assert, describe, it } from "@effect/vitest"
import { overpayment } from "../../src/domain/books/balance.ts"
import { dueReversals, needlessReversals } from "../../src/domain/books/reversal.ts"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import { resolve } from "../../src/domain/books/resolve.ts"
import {
  after,
  answer,
  apply,
  asked,
  changed,
  claims,
  failed,
  find,
  givenBack,
  paid,
  reviewOf,
  taken
} from "./records.ts"

const reverse = { lateSuccess: "reverse", reference: "ch_1" } as const
const late = after(failed, [1, taken(100), reverse], [1, taken(100), { ...reverse, source: "inquiry" }])
const reversing = asked(late, "v", { kind: "refund", purpose: "reversal", createdAt: 500 })
const refused = after(reversing, ["v", claims.declined])
const outside = (minorUnits: number, reference: string | null) => [1, givenBack(minorUnits), { reference }] as const
const done = ["v", givenBack(100), { reference: "re_v", source: "inquiry" }] as const
const stated = (record: PaymentRecord) => changed(answer(record, "late_success", "given_back")).record

const shown = (record: PaymentRecord) => [
  overpayment(record),
  ...record.payment.reviews.map(
    ({ minorUnits, operationId, provider, reason, reference }) =>
      `${reason} ${provider} ${reference} ${minorUnits}${operationId === null ? "" : ` ${operationId}`}`
  )
]

const dismissed = (record: PaymentRecord, reference: string): PaymentRecord => {
  const review = record.payment.reviews.find((each) => each.reference === reference) ?? assert.fail(reference)
  return changed(
    resolve(record, review, { resolution: "dismissed" }, { now: 3000, lateSuccess: "succeed" })?.change ?? null
  ).record
}

describe("an excess that an operator returned", () => {
  it("and the engine, too, whose refund had been refused: the engine's refund is in review", () => {
    assert.deepStrictEqual(shown(stated(refused)), [0])
    assert.deepStrictEqual(shown(after(stated(refused), done)), [0, "excess_refund p1 re_v 100 op_v"])
  })

  it("and the engine, too, whose refund an operator had stated as not done", () => {
    const lost = after(
      reversing,
      ["v", claims.unknown],
      ["v", claims.notExecuted, { source: "operator", retryAt: null }]
    )
    const record = after(stated(lost), ["v", givenBack(100), { reference: "re_v" }])
    assert.deepStrictEqual(shown(record), [0, "excess_refund p1 re_v 100 op_v"])
  })

  it("and the engine, and that was refunded at the provider, is a review for each return beyond it", () => {
    const twice = after(stated(refused), done)
    assert.deepStrictEqual(shown(after(twice, outside(100, "re_1"))), shown(twice), "it may be the operator's refund")
    const thrice = after(twice, outside(100, "re_1"), outside(100, "re_2"))
    assert.deepStrictEqual(shown(thrice), [0, "excess_refund p1 re_2 100", "excess_refund p1 re_v 100 op_v"])
    assert.deepStrictEqual(shown(dismissed(thrice, "re_v")), [0, "excess_refund p1 re_2 100"])
    assert.deepStrictEqual(shown(dismissed(dismissed(thrice, "re_v"), "re_2")), [0])
  })

  it("is no review once the payer's bank returned the engine's refund", () => {
    const record = after(stated(refused), done, ["v", claims.refundFailed])
    assert.deepStrictEqual(shown(record), [0])
  })
})

describe("an excess that was refunded at the provider", () => {
  it("and by the engine is in review by its own reference, in any order", () => {
    const review = [0, "excess_refund p1 re_1 100"]
    const sent = after(reversing, ["v", claims.unknown])
    assert.deepStrictEqual(shown(after(reversing, done, outside(100, "re_1"))), review)
    assert.deepStrictEqual(shown(after(sent, outside(100, "re_1"), done)), review)
  })

  it("several times is a review for each of them, and the answer to one hides no other", () => {
    const record = after(reversing, done, outside(40, "re_1"), outside(40, "re_2"), outside(40, "re_3"))
    const each = ["re_1", "re_2", "re_3"].map((reference) => `excess_refund p1 ${reference} 40`)
    assert.deepStrictEqual(shown(record), [0, ...each])
    const answered = dismissed(dismissed(record, "re_1"), "re_2")
    assert.deepStrictEqual(shown(answered), [0, each[2]])
    const more = after(dismissed(answered, "re_3"), outside(40, "re_4"))
    assert.deepStrictEqual(shown(more), [0, "excess_refund p1 re_4 40"])
    assert.strictEqual(apply(more, 1, givenBack(40), { reference: "re_1" })._tag, "Unchanged", "a repeat")
  })

  it("before the engine sent its own refund is not returned again", () => {
    const planned = asked(late, "v", { kind: "refund", purpose: "reversal", status: "planned", createdAt: 500 })
    const needless = (record: PaymentRecord) => needlessReversals(record).map(({ id }) => id)
    assert.deepStrictEqual(needless(planned), [])
    for (const minorUnits of [100, 40]) {
      const record = after(planned, outside(minorUnits, "re_1"))
      assert.deepStrictEqual([shown(record), needless(record)], [[100 - minorUnits], ["op_v"]])
      assert.deepStrictEqual(dueReversals(record), [])
    }
    // Its first send may have been executed, although it was not found.
    const again = after(asked(late, "v", { ...find(planned, "v"), unsettled: true }), outside(100, "re_1"))
    assert.deepStrictEqual([shown(again), needless(again)], [[100], []])
  })

  it("of another amount than a refund of ours is never taken for it", () => {
    const refunding = asked(paid, "r", { kind: "refund", minorUnits: 60, createdAt: 500 })
    const record = after(refunding, outside(30, "re_1"))
    assert.deepStrictEqual(shown(record), [0, "excess_refund p1 re_1 30"])
    const both = after(refunding, outside(60, "re_1"), outside(10, "re_2"))
    assert.deepStrictEqual(shown(both), [0, "excess_refund p1 re_2 10"])
  })

  it("before a refund of ours was requested is not explained by it", () => {
    const before = after(paid, outside(60, "re_1"))
    const refunding = asked(before, "r", { kind: "refund", minorUnits: 60, createdAt: 5000 })
    const record = after(refunding, [1, givenBack(10), { reference: "re_2", now: 6000 }])
    assert.deepStrictEqual(shown(record), [0, "excess_refund p1 re_1 60", "excess_refund p1 re_2 10"])
  })

  it("is in review with what it is more than the excess", () => {
    assert.deepInclude(reviewOf(after(late, outside(130, "re_1")), "excess_refund"), { minorUnits: 30 })
  })
})
