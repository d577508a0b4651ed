import { assert, describe, it } from "@effect/vitest"
import type { Operation } from "../../src/domain/Operation.ts"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import { resolve } from "../../src/domain/review.ts"
import { transition } from "../../src/domain/transition.ts"
import type { EvidenceClaim } from "../../src/provider/Evidence.ts"
import { after, apply, asked, begun, changed, claims, evidence, find, paid, step } from "./records.ts"

const final = { cancelIsFinal: true }
const shown = after(begun, [1, claims.pending])
const succeeded: EvidenceClaim = { kind: "succeeded", amount: null }
const authorized: EvidenceClaim = { kind: "authorized", amount: null }

/** Ends of an attempt that its provider canceled: by its own word, at the merchant's wish, and when the payer's time was over. */
const ends: ReadonlyArray<readonly [string, PaymentRecord]> = [
  ["by the provider's own word", after(shown, [1, { kind: "canceled" }])],
  ["as the merchant asked", after(asked(shown, "c", { kind: "cancel" }), ["c", claims.succeeded])],
  ["for expiry", after(asked(shown, "c", { kind: "cancel", purpose: "expiry" }), ["c", claims.succeeded])]
]

describe("a success after a cancel that the provider confirmed", () => {
  for (const [how, canceled] of ends) {
    it(`is a review where a cancel is final: nothing succeeds and nothing is sent back (${how})`, () => {
      const reversal: Operation = { ...find(begun, 1), kind: "refund", purpose: "reversal" }
      const { event, record } = changed(apply(canceled, 1, succeeded, { ...final, reversal }))
      assert.deepStrictEqual(record.payment.review, { reason: "contradiction" })
      assert.deepStrictEqual(
        [record.payment.state, record.attempts, record.operations],
        [canceled.payment.state, canceled.attempts, canceled.operations]
      )
      assert.isNull(event)
      assert.strictEqual(apply(record, 1, succeeded, final)._tag, "Unchanged", "told again")
    })

    it(`is late money where it is not (${how})`, () => {
      assert.strictEqual(changed(apply(canceled, 1, succeeded)).record.attempts[0]?.status, "succeeded")
    })

    it(`a hold that is told then is an old word (${how})`, () => {
      assert.strictEqual(apply(canceled, 1, authorized, final)._tag, "Unchanged")
    })

    it(`an operator who finds the money says so (${how})`, () => {
      const { record } = changed(apply(canceled, 1, succeeded, final))
      const found = resolve(record, "succeeded", 2000)?.change.record
      assert.strictEqual(found?.attempts[0]?.status, "succeeded")
      // Of a payment that was canceled it has to be given back, which is the next question.
      const isCanceled = canceled.payment.state.status === "canceled"
      assert.deepStrictEqual(found?.payment.review, isCanceled ? { reason: "late_success" } : null)
      assert.strictEqual(found?.payment.state.status, isCanceled ? "canceled" : "succeeded")
      assert.isNull(resolve(record, "dismissed", 2000)?.change.record.payment.review)
    })
  }

  it("an attempt that was not canceled succeeds late, whatever its provider declares", () => {
    const declined = after(begun, [1, claims.declined])
    assert.deepStrictEqual(changed(apply(declined, 1, succeeded, final)).record.payment.state, {
      status: "succeeded",
      late: true
    })
  })
})

describe("a second success", () => {
  const told = (reference: string | null) => (record: PaymentRecord) => {
    const create = find(record, 1)
    return transition(record, create, { ...evidence(create.id, succeeded), reference }, step)
  }
  const named = changed(told("pi_1")(begun)).record

  it("under another name is a second payment: an operator looks, once", () => {
    const { event, record } = changed(told("pi_2")(named))
    assert.deepStrictEqual(record.payment.review, { reason: "duplicate_capture" })
    assert.strictEqual(find(record, 1).reference, "pi_1")
    assert.strictEqual(record.payment.amountCaptured, 100)
    assert.isNull(event)
    assert.strictEqual(told("pi_2")(record)._tag, "Unchanged")
    assert.isNull(resolve(record, "dismissed", 2000)?.change.record.payment.review)
  })

  it("under the same name, or none, is the same word again", () => {
    for (const reference of ["pi_1", null]) assert.strictEqual(told(reference)(named)._tag, "Unchanged")
    assert.strictEqual(told("pi_2")(paid)._tag, "Unchanged", "the first had no name")
  })
})
