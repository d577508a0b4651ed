/** A dispute has an amount and an end: reported in any order, or stated by an operator. */
import { assert, describe, it } from "@effect/vitest"
import { disputesOf } from "../../../src/domain/books/disputes.ts"
import { dueReversals } from "../../../src/domain/books/reversal.ts"
import { stateDispute } from "../../../src/domain/books/stateDispute.ts"
import type { StatedDispute } from "../../../src/domain/books/stateDispute.ts"
import { withEvents } from "../../../src/domain/books/events.ts"
import type { Dispute, DisputeStatus } from "../../../src/domain/Dispute.ts"
import type { PaymentRecord } from "../../../src/domain/Payment.ts"
import { requestOperation } from "../../../src/domain/transition/requestOperation.ts"
import type { OperationAbility } from "../../../src/domain/transition/requestOperation.ts"
import type { Outcome } from "../../../src/domain/Outcome.ts"
import { noHostedPage } from "../../../src/wire/HostedPage.ts"
import { paymentJson } from "../../../src/wire/PaymentJson.ts"
import {
  after,
  answer,
  apply,
  asked,
  begun,
  changed,
  claims,
  givenBack,
  money,
  paid,
  reasons,
  reviewOf,
  taken
} from "../records.ts"
import type { Report } from "../records.ts"

const all = (): OperationAbility => ({ support: "supported", partial: true })

const dispute = (status: DisputeStatus, amount?: number, currency?: string): Outcome => ({
  _tag: "Disputed",
  status,
  ...(amount !== undefined && { amount: money(amount, currency) })
})

/** What can be refunded, by a request for all of it; or why not. */
const left = (record: PaymentRecord, over: { readonly minorUnits?: number; readonly override?: string } = {}) => {
  const verdict = requestOperation(record, { kind: "refund", minorUnits: null, reason: null, ...over }, all)
  switch (verdict._tag) {
    case "Allowed":
      return verdict.minorUnits
    case "ExceedsAvailable":
      return `exceeds ${verdict.refundable.available}`
    default:
      return verdict._tag
  }
}

const shown = (record: PaymentRecord) =>
  disputesOf(record).map(({ closedAt, minorUnits, reference, status }) => [reference, minorUnits, status, closedAt])

const state = (record: PaymentRecord, over: Partial<StatedDispute> = {}, now = 3000) =>
  stateDispute(record, { reference: null, status: "open", amount: null, currency: null, provider: null, ...over }, now)

const stated = (record: PaymentRecord, over: Partial<StatedDispute> = {}): PaymentRecord => {
  const result = state(record, over)
  if ("reason" in result) throw new Error(result.reason)
  return changed(result.change).record
}

const refunding = (record: PaymentRecord, minorUnits: number): PaymentRecord =>
  asked(record, "refund", { kind: "refund", minorUnits })

const typesOf = (before: PaymentRecord, outcome: Outcome, over: Report = {}) =>
  withEvents(before, changed(apply(before, 1, outcome, over))).events.map(({ dispute, type }) => [
    type,
    dispute?.reference
  ])

