/** A refund that an operator stated and that its provider reports, too, is one refund. */
import { assert, describe, it } from "@effect/vitest"
import { chargesOf, overpayment } from "../../../src/domain/books/balance.ts"
import type { PaymentRecord } from "../../../src/domain/Payment.ts"
import { after, answer, begun, changed, claims, failed, givenBack, taken } from "../records.ts"

const refund = (minorUnits: number, reference: string) => [1, givenBack(minorUnits), { reference }] as const

const shown = (record: PaymentRecord) => [
  overpayment(record),
  ...record.payment.reviews.map(({ minorUnits, reason, reference }) => `${reason} ${reference} ${minorUnits}`)
]

describe("a refund of a second charge", () => {
  const both = after(begun, [1, claims.succeeded, { reference: "ch_1" }], [1, claims.succeeded, { reference: "ch_2" }])
  const stated = (record: PaymentRecord) => changed(answer(record, "duplicate_capture", "given_back")).record

  it("counts once, whether the operator or the provider reports it first", () => {
    assert.deepStrictEqual(shown(both), [100, "duplicate_capture ch_2 100"])
    assert.deepStrictEqual(shown(after(stated(both), refund(100, "re_1"))), [0])
    const reported = after(both, refund(100, "re_1"))
    assert.deepStrictEqual(shown(reported), [100, "duplicate_capture ch_2 100", "excess_refund re_1 100"])
    assert.deepStrictEqual(shown(stated(reported)), [0])
  })

  it("explains no refund beyond it", () => {
    const more = after(stated(both), refund(100, "re_1"), refund(30, "re_2"))
    assert.deepStrictEqual(shown(more), [0, "excess_refund re_2 30"])
  })
})

describe("a refund of late money", () => {
  const late = after(failed, [1, taken(100), { reference: "ch_1", lateSuccess: "reverse" }])
  const stated = (record: PaymentRecord) => changed(answer(record, "late_success", "given_back")).record

  it("counts once: what is captured afterwards is still too much", () => {
    const returned = after(stated(late), refund(100, "re_1"))
    assert.deepStrictEqual(shown(returned), [0])
    const [charge] = chargesOf(returned, returned.attempts[0] ?? begun.attempts[0] ?? assert.fail())
    assert.strictEqual(charge?.returned, 100)
    const more = after(returned, [1, taken(150), { reference: "ch_1", source: "inquiry" }])
    assert.deepStrictEqual(shown(more), [50, "late_success ch_1 50"])
  })

  it("in two parts, of which the provider reported the first before, counts each part once", () => {
    const part = after(late, refund(40, "re_1"))
    assert.deepStrictEqual(shown(part), [60, "late_success ch_1 60"])
    assert.deepStrictEqual(shown(stated(part)), [0])
    const reported = after(stated(part), refund(60, "re_2"))
    assert.deepStrictEqual(shown(reported), [0])
    assert.deepStrictEqual(shown(after(reported, refund(25, "re_3"))), [0, "excess_refund re_3 25"])
  })
})
