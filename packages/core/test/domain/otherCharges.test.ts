/** Which charge a report of an end is about, and what is inquired about at once if the report does not say. */
import { assert, describe, it } from "@effect/vitest"
import type { Operation } from "../../src/domain/Operation.ts"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import { dueReversals } from "../../src/domain/books/reversal.ts"
import {
  after,
  apply,
  asked,
  attempt,
  begun,
  changed,
  claims,
  find,
  held,
  operation,
  reasons,
  reviewOf,
  step,
  taken
} from "./records.ts"

describe("the end of another charge than the one that is waited for", () => {
  const shown = after(begun, [1, claims.pending, { reference: "ch_1" }])
  const reported = (record: PaymentRecord, claim: keyof typeof claims, over: Parameters<typeof apply>[3]) =>
    changed(apply(record, 1, claims[claim], { canInquire: true, reference: "ch_2", ...over })).record

  it("closes nothing: the charge is inquired about at once", () => {
    for (const claim of ["declined", "notExecuted", "expired", "canceled"] as const) {
      for (const source of ["webhook", "observed"] as const) {
        const record = reported(shown, claim, { source })
        assert.deepStrictEqual([record.payment.state.status, reasons(record)], ["pending", []], claim)
        assert.deepInclude(find(record, 1), { status: "pending", reference: "ch_1", nextCheckAt: step.now })
      }
    }
  })

  it("closes where it is an answer to our own question, or an operator's", () => {
    for (const source of ["reply", "inquiry", "return", "operator"] as const) {
      assert.strictEqual(reported(shown, "declined", { source }).payment.state.status, "failed", source)
    }
  })

  it("closes the attempt if no inquiry is possible, or if nothing shows that it is another charge", () => {
    const failed = [
      reported(shown, "declined", { canInquire: false }),
      reported(shown, "declined", { reference: "ch_1" }),
      reported(shown, "declined", { reference: null }),
      reported(after(begun, [1, claims.pending]), "declined", {})
    ]
    for (const { payment } of failed) assert.strictEqual(payment.state.status, "failed")
  })

  it("is no success that is held back: money is money", () => {
    assert.strictEqual(reported(shown, "succeeded", {}).payment.state.status, "succeeded")
  })
})

describe("the end of a hold", () => {
  const hold = after(begun, [1, claims.authorized], [1, claims.authorized, { reference: "h_1" }])

  it("is of the one that the payment waits for: by its reference, by none, and by any where it has none", () => {
    for (const reference of ["h_1", null, "h_9"]) {
      const { event } = changed(apply(hold, 1, claims.canceled, { reference }))
      assert.strictEqual(event, "payment.canceled", String(reference))
      assert.strictEqual(changed(apply(hold, 1, claims.expired, { reference })).event, "payment.failed")
    }
  })

  const named = after(begun, [1, claims.authorized, { reference: "h_1" }])

  it("under a reference that was never reported is asked about first, where the provider can be asked", () => {
    const observed = { canInquire: true, source: "observed", reference: "h_9" } as const
    for (const status of ["canceled", "expired"] as const) {
      const { event, record } = changed(apply(named, 1, claims[status], observed))
      assert.isNull(event)
      assert.deepStrictEqual(record.entries, named.entries)
      assert.deepInclude(record.payment.state, { status: "authorized" })
      assert.deepInclude(find(record, 1), { status: "authorized", nextCheckAt: step.now })
      // The inquiry found another charge, too: the hold may stand.
      const { record: found } = changed(apply(record, 1, claims[status], { ...observed, source: "inquiry" }))
      assert.deepStrictEqual([found.attempts[0]?.status, found.entries], ["authorized", named.entries])
      assert.deepStrictEqual(reasons(found), ["contradiction"])
      const { record: over } = changed(apply(record, 1, claims[status], { source: "inquiry", reference: "h_1" }))
      assert.strictEqual(over.attempts[0]?.status, status)
    }
  })

  it("under such a reference ends nothing and is a question, where the provider cannot be asked", () => {
    for (const source of ["webhook", "observed"] as const) {
      for (const status of ["canceled", "expired"] as const) {
        const { event, record } = changed(apply(named, 1, claims[status], { source, reference: "h_9" }))
        assert.deepStrictEqual([event, record.payment.state.status], [null, "authorized"])
        assert.deepStrictEqual([record.entries, reasons(record)], [named.entries, ["contradiction"]])
        assert.deepInclude(reviewOf(record, "contradiction"), { reference: "h_9", minorUnits: 100 })
        assert.strictEqual(
          changed(apply(record, 1, claims[status], { source, reference: "h_1" })).record.attempts[0]?.status,
          status
        )
      }
    }
  })

  it("of the first charge of a request does not end the hold of the second one, which is released", () => {
    const expired = after(begun, [1, claims.expired, { reference: "h_1" }])
    const late = after(expired, [1, claims.authorized, { source: "observed", reference: "h_2" }])
    assert.deepInclude(late.attempts[0], { status: "authorized", isOverpayment: true })
    assert.deepStrictEqual(
      dueReversals(late).map(({ kind, minorUnits }) => [kind, minorUnits]),
      [["cancel", 100]]
    )
    const again = changed(apply(late, 1, claims.expired, { source: "observed", reference: "h_1" })).record
    assert.strictEqual(again.attempts[0]?.status, "authorized")
    assert.deepStrictEqual(
      dueReversals(again).map(({ kind, minorUnits }) => [kind, minorUnits]),
      [["cancel", 100]]
    )
  })

  it("is only in the books where it is of a second one", () => {
    const both = after(hold, [1, claims.authorized, { reference: "h_2" }])
    for (const status of ["canceled", "expired"] as const) {
      const { event, record } = changed(apply(both, 1, claims[status], { reference: "h_2" }))
      assert.deepStrictEqual([event, record.payment.state.status, reasons(record)], [null, "authorized", []])
      const own = changed(apply(both, 1, claims[status], { reference: "h_1" })).record
      assert.deepStrictEqual([own.attempts[0]?.status, reasons(own)], [status, ["late_authorization"]])
      assert.deepInclude(reviewOf(own, "late_authorization"), { reference: "h_2", minorUnits: 100 })
    }
  })
})

