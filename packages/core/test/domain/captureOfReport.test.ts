/** Which capture explains money that is reported of a hold, and which name the charge then has. */
import { assert, describe, it } from "@effect/vitest"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
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
  held,
  operation,
  paid,
  reasons,
  reviewOf,
  taken
} from "./records.ts"

const statuses = (record: PaymentRecord, ...names: ReadonlyArray<string | number>) =>
  names.map((name) => find(record, name).status)

describe("money that is reported of a hold whose captures were called failed", () => {
  const both = (first: number, second: number) =>
    after(
      asked(after(asked(held, "c", { kind: "capture", minorUnits: first }), ["c", claims.notFound]), "d", {
        kind: "capture",
        minorUnits: second
      }),
      ["d", claims.notFound]
    )

  it("is of the capture that it is enough for", () => {
    for (const [record, explaining, other] of [
      [both(60, 40), "d", "c"],
      [both(40, 60), "c", "d"]
    ] as const) {
      const { event, record: reported } = changed(apply(record, 1, taken(40)))
      assert.deepStrictEqual([event, reported.payment.amountCaptured], ["payment.succeeded", 40])
      assert.deepStrictEqual(statuses(reported, explaining, other), ["succeeded", "not_executed"])
    }
  })

  it("is another amount than asked where it is enough for none", () => {
    const { record } = changed(apply(both(60, 50), 1, taken(40)))
    assert.deepStrictEqual([record.payment.state.status, reasons(record)], ["authorized", ["amount_mismatch"]])
  })

  it("is of the one that was not found, where another was refused", () => {
    const refused = after(asked(held, "c", { kind: "capture", minorUnits: 40 }), ["c", claims.declined])
    const record = after(asked(refused, "d", { kind: "capture", minorUnits: 40 }), ["d", claims.notFound])
    const { record: reported } = changed(apply(record, 1, taken(40)))
    assert.deepStrictEqual(
      [reported.payment.amountCaptured, ...statuses(reported, "c", "d")],
      [40, "declined", "succeeded"]
    )
  })

  it("is of no cancel that was refused, and of no capture of another attempt", () => {
    for (const claim of [claims.declined, claims.notFound]) {
      const record = after(asked(held, "x", { kind: "cancel" }), ["x", claim])
      const { event, record: reported } = changed(apply(record, 1, claims.captured))
      assert.deepStrictEqual([event, ...statuses(reported, "x")], ["payment.succeeded", find(record, "x").status])
    }
    const next = { attempt: attempt(2), operation: operation(2) }
    const second = after(begun, [1, claims.declined, { next }], [2, claims.authorized])
    for (const status of ["not_executed", "declined", "canceled"] as const) {
      const record = asked(second, "c", { kind: "capture", attemptSeq: 1, minorUnits: 60, status })
      const { event, record: reported } = changed(apply(record, 2, claims.captured))
      assert.deepStrictEqual([event, reported.payment.amountCaptured], ["payment.succeeded", 100], status)
      assert.deepStrictEqual(statuses(reported, "c"), [status])
    }
  })
})

