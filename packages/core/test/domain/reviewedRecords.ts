/** Payments in review, at least one for each reason, of each kind of operation that can be in question. */
import type { PaymentRecord } from "../../src/domain/Payment.ts"
import type { Outcome } from "../../src/domain/Outcome.ts"
import type { ReviewReason } from "../../src/domain/Review.ts"
import {
  after,
  asked,
  attempt,
  begun,
  claims,
  failed,
  givenBack,
  held,
  inReview,
  money,
  operation,
  paid,
  taken
} from "./records.ts"

const next = { attempt: attempt(2), operation: operation(2) }
const shown = after(begun, [1, claims.pending])
const automatic: PaymentRecord = { ...begun, payment: { ...begun.payment, captureMethod: "automatic" } }
const onChain: PaymentRecord = {
  ...automatic,
  payment: { ...automatic.payment, method: { rail: "stablecoin", asset: "USDC", network: "base" } }
}
const twice = after(begun, [1, claims.declined, { next }], [2, claims.succeeded], [1, claims.succeeded])
const late = after(failed, [1, claims.succeeded, { lateSuccess: "reverse" }])
const hold = after(failed, [1, claims.authorized])
const capturing = asked(held, "c", { kind: "capture", minorUnits: 60 })
const refunding = asked(paid, "r", { kind: "refund", minorUnits: 60 })
const canceling = asked(held, "x", { kind: "cancel" })

const received = (record: PaymentRecord, minorUnits: number, currency?: string): PaymentRecord =>
  after(record, [1, { _tag: "Succeeded", amount: money(minorUnits, currency) }])

/** An operation of unknown outcome, without a scheduled inquiry. */
const lost = (record: PaymentRecord, name: string | number): PaymentRecord => {
  const unknown = after(record, [name, claims.unknown])
  const operations = unknown.operations.map((each) =>
    each.id === `op_${name}` ? { ...each, nextCheckAt: null } : each
  )
  return inReview({ ...unknown, operations }, "inquiries_exhausted", name)
}

const confirmed = (record: PaymentRecord, outcome: Outcome): PaymentRecord =>
  after(record, [1, outcome, { source: "inquiry", lateSuccess: "reverse" }])

const questionsOf = (
  state: string,
  record: PaymentRecord,
  reasons: ReadonlyArray<ReviewReason>
): ReadonlyArray<readonly [string, PaymentRecord]> =>
  reasons.map((reason) => [`${reason}, ${state}`, inReview(record, reason, 1)])

export const reviewedRecords: ReadonlyArray<readonly [name: string, record: PaymentRecord]> = [
  ["less than requested", received(automatic, 99)],
  ["half of a payment with manual capture", received(begun, 50)],
  ["more than requested", received(automatic, 130)],
  ["less in another currency", received(automatic, 90, "USD")],
  ["another coin", received(onChain, 0)],
  ["less on a chain", received(onChain, 70)],
  ["less of a capture", after(capturing, ["c", taken(40)])],
  ["less of a capture, reported of its charge", after(capturing, [1, taken(40)])],
  ["less of a refund", after(refunding, ["r", { _tag: "Succeeded", amount: money(40) }])],
  ["nothing of a refund", after(refunding, ["r", { _tag: "Succeeded", amount: money(0) }])],
  ["a refund in another currency", after(refunding, ["r", { _tag: "Succeeded", amount: money(60, "USD") }])],
  ["less, and another report of more", after(received(automatic, 50), [1, taken(130)])],
  ["less, and the provider took it back", after(received(automatic, 50), [1, claims.captureFailed])],
  ["a hold of less", after(begun, [1, { _tag: "Authorized", amount: money(99) }])],
  ["less in a payment that is canceled", asked(received(automatic, 99), "x", { kind: "cancel", status: "pending" })],
  ["a payment of unknown outcome", lost(begun, 1)],
  ["a capture of unknown outcome", lost(capturing, "c")],
  ["a refund of unknown outcome", lost(refunding, "r")],
  ["a cancel of unknown outcome", lost(canceling, "x")],
  [
    "a reversal of unknown outcome",
    lost(asked(confirmed(twice, claims.succeeded), "v", { kind: "refund", purpose: "reversal" }), "v")
  ],
  ["a second charge", twice],
  ["a second charge, confirmed", confirmed(twice, claims.succeeded)],
  ["a late charge", late],
  ["a late charge, confirmed", confirmed(late, claims.succeeded)],
  ["a late hold", hold],
  ["a late hold, confirmed", confirmed(hold, claims.authorized)],
  ["more of a capture", after(capturing, ["c", taken(80)])],
  ["more of a capture, confirmed", after(capturing, ["c", taken(80), { source: "inquiry" }])],
  [
    "two amounts on a chain",
    after(onChain, [1, taken(130), { reference: "ch_1" }], [1, taken(110), { reference: "ch_1" }])
  ],
  ["a refund that had failed", after(refunding, ["r", claims.refundFailed], ["r", claims.refundSucceeded])],
  ["a refund without a request", after(paid, [1, givenBack(30), { reference: "re_9" }])],
  [
    "a refund of disputed money",
    after(
      refunding,
      ["r", claims.refundSucceeded],
      [1, { _tag: "Disputed", status: "open", amount: money(60) }, { reference: "dp_1" }]
    )
  ],
  ["a capture by an instance that is gone", inReview(capturing, "instance_not_configured", "c")],
  ["a refund by an instance that is gone", inReview(refunding, "instance_not_configured", "r")],
  ...questionsOf("pending", shown, [
    "reference_conflict",
    "unreadable_report",
    "close_failed",
    "contradiction",
    "instance_not_configured"
  ]),
  ...questionsOf("unknown", after(begun, [1, claims.unknown]), [
    "reference_conflict",
    "unreadable_report",
    "contradiction",
    "instance_not_configured"
  ]),
  ...questionsOf("authorized", held, ["unreadable_report", "contradiction", "instance_not_configured"]),
  ...questionsOf("paid", paid, [
    "reference_conflict",
    "unreadable_report",
    "contradiction",
    "capture_failed",
    "paid_after_close",
    "possible_duplicate"
  ]),
  ...questionsOf("failed", failed, ["reference_conflict", "unreadable_report", "contradiction"])
]