describe("a report that only the provider's own books can settle", () => {
  const refused = after(asked(held, "c", { kind: "capture" }), ["c", claims.declined])
  const canceling = asked(refused, "x", { kind: "cancel", status: "pending", nextCheckAt: 9000 })
  const elsewhere: PaymentRecord = {
    ...canceling,
    attempts: [...canceling.attempts, attempt(2, { status: "authorized", isOverpayment: true })],
    operations: [...canceling.operations, operation(2, { status: "authorized", nextCheckAt: 7000 })]
  }
  const checks = ({ operations }: PaymentRecord) =>
    Object.fromEntries(operations.map(({ id, nextCheckAt }: Operation) => [id.slice(3), nextCheckAt]))

  it("has the hold that it is about inquired at once, and leaves all else as it was scheduled", () => {
    const before = checks(elsewhere)
    const { record } = changed(apply(elsewhere, 1, claims.captured))
    assert.deepStrictEqual(reasons(record), ["contradiction"])
    assert.deepStrictEqual(checks(record), { ...before, 1: step.now })
    const { record: canceled } = changed(apply(elsewhere, "x", claims.declined))
    assert.deepStrictEqual(checks(canceled), { ...before, 1: step.now, x: null })
  })

  it("has a payment that is open inquired at once, and none that has ended", () => {
    for (const [claim, check] of [
      [claims.pending, step.now],
      [claims.unknown, step.now],
      [claims.authorized, step.now],
      [claims.succeeded, null]
    ] as const) {
      const record = asked(after(begun, [1, claim]), "x", { kind: "cancel" })
      const reported = changed(apply(record, "x", claims.declined)).record
      assert.strictEqual(find(reported, 1).nextCheckAt, check, claim._tag)
    }
  })
})

describe("a report that names a charge and no operation", () => {
  const charge = { charge: "ch_1", reference: null } as const

  it("names the operation that has no reference: a refund of the charge needs it", () => {
    for (const claim of ["captured", "authorized", "pending"] as const) {
      assert.strictEqual(find(after(begun, [1, claims[claim], charge]), 1).reference, "ch_1", claim)
    }
  })

  it("names it also where another amount was taken, which an operator accepts", () => {
    assert.strictEqual(find(after(begun, [1, taken(80), charge]), 1).reference, "ch_1")
  })

  it("changes no reference that is known, and that of no charge if it is about a capture", () => {
    const known = after(begun, [1, claims.pending, { reference: "ch_0" }])
    assert.strictEqual(find(after(known, [1, claims.captured, charge]), 1).reference, "ch_0")
    const capturing = asked(held, "c", { kind: "capture", reference: "ch_1" })
    const late = after(capturing, [1, claims.canceled], ["c", claims.captured, charge])
    assert.deepStrictEqual([find(late, 1).status, find(late, 1).reference], ["succeeded", null])
  })
})
