/** What reports add to the books (`enter.ts`), and what the books come to (`balance.ts`). */
import { assert, describe, it } from "@effect/vitest"
import { chargesOf, overpayment, refundedBy, unexplainedRefunds } from "../../src/domain/balance.ts"
import type { ChargeBalance } from "../../src/domain/balance.ts"
import type { Entry } from "../../src/domain/Entry.ts"
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
  failed,
  find,
  givenBack,
  held,
  money,
  paid,
  reasons,
  reviewOf,
  taken
} from "./records.ts"

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
    const told = after(begun, [1, claims.succeeded, { reference: "ch" }])
    assert.strictEqual(apply(told, 1, claims.succeeded, { reference: "ch" })._tag, "Unchanged")
    const confirmed = after(told, [1, claims.succeeded, { reference: "ch", source: "inquiry" }])
    assert.deepStrictEqual(
      confirmed.entries.map(({ source }) => source),
      ["webhook", "inquiry"]
    )
    assert.strictEqual(apply(confirmed, 1, claims.succeeded, { reference: "ch" })._tag, "Unchanged")
    assert.deepStrictEqual([confirmed.payment.amountCaptured, overpayment(confirmed)], [100, 0])
  })

  it("of nothing adds nothing", () => {
    const { record } = changed(apply(begun, 1, { kind: "succeeded", amount: money(0) }))
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
      const told = apply(once, 1, claims.captured, { source: "inquiry" })
      const twice = told._tag === "Changed" ? told.record : once
      assert.deepStrictEqual([own(twice).captured, overpayment(twice), reasons(twice)], [60, 0, []])
    }
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

    it("are the reversal where nothing tells them apart", () => {
      for (const reference of [null, "re_9"]) {
        const record = after(stranger(sent), ["v", givenBack(100), { reference }])
        assert.deepStrictEqual([overpayment(record), reasons(record)], [0, []], String(reference))
      }
    })
  })
})

describe("what an operator states", () => {
  it("and the provider reports later is one movement", () => {
    const refunding = asked(paid, "r", { kind: "refund", minorUnits: 60, status: "unknown" })
    const stated = after(refunding, ["r", claims.succeeded, { source: "operator" }])
    const told = after(stated, ["r", givenBack(60), { reference: "re_1" }])
    assert.deepStrictEqual([told.payment.amountRefunded, reasons(told)], [60, []])
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
