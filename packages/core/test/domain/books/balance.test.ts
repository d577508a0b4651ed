/** The entries that reports add to the books (`appendEntries.ts`), and their balance (`balance.ts`). */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { Attempt } from "../../../src/domain/Attempt.ts"
import { chargesOf, overpayment, refundedBy, unexplainedRefunds } from "../../../src/domain/books/balance.ts"
import type { ChargeBalance } from "../../../src/domain/books/balance.ts"
import { derived } from "../../../src/domain/transition/change.ts"
import { entryBases, entryKinds } from "../../../src/domain/Entry.ts"
import type { Entry, EntryKind } from "../../../src/domain/Entry.ts"
import type { Payment, PaymentRecord } from "../../../src/domain/Payment.ts"
import {
  after,
  answer,
  apply,
  asked,
  attempt,
  begun,
  changed,
  claims,
  failed,
  find,
  givenBack,
  held,
  money,
  operation,
  paid,
  reasons,
  reviewOf,
  taken
} from "../records.ts"

const own = (record: PaymentRecord): ChargeBalance => {
  const [first] = record.attempts.flatMap((attempt) => chargesOf(record, attempt))
  if (first === undefined) throw new Error("no charge")
  return first
}

const entry = (over: Partial<Entry>): Entry => ({
  attemptSeq: 1,
  operationId: null,
  kind: "captured",
  basis: "movement",
  minorUnits: 100,
  currency: "EUR",
  provider: "p1",
  reference: null,
  source: "webhook",
  recordedAt: 0,
  ...over
})

const withEntries = (...entries: ReadonlyArray<Partial<Entry>>): PaymentRecord => ({
  ...begun,
  entries: entries.map(entry)
})
const captured = (...entries: ReadonlyArray<Partial<Entry>>): number => own(withEntries(...entries)).captured

describe("what a payment shows", () => {
  /** `derived` has a short way, which it does not take of a payment that has shown a refund. */
  const inFull = (record: PaymentRecord) =>
    derived({ ...record, payment: { ...record.payment, amountRefunded: 1 } }, 5).payment
  const mostly = <A>(usual: A, ...others: ReadonlyArray<A>) =>
    fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, fc.constantFrom(...others))
  const entries = fc.record({
    attemptSeq: mostly(1, 2),
    kind: mostly<EntryKind>("captured", ...entryKinds),
    basis: fc.constantFrom(...entryBases),
    minorUnits: mostly(100, 60, 130),
    currency: mostly("EUR", "USD"),
    reference: fc.constantFrom(null, "ch_1", "ch_2"),
    source: fc.constantFrom("webhook" as const, "inquiry" as const)
  })
  const attempts = fc.record({
    status: mostly<Attempt["status"]>("succeeded", "authorized", "declined", "pending"),
    isOverpayment: mostly(false, true)
  })
  const records = fc.record({
    entries: mostly(1, 0, 2).chain((count) => fc.array(entries, { minLength: count, maxLength: count })),
    attempts: mostly(1, 2).chain((count) => fc.array(attempts, { minLength: count, maxLength: count })),
    capture: mostly<Payment["captureMethod"]>("automatic", "manual"),
    later: fc.constantFrom(null, "capture" as const, "cancel" as const, "refund" as const),
    isPaid: mostly(true, false)
  })

  it("is what its books come to, however little was reported", () => {
    fc.assert(
      fc.property(records, ({ attempts: drawn, capture, entries: few, isPaid, later }) => {
        const of = (over: Entry) => ({ ...over, attemptSeq: Math.min(over.attemptSeq, drawn.length) })
        const first = asked({ ...begun, entries: few.map(entry).map(of) }, "2", { attemptSeq: 2 })
        const record: PaymentRecord = {
          ...(later === null ? first : asked(first, "o", { kind: later, minorUnits: 40, status: "pending" })),
          payment: {
            ...begun.payment,
            captureMethod: capture,
            state: isPaid ? { status: "succeeded", late: false } : { status: "canceled" }
          },
          attempts: drawn.map((over, place) => attempt(place + 1, over))
        }
        assert.deepStrictEqual(derived(record, 5).payment, inFull(record))
      }),
      { numRuns: 2000, seed: 33 }
    )
  })

  it("is the same object where nothing of it changed", () => {
    const automatic: PaymentRecord = { ...begun, payment: { ...begun.payment, captureMethod: "automatic" } }
    for (const record of [begun, failed, after(automatic, [1, claims.succeeded])])
      assert.strictEqual(derived(record, 5), record)
  })
})

