/** Which state of a payment a database shows that went back to an earlier moment, and which one that went another way since. */
import { assert, describe, it } from "@effect/vitest"
import { isEarlier } from "../../../src/execution/restore/earlierState.ts"
import { erased } from "../../../src/domain/erasure.ts"
import type { PaymentId } from "../../../src/domain/Ids.ts"
import type { Payment, PaymentRecord } from "../../../src/domain/Payment.ts"
import { paidBySecond, paidTwice, reversed, second } from "../../domain/lostFailover.ts"
import { after, answer, asked, attempt, begun, claims, failed, held, inReview, paid } from "../../domain/records.ts"

const captured = after(asked(held, "c", { kind: "capture", minorUnits: 60 }), ["c", claims.succeeded])

const histories: { readonly [name: string]: ReadonlyArray<PaymentRecord> } = {
  "a failover, a late success and its reversal": [begun, second, paidBySecond, paidTwice, reversed],
  "a hold and its capture": [begun, held, asked(held, "c", { kind: "capture", minorUnits: 60 }), captured],
  "an outcome that was unknown": [
    begun,
    after(begun, [1, claims.unknown]),
    after(begun, [1, claims.unknown], [1, claims.pending])
  ]
}

const on = (record: PaymentRecord, change: Partial<Payment>): PaymentRecord => ({
  ...record,
  payment: { ...record.payment, ...change }
})

describe("an earlier state of a payment", () => {
  for (const [name, states] of Object.entries(histories)) {
    it(`is each one before the last of ${name}, and none after it`, () => {
      for (const [place, state] of states.entries()) {
        for (const later of states.slice(place)) assert.isTrue(isEarlier(state, later), `${place}`)
        for (const former of states.slice(0, place)) assert.isFalse(isEarlier(state, former), `${place}`)
      }
    })
  }

  it("is one whose operation was planned, and is none whose operation was sent", () => {
    const planned = asked(paid, "v", { kind: "refund", purpose: "reversal", status: "planned" })
    const sent = on(asked(paid, "v", { kind: "refund", purpose: "reversal" }), { version: paid.payment.version + 1 })
    assert.deepStrictEqual([isEarlier(planned, sent), isEarlier(sent, planned)], [true, false])
  })

  it("is also one that was announced since, by another clock", () => {
    const announced = on(second, { pendingAnnounced: true, updatedAt: 9_000_000, version: 99, eventSequence: 1 })
    assert.isTrue(isEarlier(announced, reversed))
  })

  it("is none that was disputed or answered since, or is of another payment", () => {
    assert.isFalse(isEarlier(on(second, { id: "pay_2" as PaymentId }), reversed))
    assert.isFalse(isEarlier(on(second, { disputedAt: 7 }), reversed))
    assert.isTrue(isEarlier(on(second, { disputedAt: 7 }), on(reversed, { disputedAt: 7 })))
    const question = inReview(held, "capture_failed", 1)
    const resolved = answer(question, "capture_failed", "dismissed")?.record ?? question
    assert.isFalse(isEarlier(on(held, { resolutions: resolved.payment.resolutions }), captured))
  })

  it("is none that was decided in another way", () => {
    assert.isFalse(isEarlier(after(second, [2, claims.declined]), after(second, [2, claims.unknown])))
    assert.isFalse(isEarlier(paid, failed))
    assert.isFalse(isEarlier(after(begun, [1, claims.canceled]), failed))
    for (const state of [{ status: "canceled" }, { status: "succeeded", late: true }] as const) {
      assert.isFalse(isEarlier(on(failed, { state }), failed), state.status)
    }
    // It was announced as failed since.
    assert.isFalse(isEarlier(failed, after(failed, [1, claims.succeeded])))
  })

  it("is none whose customer was erased", () => {
    assert.isFalse(isEarlier(erased(second, 1000), reversed))
  })

  it("is none whose attempt or operation was made anew under the same name", () => {
    const [first, ...others] = second.operations
    const [tried, ...more] = second.attempts
    if (first === undefined || tried === undefined) return assert.fail("nothing was tried")
    assert.isFalse(isEarlier({ ...second, operations: [{ ...first, createdAt: 7 }, ...others] }, reversed))
    assert.isFalse(isEarlier({ ...second, operations: [{ ...first, minorUnits: 7 }, ...others] }, reversed))
    assert.isFalse(isEarlier({ ...second, attempts: [{ ...tried, startedAt: 7 }, ...more] }, reversed))
  })

  it("is none in which more is known of what is open", () => {
    const [unknown, pending] = [after(begun, [1, claims.unknown]), after(begun, [1, claims.pending])]
    assert.deepStrictEqual([isEarlier(unknown, pending), isEarlier(pending, unknown)], [true, false])
    assert.deepStrictEqual([isEarlier(begun, unknown), isEarlier(unknown, begun)], [true, false])
    assert.deepStrictEqual([isEarlier(pending, held), isEarlier(held, pending)], [true, false])
  })

  it("is none that tried another provider, sent another operation, or has other entries", () => {
    const elsewhere = { ...second, attempts: [...failed.attempts, attempt(2, { provider: "p3" })] }
    assert.isFalse(isEarlier(elsewhere, reversed))
    assert.isFalse(isEarlier(asked(second, "x", { kind: "refund" }), reversed))
    const [entry] = paidTwice.entries
    if (entry === undefined) return assert.fail("no entry")
    assert.isFalse(isEarlier({ ...second, entries: [{ ...entry, minorUnits: 99 }] }, reversed))
    assert.isTrue(isEarlier({ ...second, entries: [entry] }, reversed))
  })
})
