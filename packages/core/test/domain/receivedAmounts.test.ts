import { assert, describe, it } from "@effect/vitest"
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import { byOperator } from "../../src/domain/Attempt.ts"
import { overpayment } from "../../src/domain/books/balance.ts"
import { questioned } from "../../src/domain/books/reviews.ts"
import { derived } from "../../src/domain/transition/change.ts"
import type { EvidenceSource } from "../../src/domain/Evidence.ts"
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
  inReview,
  money,
  operation,
  reasons,
  reviewOf
} from "./records.ts"
import type { Report } from "./records.ts"

const method = { rail: "stablecoin", asset: null, network: null } as const
const onChain: PaymentRecord = { ...begun, payment: { ...begun.payment, method } }

describe("the amount that was received", () => {
  it("is not recorded if it equals the requested amount", () => {
    const { payment } = changed(apply(begun, 1, { _tag: "Succeeded", amount: money(100) })).record
    assert.strictEqual(payment.amountCaptured, 100)
    assert.isNull(payment.amountReceived)
  })
})

describe("more than the requested amount", () => {
  const more = { _tag: "Succeeded", amount: money(130) } as const

  it("succeeds for a stablecoin: only the requested amount counts, and what arrived is recorded", () => {
    const { event, record } = changed(apply(onChain, 1, more))
    assert.strictEqual(event, "payment.succeeded")
    assert.deepInclude(record.payment, { amountCaptured: 100, amountReceived: 130 })
    assert.deepStrictEqual(reasons(record), [], "the payer alone decides what to send")
    const other = { _tag: "Succeeded", amount: money(130, "USD") } as const
    const mismatched = changed(apply(onChain, 1, other)).record
    assert.deepStrictEqual(reasons(mismatched), ["amount_mismatch"])
    assert.deepInclude(reviewOf(mismatched, "amount_mismatch"), { minorUnits: 130, currency: "USD" })
  })

  it("needs review for a card", () => {
    const { record } = changed(apply(begun, 1, more))
    assert.deepInclude(record.payment, { amountCaptured: 0, amountReceived: 130 })
    assert.deepStrictEqual(reasons(record), ["amount_mismatch"])
    assert.deepInclude(reviewOf(record, "amount_mismatch"), { minorUnits: 130, currency: "EUR" })
  })
})

describe("a transfer of another amount under another reference", () => {
  const other = [1, { _tag: "Succeeded", amount: money(130) }, { source: "reply", reference: "ch_0" }] as const
  const asAsked = (source: EvidenceSource) =>
    [1, { _tag: "Succeeded", amount: money(100) }, { source, reference: "ch_1" }] as const
  const shown = (record: PaymentRecord) => ({
    reference: find(record, 1).reference,
    received: record.payment.amountReceived,
    reviews: record.payment.reviews.map(({ minorUnits, reason, reference }) => ({ minorUnits, reason, reference }))
  })
  const own: ReturnType<typeof shown> = {
    reference: "ch_1",
    received: null,
    reviews: [{ minorUnits: 130, reason: "duplicate_capture", reference: "ch_0" }]
  }

  it("is not the payment's own once the requested amount is reported, in any order", () => {
    for (const source of ["webhook", "observed", "inquiry"] as const) {
      assert.deepStrictEqual(shown(after(onChain, other, asAsked(source))), own, source)
      assert.deepStrictEqual(shown(after(onChain, asAsked(source), other)), own, source)
    }
  })

  it("is not, although it is confirmed, once a charge of the requested amount is confirmed, too", () => {
    const confirmed = after(onChain, other, [other[0], other[1], { source: "observed", reference: "ch_0" }])
    assert.deepStrictEqual(shown(after(confirmed, asAsked("webhook"))), {
      reference: "ch_0",
      received: 130,
      reviews: [{ minorUnits: 100, reason: "duplicate_capture", reference: "ch_1" }]
    })
    assert.deepStrictEqual(shown(after(confirmed, asAsked("inquiry"))), own)
  })

  it("takes the place of no charge of the requested amount, or of a card", () => {
    const first = [1, other[1], { source: "webhook", reference: "ch_0" }] as const
    const more = [1, other[1], { source: "webhook", reference: "ch_2" }] as const
    assert.strictEqual(find(after(onChain, first, more), 1).reference, "ch_0")
    const confirmed = after(onChain, asAsked("inquiry"), [1, asAsked("inquiry")[1], { ...more[2], source: "inquiry" }])
    assert.strictEqual(find(confirmed, 1).reference, "ch_1")
    const paid = after(begun, [1, asAsked("reply")[1], { reference: "ch_0" }], asAsked("webhook"))
    assert.strictEqual(find(paid, 1).reference, "ch_0")
  })
})

