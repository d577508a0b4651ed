/** Ends an attempt, or announces a payment that stays open. Pure. */
import { explainingCapture } from "./agreement.ts"
import type { Attempt } from "../Attempt.ts"
import { changed, ended, endOf, replace } from "./change.ts"
import type { Transition } from "./change.ts"
import { referenceOf } from "./otherCharge.ts"
import type { Operation } from "../Operation.ts"
import type { PaymentRecord, PaymentState } from "../Payment.ts"
import type { Subject } from "../Step.ts"
import { byOperator } from "./successName.ts"

/** `payment.pending` is announced once, with the first change that leaves the payment open. */
export const pendingChange = (record: PaymentRecord, state: PaymentState, now: number): Transition =>
  record.payment.pendingAnnounced
    ? changed(record, now, { state }, null)
    : changed(record, now, { state, pendingAnnounced: true }, "payment.pending")

/** The attempt and its create operation come to a definite end; where that is money taken, so do its captures. */
export const settle = (subject: Subject, change: Partial<Attempt>, status: Operation["status"]): PaymentRecord => {
  const { attempt, evidence, operation, record, step } = subject
  const explaining = status === "succeeded" ? explainingCapture(subject) : undefined
  const captures = explaining === undefined ? [] : [explaining]
  const isFound = status === "succeeded" && evidence.source === "operator"
  // An attempt that paid at the last moment is not closed any more.
  const closes = record.operations.filter(
    (each) => each.attemptSeq === attempt.seq && each.purpose === "expiry" && each.status === "planned"
  )
  return replace(record, {
    attempt: {
      ...attempt,
      vendorCode: evidence.outcome.vendorCode ?? (isFound ? byOperator : attempt.vendorCode),
      endedAt: status === "succeeded" ? endOf(attempt, step.now) : step.now,
      ...change
    },
    operations: [
      // Inquiries before the end confirm nothing that is reported with it.
      {
        ...ended(operation, status, step.now),
        checks: 0,
        // A charge that was found by a reference which is only remembered names the operation that has none.
        reference: evidence.outcome.reference ?? operation.reference ?? referenceOf(evidence)
      },
      ...captures.map((each) => ended({ ...each, code: null }, "succeeded", step.now)),
      ...closes.map((each) => ended(each, "canceled", step.now))
    ]
  })
}