describe("a charge that the provider's own books show under another reference than was reported", () => {
  const shown = (record: PaymentRecord, minorUnits: number): string | null =>
    find(changed(apply(record, 1, taken(minorUnits), { source: "inquiry", reference: "ch_2" })).record, 1).reference
  const hold = after(begun, [1, claims.authorized, { reference: "ch_1" }])
  const refused = after(asked(hold, "b", { kind: "capture", minorUnits: 80 }), ["b", claims.declined])
  const part = asked(refused, "c", { kind: "capture", minorUnits: 60 })

  it("is the payment's where it is of what was captured as asked", () => {
    const captured = after(part, ["c", taken(60)])
    assert.strictEqual(shown(captured, 60), "ch_2")
    for (const other of [40, 100]) assert.strictEqual(shown(captured, other), "ch_1", String(other))
  })

  it("is the payment's only by the captures that count: none that came too late, and none of another attempt", () => {
    const lost = after(part, ["c", claims.notFound])
    const second = after(asked(lost, "d", { kind: "capture", minorUnits: 40 }), ["d", claims.captured])
    const twice = after(second, ["c", claims.captured])
    assert.deepInclude(find(twice, "c"), { status: "succeeded", isOverpayment: true })
    const other = asked(twice, "e", { kind: "capture", attemptSeq: 2, minorUnits: 7, status: "succeeded" })
    for (const record of [twice, other]) {
      assert.deepStrictEqual([shown(record, 40), shown(record, 99)], ["ch_2", "ch_1"])
    }
  })

  it("is a second one where the first was refunded, or may have been", () => {
    const charged = after(begun, [1, claims.succeeded, { reference: "ch_1" }])
    const refund = asked(charged, "r", { kind: "refund", minorUnits: 30 })
    for (const record of [refund, after(refund, ["r", claims.refundSucceeded])]) {
      const { record: reported } = changed(apply(record, 1, taken(100), { source: "observed", reference: "ch_2" }))
      assert.strictEqual(find(reported, 1).reference, "ch_1")
      assert.deepInclude(reviewOf(reported, "duplicate_capture"), { reference: "ch_2", minorUnits: 100 })
    }
    const failed = after(refund, ["r", claims.declined])
    assert.strictEqual(shown(failed, 100), "ch_2")
  })

  it("is a second one where those books have shown the first", () => {
    const first = { source: "inquiry", reference: "ch_1" } as const
    const sure = after(begun, [1, claims.succeeded, first])
    assert.strictEqual(shown(sure, 100), "ch_1")
    const { record } = changed(apply(sure, 1, claims.succeeded, { source: "inquiry", reference: "ch_2" }))
    assert.deepInclude(reviewOf(record, "duplicate_capture"), { reference: "ch_2", minorUnits: 100 })
  })

  it("is the payment's where they have shown no more than the hold, or another charge", () => {
    const looked = after(begun, [1, claims.authorized, { source: "inquiry", reference: "ch_1" }])
    assert.strictEqual(shown(after(looked, [1, claims.captured, { reference: "ch_1" }]), 100), "ch_2")
    const other = after(
      begun,
      [1, claims.succeeded, { reference: "ch_1" }],
      [1, taken(130), { source: "inquiry", reference: "ch_3" }]
    )
    assert.strictEqual(find(other, 1).reference, "ch_1")
    assert.strictEqual(shown(other, 100), "ch_2")
  })

  it("is the payment's by no report of an operator or of a webhook", () => {
    const named = after(begun, [1, claims.succeeded, { reference: "ch_1" }])
    for (const source of ["reply", "webhook", "return", "operator"] as const) {
      const reported = changed(apply(named, 1, claims.succeeded, { source, reference: "ch_2" })).record
      assert.strictEqual(find(reported, 1).reference, "ch_1", source)
    }
    assert.strictEqual(shown(paid, 100), "ch_2", "a charge without a reference takes the first that is named")
  })
})

describe("a capture that was declined, and that a webhook alone reports as done", () => {
  const hold = after(held, [1, claims.authorized, { reference: "ch_1" }])
  const declined = after(asked(hold, "c", { kind: "capture", minorUnits: 60 }), ["c", claims.declined])
  const reports = [
    ["c", taken(60)],
    ["c", claims.captured],
    ["c", claims.succeeded],
    [1, taken(60)],
    [1, claims.captured],
    [1, claims.succeeded]
  ] as const

  it("is a review of the captured amount, and the payment's own as soon as an operator has found it", () => {
    for (const [name, claim] of reports) {
      const reported = changed(apply(declined, name, claim, { reference: "ch_1", now: 2000 })).record
      assert.deepStrictEqual([reported.payment.state.status, reasons(reported)], ["authorized", ["contradiction"]])
      assert.deepInclude(reviewOf(reported, "contradiction"), { reference: "ch_1", minorUnits: 60 })
      assert.strictEqual(apply(reported, name, claim, { reference: "ch_1", now: 3000 })._tag, "Unchanged")
      const { event, record } = changed(answer(reported, "contradiction", "succeeded"))
      assert.deepStrictEqual([event, record.payment.amountCaptured, reasons(record)], ["payment.succeeded", 60, []])
      assert.strictEqual(find(record, "c").status, "succeeded")
    }
  })

  it("is money that no payment wants, once the hold is canceled", () => {
    for (const [name, claim] of reports) {
      const reported = changed(apply(declined, name, claim, { reference: "ch_1" })).record
      const { record } = changed(apply(reported, 1, claims.canceled, { now: 2000 }))
      assert.deepInclude(reviewOf(record, "late_success"), { reference: "ch_1", minorUnits: 60 })
    }
  })
})
