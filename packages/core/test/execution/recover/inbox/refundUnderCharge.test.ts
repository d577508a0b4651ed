/** A refund that is reported under its charge alone, by the operation that it is taken for. */
import { assert, describe, it } from "@effect/vitest"
import type { PaymentRecord } from "../../../../src/domain/Payment.ts"
import { operationAbout } from "../../../../src/execution/recover/inbox/operationAbout.ts"
import { transition } from "../../../../src/domain/transition/transition.ts"
import type { Evidence, EvidenceSource } from "../../../../src/domain/Evidence.ts"
import type { Outcome } from "../../../../src/domain/Outcome.ts"
import {
  after,
  apply,
  asked,
  begun,
  changed,
  claims,
  find,
  givenBack,
  money,
  named,
  step
} from "../../../domain/records.ts"

const paid = after(begun, [1, claims.succeeded, { reference: "ch_1" }])
const lost = { kind: "refund", minorUnits: 60, status: "unknown", unsettled: true, createdAt: 2000 } as const
const refunding = asked(paid, "r", lost)

interface Report {
  readonly source?: EvidenceSource
  readonly occurredAt?: number
  readonly under?: string
}

const underCharge = (outcome: Outcome, { occurredAt, source = "webhook", under = "ch_1" }: Report = {}): Evidence => ({
  source,
  about: { provider: "p1", providerReference: under },
  outcome,
  eventId: null,
  occurredAt: occurredAt ?? null
})

const refund = (reference: string | null, minorUnits = 60) => named(givenBack(minorUnits), reference)

/** Without a former id. */
const ownId = (id: string) => [id]

/** As the engine applies it. */
const reportedTo = (record: PaymentRecord, report: Evidence, now = 3000) => {
  const subject = operationAbout(record, report, "p1", ownId) ?? assert.fail("about none")
  return transition(record, subject, report, { ...step, now, canInquire: true })
}
const reported = (record: PaymentRecord, report: Evidence, now?: number) => changed(reportedTo(record, report, now))
const about = (record: PaymentRecord, report: Evidence) => operationAbout(record, report, "p1", ownId)?.id

const reviews = ({ payment }: PaymentRecord) =>
  payment.reviews.map(({ minorUnits, operationId, reference }) => `${operationId} ${reference} ${minorUnits}`)

describe("a refund that is reported under its charge", () => {
  it("settles the one open refund of its amount at once, and an inquiry looks for a second movement", () => {
    for (const reference of [null, "ch_1", "re_9"]) {
      const { event, record, refund: about } = reported(refunding, underCharge(refund(reference)))
      assert.deepStrictEqual([event, String(about)], ["refund.succeeded", "op_r"])
      assert.deepInclude(find(record, "r"), { status: "succeeded", reference: null, nextCheckAt: 3000 })
      const { operationId, reference: name } = record.entries.at(-1) ?? assert.fail()
      assert.deepStrictEqual([String(operationId), name], ["op_r", reference === "re_9" ? "re_9" : null])
      assert.deepStrictEqual([record.payment.amountRefunded, reviews(record)], [60, []])
    }
    const uninquired = transition(refunding, find(refunding, "r"), underCharge(refund(null)), step)
    assert.deepInclude(find(changed(uninquired).record, "r"), { status: "succeeded", nextCheckAt: null })
  })

  it("settles a refund of the engine, too", () => {
    const reversing = asked(paid, "v", { ...lost, purpose: "reversal" })
    assert.strictEqual(about(reversing, underCharge(refund("re_9"))), "op_v")
  })

  it("is in review once a movement under another reference is reported: once, by whichever report", () => {
    const { record: settled } = reported(refunding, underCharge(refund("re_9")))
    const same = changed(apply(settled, "r", givenBack(60), { reference: "re_9", source: "inquiry" })).record
    assert.deepStrictEqual(reviews(same), [], "it was ours")
    const second = changed(apply(settled, "r", givenBack(60), { reference: "re_5", source: "inquiry" })).record
    assert.lengthOf(reviews(second), 1)
    assert.deepInclude(second.payment.reviews[0], { reason: "excess_refund", minorUnits: 60, provider: "p1" })
    assert.strictEqual(apply(second, "r", givenBack(60), { reference: "re_5", source: "inquiry" })._tag, "Unchanged")
    assert.strictEqual(reportedTo(second, underCharge(refund("re_9")))._tag, "Unchanged")
    const outside = reported(settled, underCharge(refund("re_10"))).record
    assert.deepStrictEqual(reviews(outside), ["null re_10 60"])
    assert.strictEqual(reportedTo(outside, underCharge(refund("re_10")))._tag, "Unchanged")
  })

  it("and repeated without a reference is one, also once its own reference is known", () => {
    const { record: settled } = reported(refunding, underCharge(refund(null)))
    assert.strictEqual(reportedTo(settled, underCharge(refund(null)))._tag, "Unchanged")
    const own = changed(apply(settled, "r", givenBack(60), { reference: "re_5" })).record
    assert.deepStrictEqual(reviews(own), [])
    assert.strictEqual(reportedTo(own, underCharge(refund(null)))._tag, "Unchanged")
  })

  it("that is returned by the payer's bank fails the refund that it had settled", () => {
    const { record: settled } = reported(refunding, underCharge(refund("re_9")))
    for (const under of ["ch_1", "re_9"]) {
      const report = underCharge(named(claims.refundFailed, "re_9"), { under })
      const { event, record } = reported(settled, report)
      assert.deepStrictEqual([event, record.payment.amountRefunded], ["refund.failed", 0])
    }
    assert.strictEqual(about(settled, underCharge(named(claims.refundFailed, "re_8"))), "op_1")
  })
})