describe("movements", () => {
  const c = find(asked(held, "c", {}), "c").id
  const d = find(asked(held, "d", {}), "d").id

  it("under two references are two; under one reference, one of the largest amount", () => {
    assert.strictEqual(captured({ operationId: c, reference: "a" }, { operationId: c, reference: "b" }), 200)
    const twice = [
      { operationId: c, reference: "a", minorUnits: 60 },
      { operationId: c, reference: "a" }
    ]
    assert.deepStrictEqual([captured(...twice), captured(...twice.toReversed())], [100, 100])
  })

  it("of an operation with and without a reference are one, in any order", () => {
    const mixed = [
      { operationId: c, reference: "a", minorUnits: 60 },
      { operationId: c, minorUnits: 60 }
    ]
    assert.deepStrictEqual([captured(...mixed), captured(...mixed.toReversed())], [60, 60])
    assert.strictEqual(captured(...mixed, { operationId: d, minorUnits: 40 }), 100)
  })

  it("and a total are the larger of both; totals of one charge include each other", () => {
    const total = { basis: "total", reference: "ch" } as const
    assert.strictEqual(captured({ operationId: c, minorUnits: 60 }, { ...total, minorUnits: 40 }), 60)
    assert.strictEqual(captured({ operationId: c, minorUnits: 60 }, { ...total, minorUnits: 80 }), 80)
    assert.strictEqual(captured({ ...total, minorUnits: 80 }, { ...total, minorUnits: 60 }), 80)
  })

  it("in another currency are not added to the payment's", () => {
    assert.strictEqual(captured({ currency: "USD" }, { minorUnits: 60, operationId: c }), 60)
  })
})