describe("a dispute", () => {
  it("reduces what can be refunded while it is open and once it is lost, and gives it back once it is won", () => {
    const open = after(paid, [1, dispute("open", 60), { reference: "dp_1" }])
    assert.strictEqual(left(open), 40)
    assert.strictEqual(left(open, { minorUnits: 41 }), "exceeds 40")
    assert.strictEqual(left(after(open, [1, dispute("lost", 60), { reference: "dp_1", now: 2000 }])), 40)
    const won = after(open, [1, dispute("won", 60), { reference: "dp_1", now: 2000 }])
    assert.strictEqual(left(won), 100)
    assert.deepStrictEqual(shown(won), [["dp_1", 60, "won", 2000]])
    assert.strictEqual(won.payment.amountCaptured, 100)
  })

  it("of the whole charge leaves nothing to refund, and a request for all is refused with the amounts", () => {
    const open = after(paid, [1, claims.disputed])
    const verdict = requestOperation(open, { kind: "refund", minorUnits: null, reason: null }, all)
    assert.deepStrictEqual(verdict, {
      _tag: "ExceedsAvailable",
      refundable: { captured: 100, refunded: 0, pending: 0, refundedElsewhere: 0, disputed: 100, available: 0 }
    })
    assert.strictEqual(left(open, { override: "The acquirer asked for it" }), 100)
    assert.strictEqual(left(open, { override: "The acquirer asked for it", minorUnits: 101 }), "TooMuch")
  })

  it("has the same status and amount in whatever order its reports arrive, and repeats add nothing", () => {
    const reports = (["open", "won", "lost"] as const).map((status) => dispute(status, 60))
    const orders = [0, 1, 2].flatMap((first) =>
      [0, 1, 2].flatMap((second) => (second === first ? [] : [[first, second, 3 - first - second]]))
    )
    for (const order of orders) {
      let record = paid
      for (const place of [...order, ...order]) {
        const reported = reports[place]
        if (reported === undefined) throw new Error("three reports")
        const result = apply(record, 1, reported, { reference: "dp_1" })
        if (result._tag === "Changed") record = result.record
      }
      assert.deepStrictEqual(
        disputesOf(record).map(({ minorUnits, status }) => [minorUnits, status]),
        [[60, "lost"]]
      )
      assert.strictEqual(record.entries.length, 4, "one entry for each report")
    }
    const wonFirst = after(paid, [1, dispute("won", 60), { reference: "dp_1" }])
    assert.strictEqual(apply(wonFirst, 1, dispute("open", 60), { reference: "dp_1", now: 2000 })._tag, "Changed")
    assert.strictEqual(left(after(wonFirst, [1, dispute("open", 60), { reference: "dp_1" }])), 100)
  })

  it("is one of several of a charge, each by its reference, and together they leave no less than nothing", () => {
    const two = after(
      paid,
      [1, dispute("open", 30), { reference: "dp_1" }],
      [1, dispute("open", 20), { reference: "dp_2" }]
    )
    assert.strictEqual(left(two), 50)
    const more = after(two, [1, dispute("open", 90), { reference: "dp_3" }])
    assert.strictEqual(left(more), "exceeds 0")
    assert.strictEqual(paymentJson(more, noHostedPage).amount_disputed, 100)
  })

  it("that is reported before the charge is known reduces it once it is", () => {
    const early = after(begun, [1, dispute("open", 60), { reference: "dp_1" }])
    assert.strictEqual(early.payment.state.status, "pending")
    assert.strictEqual(left(after(early, [1, claims.succeeded])), 40)
  })

  it("without a reference is any that has one, and one named like its charge has none", () => {
    const charged = after(begun, [1, claims.succeeded, { reference: "ch_1" }])
    const unnamed = after(charged, [1, dispute("open"), { reference: "ch_1" }])
    assert.deepStrictEqual(shown(unnamed), [[null, 100, "open", null]])
    const named = after(unnamed, [1, dispute("open", 60), { reference: "dp_1" }])
    assert.deepStrictEqual(shown(named), [["dp_1", 60, "open", null]])
    assert.strictEqual(apply(named, 1, dispute("open"))._tag, "Unchanged")
  })

  it("in another currency, or above its charge, counts as all of it", () => {
    const foreign = after(paid, [1, dispute("open", 5, "USD"), { reference: "dp_1" }])
    assert.strictEqual(left(foreign), "exceeds 0")
    assert.deepInclude(paymentJson(foreign, noHostedPage).disputes?.[0], { amount: 5, currency: "USD" })
    assert.strictEqual(left(after(paid, [1, dispute("open", 500), { reference: "dp_1" }])), "exceeds 0")
  })

  it("that an earlier version recorded is open, of the whole charge, until an operator states how it ended", () => {
    const old: PaymentRecord = { ...paid, payment: { ...paid.payment, disputedAt: 500 } }
    assert.deepStrictEqual(shown(old), [[null, 100, "open", null]])
    assert.strictEqual(left(old), "exceeds 0")
    assert.strictEqual(left(stated(old, { status: "won" })), 100)
    const named = after(old, [1, dispute("open", 60), { reference: "dp_1" }])
    assert.deepStrictEqual(shown(named), [["dp_1", 60, "open", null]])
  })
})

describe("the events of a dispute", () => {
  it("say that it was opened and closed, each once, and carry it", () => {
    const name = { reference: "dp_1" }
    assert.deepStrictEqual(typesOf(paid, dispute("open", 60), name), [["payment.disputed", "dp_1"]])
    const open = after(paid, [1, dispute("open", 60), name])
    assert.deepStrictEqual(typesOf(open, dispute("won", 60), name), [["payment.dispute_closed", "dp_1"]])
    const won = after(open, [1, dispute("won", 60), name])
    assert.deepStrictEqual(typesOf(won, dispute("lost", 60), name), [["payment.dispute_closed", "dp_1"]])
    // It was opened, too.
    assert.deepStrictEqual(typesOf(paid, dispute("lost", 60), name), [
      ["payment.disputed", "dp_1"],
      ["payment.dispute_closed", "dp_1"]
    ])
    assert.deepStrictEqual(typesOf(open, dispute("open", 70), name), [], "another amount")
    const unnamed = after(paid, [1, claims.disputed])
    assert.deepStrictEqual(typesOf(unnamed, dispute("open", 60), name), [], "the same one, by its name")
  })
})

