import { assert, describe, it } from "@effect/vitest"
import { after, apply, asked, begun, changed, claims, find, held, paid } from "./records.ts"

describe("an expiry", () => {
  it("lets go of what is canceled", () => {
    const { event, record } = changed(apply(asked(held, "x", { kind: "cancel" }), "x", claims.expired))
    assert.strictEqual(event, "payment.canceled")
    assert.strictEqual(find(record, "x").status, "succeeded")
  })

  it("moves no money: a capture and a refund stay as they are", () => {
    for (const record of [asked(held, "o", { kind: "capture" }), asked(paid, "o", { kind: "refund" })]) {
      assert.deepStrictEqual(apply(record, "o", claims.expired), { _tag: "Unchanged", because: "not_applicable" })
    }
  })
})

describe("a cancel that was recorded as not executed", () => {
  const notFound = after(asked(held, "x", { kind: "cancel" }), ["x", claims.notFound])

  it("is done once the provider reports it as canceled, and not before", () => {
    for (const claim of [claims.pending, claims.unknown, claims.notExecuted, claims.declined]) {
      assert.strictEqual(apply(notFound, "x", claim)._tag, "Unchanged", claim._tag)
    }
    assert.strictEqual(changed(apply(notFound, "x", claims.canceled)).event, "payment.canceled")
  })
})

describe("evidence without effect", () => {
  it("says why: duplicate, out of order, or not applicable", () => {
    const repeat = apply(after(begun, [1, claims.pending]), 1, claims.pending)
    assert.deepStrictEqual(repeat, { _tag: "Unchanged", because: "duplicate" })
    assert.deepStrictEqual(apply(paid, 1, claims.pending), { _tag: "Unchanged", because: "out_of_order" })
    assert.deepStrictEqual(apply(begun, 1, claims.refundFailed), { _tag: "Unchanged", because: "not_applicable" })
  })

  it("is a duplicate if it repeats the success of an operation, and otherwise out of order", () => {
    const refunded = after(asked(paid, "r", { kind: "refund" }), ["r", claims.refundSucceeded])
    for (const [claim, because] of [
      [claims.succeeded, "duplicate"],
      [claims.refundSucceeded, "duplicate"],
      [claims.refundPending, "out_of_order"],
      [claims.unknown, "out_of_order"],
      [claims.declined, "out_of_order"]
    ] as const) {
      assert.deepStrictEqual(apply(refunded, "r", claim), { _tag: "Unchanged", because }, claim._tag)
    }
  })
})