describe("a report", () => {
  const capturing = asked(held, "c", { kind: "capture", minorUnits: 60 })

  it("is entered once; a confirmation of it once more, and neither changes the balance", () => {
    const reported = after(begun, [1, claims.succeeded, { reference: "ch" }])
    assert.strictEqual(apply(reported, 1, claims.succeeded, { reference: "ch" })._tag, "Unchanged")
    const confirmed = after(reported, [1, claims.succeeded, { reference: "ch", source: "inquiry" }])
    assert.deepStrictEqual(
      confirmed.entries.map(({ source }) => source),
      ["webhook", "inquiry"]
    )
    assert.strictEqual(apply(confirmed, 1, claims.succeeded, { reference: "ch" })._tag, "Unchanged")
    assert.deepStrictEqual([confirmed.payment.amountCaptured, overpayment(confirmed)], [100, 0])
  })

  it("of nothing adds nothing", () => {
    const { record } = changed(apply(begun, 1, { _tag: "Succeeded", amount: money(0) }))
    assert.deepStrictEqual(record.entries, [])
  })

  it("in another currency is entered as it was reported, and is not the payment's money", () => {
    const { record } = changed(apply(begun, 1, taken(100, "USD")))
    assert.deepInclude(record.entries[0], { kind: "captured", minorUnits: 100, currency: "USD" })
    assert.deepStrictEqual([own(record).captured, record.payment.amountCaptured], [0, 0])
    assert.deepInclude(reviewOf(record, "amount_mismatch"), { minorUnits: 100, currency: "USD" })
  })

  it("of a capture under its own reference is a movement, and under its charge's what the charge comes to", () => {
    const own_ = after(capturing, ["c", taken(60), { reference: "cap_1" }])
    assert.deepInclude(own_.entries.at(-1), { basis: "movement", reference: "cap_1", minorUnits: 60 })
    const hold = after(begun, [1, claims.authorized, { reference: "ch" }])
    const more = after(asked(hold, "c", { kind: "capture", minorUnits: 60 }), ["c", taken(80), { reference: "ch" }])
    assert.deepInclude(more.entries.at(-1), { basis: "total", reference: "ch", minorUnits: 80 })
    assert.deepStrictEqual([own(more).captured, more.payment.amountCaptured], [80, 60])
  })

  it("of a partial capture without an amount, by the charge and again, is what the capture asked for", () => {
    for (const first of [1, "c"] as const) {
      const once = after(capturing, [first, claims.captured])
      const reported = apply(once, 1, claims.captured, { source: "inquiry" })
      const twice = reported._tag === "Changed" ? reported.record : once
      assert.deepStrictEqual([own(twice).captured, overpayment(twice), reasons(twice)], [60, 0, []])
    }
  })

  it("of a hold without an amount is of the whole payment, also while a part of it is captured", () => {
    const again = after(capturing, [1, claims.authorized, { source: "inquiry" }])
    assert.deepInclude(again.entries.at(-1), { kind: "authorized", minorUnits: 100, source: "inquiry" })
  })

  it("of an operator about money that no payment wants is of all of it, whatever another attempt received", () => {
    const next = { attempt: attempt(2), operation: operation(2) }
    const record = after(begun, [1, claims.declined, { next }], [2, taken(60)], [1, claims.authorized])
    assert.deepInclude(record.payment, { amountReceived: 60 })
    assert.deepInclude(record.attempts[0], { status: "authorized", isOverpayment: true })
    const stated = after(record, [1, claims.captured, { source: "operator" }])
    assert.deepInclude(stated.entries.at(-1), { attemptSeq: 1, kind: "captured", minorUnits: 100 })
  })

  it("that a capture was taken back is entered with what was captured, by the capture where it names one", () => {
    const done = after(capturing, ["c", taken(60)])
    for (const [name, operationId] of [
      ["c", find(done, "c").id],
      [1, null]
    ] as const) {
      const record = after(done, [name, claims.captureFailed, { reference: "cap_1" }])
      assert.deepInclude(record.entries.at(-1), {
        kind: "capture_reversed",
        basis: "movement",
        minorUnits: 60,
        operationId,
        reference: "cap_1"
      })
    }
    const next = after(asked(done, "d", { kind: "capture", minorUnits: 40 }), [1, claims.captureFailed])
    assert.deepStrictEqual(next.entries, done.entries, "it is about the capture that is open")
  })

  it("of a release lets all go that is held; a capture uses the hold up", () => {
    assert.strictEqual(own(held).held, 100)
    const released = after(held, [1, claims.canceled])
    assert.deepStrictEqual([own(released).held, own(released).released], [0, 100])
    assert.strictEqual(own(after(capturing, ["c", taken(60)])).held, 40)
  })
})

