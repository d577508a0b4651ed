/** What the books of a payment show in one summary. */
import { assert, describe, it } from "@effect/vitest"
import { paymentBalance } from "../../../src/domain/books/paymentBalance.ts"
import { after, asked, begun, claims, givenBack, taken } from "../records.ts"

describe("the balance of a payment", () => {
  it("shows a hold until it is captured", () => {
    const hold = after(begun, [1, claims.authorized, { reference: "ch_1" }])
    const { amount } = hold.payment
    assert.deepInclude(paymentBalance(hold), { captured: 0, held: amount.minorUnits, overpaid: 0, refunded: 0 })
    const captured = after(hold, [1, claims.succeeded, { reference: "ch_1" }])
    assert.deepInclude(paymentBalance(captured), { captured: amount.minorUnits, held: 0, overpaid: 0 })
  })

  it("shows a second hold beside money that was captured", () => {
    const paid = after(begun, [1, claims.succeeded, { reference: "ch_1" }])
    const twice = after(paid, [1, claims.authorized, { reference: "ch_2" }])
    const { amount } = paid.payment
    assert.deepInclude(paymentBalance(twice), { captured: amount.minorUnits, held: amount.minorUnits })
  })

  it("shows refunds made elsewhere, but not refunds of an excess", () => {
    const paid = after(begun, [1, claims.succeeded, { reference: "ch_1" }])
    const refunded = after(paid, [1, givenBack(30), { reference: "re_1" }])
    assert.deepInclude(paymentBalance(refunded), { refundedElsewhere: 30, overpaid: 0 })
    const hold = after(begun, [1, claims.authorized, { reference: "ch_1" }])
    const captured = after(asked(hold, "c", { kind: "capture", minorUnits: 60 }), ["c", taken(80)])
    const returned = after(captured, [1, givenBack(20), { reference: "re_1" }])
    assert.deepInclude(paymentBalance(returned), { captured: 60, refundedElsewhere: 0, overpaid: 0 })
    const both = after(returned, [1, givenBack(10), { reference: "re_2" }])
    assert.deepInclude(paymentBalance(both), { refundedElsewhere: 10, overpaid: 0 })
  })
})