describe("a refund under its charge is none of ours", () => {
  it("where no open refund, or more than one, has its amount", () => {
    const two = asked(refunding, "s", lost)
    for (const [record, report] of [
      [two, underCharge(refund("re_9"))],
      [refunding, underCharge(refund("re_9", 30))],
      [paid, underCharge(refund("re_9"))],
      [refunding, underCharge(claims.refundSucceeded)],
      [refunding, underCharge({ _tag: "RefundSucceeded", amount: money(60, "USD") })],
      [refunding, underCharge(claims.refundPending)],
      [refunding, underCharge(refund("re_9"), { source: "operator" })]
    ] as const) {
      assert.strictEqual(about(record, report), "op_1", JSON.stringify(report.outcome))
    }
    assert.strictEqual(about(asked(refunding, "s", { ...lost, minorUnits: 30 }), underCharge(refund("re_9"))), "op_r")
  })

  it("where that refund was never sent, is known under another reference, or has failed", () => {
    for (const over of [
      { status: "planned", unsettled: false },
      { reference: "re_5" },
      { status: "not_executed" },
      { status: "declined" }
    ] as const) {
      assert.strictEqual(about(asked(paid, "r", { ...lost, ...over }), underCharge(refund("re_9"))), "op_1")
    }
    for (const over of [{ status: "planned" }, { reference: "re_9" }] as const) {
      assert.strictEqual(about(asked(paid, "r", { ...lost, ...over }), underCharge(refund("re_9"))), "op_r")
    }
  })

  it("where it may be another one of the same amount that succeeded without a reference, or was called failed", () => {
    for (const status of ["succeeded", "declined"] as const) {
      assert.strictEqual(about(asked(refunding, "s", { ...lost, status }), underCharge(refund("re_9"))), "op_1")
    }
    const done = after(asked(paid, "r", lost), ["r", givenBack(60)])
    assert.strictEqual(about(done, underCharge(refund("re_9"))), "op_r", "that one alone")
  })

  it("where it was reported, or happened, before the refund was requested", () => {
    const before = reported(paid, underCharge(refund("re_9")), 1000).record
    assert.strictEqual(about(asked(before, "r", lost), underCharge(refund("re_9"))), "op_1")
    assert.strictEqual(about(asked(before, "r", lost), underCharge(refund("re_8"))), "op_r")
    const later = asked(paid, "r", { ...lost, createdAt: 200_000 })
    assert.strictEqual(about(later, underCharge(refund("re_9"), { occurredAt: 139_999 })), "op_1")
    assert.strictEqual(about(later, underCharge(refund("re_9"), { occurredAt: 140_000 })), "op_r")
  })

  it("where it may be what an operator stated", () => {
    const stated = after(paid, [1, givenBack(60), { source: "operator", reference: "ch_1" }])
    assert.strictEqual(about(asked(stated, "r", lost), underCharge(refund("re_9"))), "op_1")
  })

  it("where it names another charge of the attempt", () => {
    const twice = asked(after(paid, [1, claims.succeeded, { reference: "ch_2" }]), "r", lost)
    assert.strictEqual(about(twice, underCharge(refund("re_9"), { under: "ch_2" })), "op_1")
    assert.strictEqual(about(twice, underCharge(refund("re_9"))), "op_r")
  })
})