describe("refunds", () => {
  const refunding = asked(paid, "r", { kind: "refund", minorUnits: 60 })

  it("of an operation are one, with a reference, without, and out of order", () => {
    const given = (record: PaymentRecord) => [
      refundedBy(record.entries, find(record, "r")),
      record.payment.amountRefunded
    ]
    const one = after(refunding, ["r", claims.refundSucceeded], ["r", givenBack(60), { reference: "re_1" }])
    assert.deepStrictEqual(given(one), [60, 60])
    const back = after(one, ["r", claims.refundFailed])
    assert.deepStrictEqual(given(back), [0, 0])
    assert.strictEqual(apply(back, "r", claims.refundSucceeded)._tag, "Unchanged", "a late repeat")
  })

  it("that failed take back nothing of what was reported done after a refusal: that stays in review", () => {
    const doubted = after(refunding, ["r", claims.refundFailed], ["r", claims.refundSucceeded])
    assert.deepStrictEqual(reasons(doubted), ["excess_refund"])
    assert.strictEqual(apply(doubted, "r", claims.refundFailed)._tag, "Unchanged")
  })

  it("that failed say nothing of the charge", () => {
    const stranger = after(paid, [1, givenBack(30), { reference: "re_9" }])
    assert.strictEqual(apply(stranger, 1, claims.refundFailed, { reference: "re_9" })._tag, "Unchanged")
  })

  it("that name no operation are in review, and are explained by the operation that reports their reference", () => {
    const stranger = after(paid, [1, givenBack(30), { reference: "re_9" }])
    assert.deepInclude(reviewOf(stranger, "excess_refund"), { minorUnits: 30, reference: "re_9", operationId: null })
    assert.strictEqual(stranger.payment.amountRefunded, 0)
    const early = after(refunding, [1, givenBack(60), { reference: "re_1" }])
    assert.deepStrictEqual(reasons(early), [], "the open refund may explain it")
    const known = after(early, ["r", claims.refundSucceeded, { reference: "re_1" }])
    assert.deepStrictEqual([reasons(known), known.payment.amountRefunded], [[], 60])
    assert.strictEqual(unexplainedRefunds(known, attempt(1)), 0)
  })

  it("that name no operation are in review by their own reference, whatever else moves later", () => {
    const next = { attempt: attempt(2), operation: operation(2) }
    const twice = after(
      begun,
      [1, claims.declined, { next }],
      [2, claims.succeeded, { reference: "ch_2" }],
      [1, claims.succeeded, { reference: "ch_1" }]
    )
    const refunded = after(twice, [2, givenBack(30), { reference: "re_9" }])
    const more = after(twice, [2, claims.succeeded, { reference: "ch_3" }], [2, givenBack(130), { reference: "re_9" }])
    const later: ReadonlyArray<readonly [string, PaymentRecord]> = [
      ["another attempt's refund", after(refunded, [1, givenBack(40), { reference: "re_1" }])],
      ["a capture that is taken back", after(refunded, [2, claims.captureFailed, { reference: "cr_1" }])],
      ["what an operator gave back", after(more, [2, givenBack(100), { source: "operator", reference: "ch_3" }])]
    ]
    for (const [what, record] of later) {
      assert.deepInclude(reviewOf(record, "excess_refund"), { attemptSeq: 2, reference: "re_9" }, what)
    }
  })

  describe("beyond an excess", () => {
    const late = after(failed, [1, claims.succeeded, { lateSuccess: "reverse", reference: "ch_1" }])
    const sent = asked(late, "v", { kind: "refund", purpose: "reversal" })
    const stranger = (record: PaymentRecord) => after(record, [1, givenBack(60), { reference: "re_9" }])

    it("that no operation asked for offset it", () => {
      const record = stranger(late)
      assert.deepStrictEqual([own(record).stray, overpayment(record), reasons(record)], [60, 40, ["late_success"]])
      assert.deepInclude(reviewOf(record, "late_success"), { minorUnits: 40 })
    })

    it("are a review once a reversal was done, too: before it, and after it", () => {
      const reversed = ["v", givenBack(100), { reference: "re_1" }] as const
      for (const record of [after(stranger(sent), reversed), stranger(after(sent, reversed))]) {
        assert.deepStrictEqual(reasons(record), ["excess_refund"])
        assert.deepInclude(reviewOf(record, "excess_refund"), { minorUnits: 60, reference: "re_9", operationId: null })
        assert.deepStrictEqual([overpayment(record), record.payment.amountRefunded], [0, 0])
      }
    })

    it("count as the reversal if they cannot be distinguished from it", () => {
      for (const reference of [null, "re_9"]) {
        const record = after(sent, [1, givenBack(100), { reference: "re_9" }], ["v", givenBack(100), { reference }])
        assert.deepStrictEqual([overpayment(record), reasons(record)], [0, []], String(reference))
      }
      const other = after(stranger(sent), ["v", givenBack(100)])
      assert.deepStrictEqual([overpayment(other), reasons(other)], [0, ["excess_refund"]], "of another amount")
    })
  })
})

describe("what an operator states", () => {
  it("and the provider reports later is one movement", () => {
    const refunding = asked(paid, "r", { kind: "refund", minorUnits: 60, status: "unknown" })
    const stated = after(refunding, ["r", claims.succeeded, { source: "operator" }])
    const reported = after(stated, ["r", givenBack(60), { reference: "re_1" }])
    assert.deepStrictEqual([reported.payment.amountRefunded, reasons(reported)], [60, []])
  })

  it("was given back of a second charge is not the first one's", () => {
    const twice = after(
      begun,
      [1, claims.succeeded, { reference: "ch_1" }],
      [1, claims.succeeded, { reference: "ch_2" }]
    )
    assert.deepInclude(reviewOf(twice, "duplicate_capture"), { reference: "ch_2", minorUnits: 100 })
    assert.strictEqual(overpayment(twice), 100)
    const { record } = changed(answer(twice, "duplicate_capture", "given_back"))
    assert.deepStrictEqual([overpayment(record), record.payment.amountCaptured, reasons(record)], [0, 100, []])
  })
})