describe("money that is refunded and disputed", () => {
  const refunded = (record: PaymentRecord) =>
    after(refunding(record, 70), ["refund", givenBack(70), { reference: "re_1" }])

  it("is in review for what exceeds the charge, and no longer once the dispute is won", () => {
    const both = after(refunded(paid), [1, dispute("open", 60), { reference: "dp_1" }])
    assert.deepInclude(reviewOf(both, "disputed_refund"), { minorUnits: 30, reference: "dp_1", provider: "p1" })
    assert.deepStrictEqual(reasons(after(both, [1, dispute("won", 60), { reference: "dp_1" }])), [])
    assert.deepStrictEqual(reasons(after(refunded(paid), [1, dispute("open", 30), { reference: "dp_1" }])), [])
  })

  it("is in review until an operator dismisses it, which is all that fits", () => {
    const both = after(refunded(paid), [1, dispute("lost", 60), { reference: "dp_1" }])
    for (const resolution of ["succeeded", "not_done", "given_back"] as const) {
      assert.isNull(answer(both, "disputed_refund", resolution))
    }
    const dismissed = changed(answer(both, "disputed_refund", "dismissed")).record
    assert.deepStrictEqual(reasons(dismissed), [])
    const more = after(dismissed, [1, dispute("open", 20), { reference: "dp_2" }])
    assert.strictEqual(reviewOf(more, "disputed_refund").minorUnits, 50)
  })

  it("is left of what was refunded in the provider's dashboard, too", () => {
    const outside = after(paid, [1, givenBack(70), { reference: "re_9" }])
    assert.strictEqual(left(outside), 30)
    assert.strictEqual(left(outside, { minorUnits: 31 }), "exceeds 30")
    assert.strictEqual(left(outside, { minorUnits: 31, override: "The dashboard shows no re_9" }), 31)
    assert.strictEqual(left(after(outside, [1, dispute("open", 30), { reference: "dp_1" }])), "exceeds 0")
  })

  it("is not refunded automatically while the excess is disputed", () => {
    const excess = after(
      asked(after(begun, [1, claims.authorized, { reference: "ch_1" }]), "capture", {
        kind: "capture",
        minorUnits: 60
      }),
      ["capture", taken(90), { source: "inquiry", reference: "ch_1" }]
    )
    const due = (record: PaymentRecord) => dueReversals(record).map(({ minorUnits }) => minorUnits)
    assert.deepStrictEqual(due(excess), [30])
    assert.deepStrictEqual(due(after(excess, [1, dispute("open", 50), { reference: "dp_1" }])), [30])
    assert.deepStrictEqual(due(after(excess, [1, dispute("open", 70), { reference: "dp_1" }])), [20])
    const whole = after(excess, [1, dispute("open", 90), { reference: "dp_1" }])
    assert.deepStrictEqual(due(whole), [])
    assert.strictEqual(reviewOf(whole, "excess_capture").minorUnits, 30)
  })
})

describe("an operator", () => {
  it("records a dispute that is not reported, its amount and its end", () => {
    const open = stated(paid, { reference: "case 7", amount: 40 })
    assert.deepStrictEqual(shown(open), [["case 7", 40, "open", null]])
    assert.strictEqual(disputesOf(open)[0]?.source, "operator" satisfies Dispute["source"])
    assert.strictEqual(left(open), 60)
    assert.strictEqual(left(stated(open, { reference: "case 7", status: "won" })), 100)
    assert.deepStrictEqual(shown(stated(open, { reference: "case 7", amount: 50 })), [["case 7", 50, "open", null]])
    assert.deepStrictEqual(shown(stated(paid, { status: "lost" })), [[null, 100, "lost", 3000]])
  })

  it("takes precedence over what was reported before, and not over a loss that is reported afterwards", () => {
    const lost = after(paid, [1, dispute("lost", 60), { reference: "dp_1" }])
    const won = stated(lost, { reference: "dp_1", status: "won" })
    assert.strictEqual(left(won), 100)
    assert.strictEqual(apply(won, 1, dispute("lost", 60), { reference: "dp_1" })._tag, "Unchanged", "a repeat")
    assert.strictEqual(left(after(won, [1, dispute("lost", 50), { reference: "dp_1" }])), 50)
    const early = stated(after(paid, [1, dispute("open", 60), { reference: "dp_1" }]), {
      reference: "dp_1",
      status: "won"
    })
    assert.strictEqual(left(after(early, [1, dispute("lost", 60), { reference: "dp_1" }])), 40)
    const stays = stated(lost, { reference: "dp_1", status: "lost", amount: 70 })
    assert.strictEqual(left(after(stays, [1, dispute("won", 60), { reference: "dp_1" }])), 30)
  })

  it("is refused with a reason where the statement cannot be true, and nothing changes", () => {
    const open = after(paid, [1, dispute("open", 60), { reference: "dp_1" }])
    const refusals: ReadonlyArray<readonly [PaymentRecord, Partial<StatedDispute>, unknown]> = [
      [paid, { amount: 101 }, { reason: "above_charge", most: 100 }],
      [paid, { currency: "USD" }, { reason: "other_currency" }],
      [paid, { status: "won" }, { reason: "not_opened" }],
      [open, { status: "won", reference: "dp_2" }, { reason: "not_opened" }],
      [paid, { amount: 0 }, { reason: "invalid_amount" }],
      [paid, { amount: 1.5 }, { reason: "invalid_amount" }],
      [begun, {}, { reason: "no_charge" }],
      [paid, { provider: "p9" }, { reason: "no_charge" }],
      [open, {}, { reason: "reference_needed" }],
      [open, { reference: "dp_1" }, { reason: "unchanged" }]
    ]
    for (const [record, statement, refusal] of refusals)
      assert.deepStrictEqual<unknown>(state(record, statement), refusal)
  })
})
