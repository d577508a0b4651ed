/**
 * Schedules inquiries about operations that failed and may be found at the provider later, and about doubtful reports.
 * Pure.
 */
import { isOpen } from "../Operation.ts"
import type { Operation } from "../Operation.ts"
import type { PaymentRecord } from "../Payment.ts"
import type { Subject } from "../Step.ts"
import { reportedBy } from "../books/reviews.ts"
import { doubted, replace } from "./change.ts"
import type { Transition } from "./change.ts"
import { explainingCapture } from "./reportedMoney.ts"

/** Schedules an inquiry about an operation that failed, `after` ms from now; none if `after` is `undefined`. */
export const scheduleRecheck = (
  record: PaymentRecord,
  { id }: Operation,
  now: number,
  after: number | undefined
): PaymentRecord => {
  const latest = record.operations.find((each) => each.id === id)
  const isFailed = latest?.status === "not_executed" || latest?.status === "declined"
  return after === undefined || latest === undefined || !isFailed || latest.nextCheckAt !== null
    ? record
    : replace(record, { operations: [{ ...latest, checks: 0, nextCheckAt: now + after }] })
}

/** Schedules an immediate inquiry about the attempt's charge, if the charge is open or holds funds. */
export const inquiredNow = ({ attempt, record, step }: Subject): PaymentRecord =>
  replace(record, {
    operations: record.operations
      .filter(
        (each) =>
          each.kind === "create" && each.attemptSeq === attempt.seq && (isOpen(each) || each.status === "authorized")
      )
      .map((each) => ({ ...each, nextCheckAt: step.now }))
  })

/**
 * Opens a review about a contradiction that an inquiry may settle. If the provider supports no inquiries, an operator
 * settles it.
 */
export const contradictedUntilInquired = (subject: Subject): Transition => {
  const { evidence, operation, record, step } = subject
  // A report without an amount counts as a report of the requested amount.
  const money = { ...record.payment.amount, minorUnits: explainingCapture(subject)?.minorUnits ?? operation.minorUnits }
  return doubted(inquiredNow(subject), "contradiction", operation, step.now, { money, ...reportedBy(evidence) })
}