describe("a reply with more than the requested amount, for a stablecoin", () => {
  const report = (over: Report, minorUnits = 130) =>
    [1, { _tag: "Succeeded", amount: money(minorUnits) }, over] as const
  const replied = after(onChain, report({ source: "reply", reference: "ch_0" }))

  it("needs review: it may have the body of another payment", () => {
    assert.strictEqual(replied.payment.state.status, "pending")
    assert.deepInclude(reviewOf(replied, "amount_mismatch"), { minorUnits: 130, reference: "ch_0" })
  })

  it("is confirmed by a report that names the payment, and by no report that names the charge alone", () => {
    for (const source of ["webhook", "observed"] as const) {
      assert.strictEqual(
        after(replied, report({ source, reference: "ch_0" })).payment.state.status,
        "succeeded",
        source
      )
      const charge = apply(replied, 1, report({ source })[1], { source, charge: "ch_0" })
      assert.strictEqual(charge._tag === "Changed" ? charge.record.payment.state.status : "pending", "pending", source)
    }
    assert.deepInclude(after(replied, report({ source: "inquiry", reference: "ch_0" })).payment, {
      amountReceived: 130
    })
  })

  it("puts a report that names the charge alone in doubt only by its amount, and only for its own attempt", () => {
    const next = { attempt: attempt(2), operation: operation(2) }
    const another = { _tag: "Succeeded", amount: money(130, "USD") } as const
    const table: ReadonlyArray<readonly [string, PaymentRecord, number]> = [
      ["a part that a webhook names for the payment", after(onChain, report({}, 70)), 1],
      [
        "a reply with another reference",
        questioned(onChain, "reference_conflict", find(onChain, 1), 500, { source: "reply" }),
        1
      ],
      [
        "a late reply to another attempt",
        after(onChain, [1, claims.declined, { next }], [1, another, { source: "reply" }]),
        2
      ]
    ]
    for (const [what, record, name] of table) {
      assert.lengthOf(record.payment.reviews, 1, what)
      const { payment } = after(record, [name, report({})[1], { source: "observed", charge: "ch_0" }])
      assert.deepStrictEqual([payment.state.status, payment.amountReceived], ["succeeded", 130], what)
    }
  })

  it("gives way to the charge that a report names for the payment", () => {
    const paid = after(replied, report({ reference: "ch_1" }, 100), report({ source: "observed", charge: "ch_0" }))
    assert.strictEqual(find(paid, 1).reference, "ch_1")
    assert.deepInclude(paid.payment, { amountCaptured: 100, amountReceived: null })
    assert.deepInclude(reviewOf(paid, "duplicate_capture"), { minorUnits: 130, reference: "ch_0" })
  })
})

describe("a transfer of more that is in doubt", () => {
  const report = (minorUnits: number, over: Report = {}) =>
    [1, { _tag: "Succeeded", amount: money(minorUnits) }, { reference: "ch_1", ...over }] as const
  const doubted = after(onChain, report(100, { source: "reply" }), report(130))
  const reviews = (record: PaymentRecord) =>
    record.payment.reviews.map(({ minorUnits, reason, reference }) => [reason, reference, minorUnits])
  const shown = (record: PaymentRecord) => [record.payment.amountReceived, overpayment(record), reviews(record)]
  /** The inquiries about what was reported with the end have ended. */
  const inquired = (record: PaymentRecord, checks: number): PaymentRecord =>
    derived({ ...record, operations: record.operations.map((each) => ({ ...each, checks })) }, 3000)

  it("because two reports of it contradict each other, is not received: a review names the difference", () => {
    for (const record of [doubted, after(onChain, report(130), report(100))]) {
      assert.deepStrictEqual(shown(record), [null, 30, [["excess_capture", "ch_1", 30]]])
      assert.strictEqual(record.payment.amountCaptured, 100)
    }
    assert.deepStrictEqual(shown(after(onChain, report(130), report(120))), [120, 10, [["excess_capture", "ch_1", 10]]])
  })

  it("is received once the provider's own books show it, and as much as they show", () => {
    for (const source of ["inquiry", "observed"] as const) {
      assert.deepStrictEqual(shown(after(doubted, report(130, { source }))), [130, 0, []])
      assert.deepStrictEqual(shown(after(doubted, report(100, { source }))), [null, 0, []])
    }
  })

  it("because no inquiry has confirmed it, is not received; without an inquiry it is", () => {
    const single = after(onChain, report(130))
    assert.deepStrictEqual(shown(single), [130, 0, []])
    assert.deepStrictEqual(shown(inquired(single, 3)), [null, 30, [["excess_capture", "ch_1", 30]]])
    const before: PaymentRecord = { ...onChain, operations: onChain.operations.map((each) => ({ ...each, checks: 2 })) }
    assert.deepStrictEqual(shown(after(before, report(130))), [130, 0, []])
  })

  it("is what an operator states: received, given back, or never sent", () => {
    for (const [resolution, received] of [
      ["succeeded", 130],
      ["given_back", null],
      ["not_done", null]
    ] as const) {
      const { event, record } = changed(answer(doubted, "excess_capture", resolution))
      assert.deepStrictEqual([event, ...shown(record)], [null, received, 0, []], resolution)
    }
    const returned = changed(answer(doubted, "excess_capture", "given_back")).record
    assert.deepStrictEqual(shown(after(returned, report(130, { source: "inquiry" }))), [null, 0, []])
  })

  it("of a card is never accepted as received", () => {
    const capturing = asked(held, "c", { kind: "capture", minorUnits: 60 })
    const card = after(capturing, ["c", { _tag: "Captured", amount: money(85) }])
    assert.deepStrictEqual(reasons(card), ["excess_capture"])
    assert.isNull(answer(card, "excess_capture", "succeeded"))
  })
})

describe("an operator's resolution", () => {
  const unknown = after(begun, [1, claims.unknown])
  const operations = unknown.operations.map((each) => ({ ...each, nextCheckAt: null }))
  const record: PaymentRecord = inReview({ ...unknown, operations }, "inquiries_exhausted", 1)

  it("replaces the vendor code for a success, and for nothing else", () => {
    const attempt = (resolution: "succeeded" | "not_done") =>
      changed(answer(record, "inquiries_exhausted", resolution)).record.attempts[0]
    assert.deepInclude(attempt("succeeded"), { status: "succeeded", vendorCode: byOperator })
    assert.deepInclude(attempt("not_done"), { status: "not_executed", vendorCode: null })
  })
})
