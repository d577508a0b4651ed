/** A report that only the provider's own books can settle: its charge is inquired about at once. Pure. */
import { explainingCapture } from "./agreement.ts"
import { doubted, replace } from "./change.ts"
import type { Transition } from "./change.ts"
import { isOpen } from "../Operation.ts"
import type { PaymentRecord } from "../Payment.ts"
import { reportedBy } from "../books/reviews.ts"
import type { Subject } from "../Step.ts"

/** The record with the next look at the attempt's charge at once, while something of it is open or held. */
export const inquiredNow = ({ attempt, record, step }: Subject): PaymentRecord =>
  replace(record, {
    operations: record.operations
      .filter(
        (each) =>
          each.kind === "create" && each.attemptSeq === attempt.seq && (isOpen(each) || each.status === "authorized")
      )
      .map((each) => ({ ...each, nextCheckAt: step.now }))
  })

/** Where the provider cannot be asked, the contradiction stands until an operator has answered it. */
export const contradictedUntilInquired = (subject: Subject): Transition => {
  const { evidence, operation, record, step } = subject
  // Without an amount, the report says that what was asked is done.
  const money = { ...record.payment.amount, minorUnits: explainingCapture(subject)?.minorUnits ?? operation.minorUnits }
  return doubted(inquiredNow(subject), "contradiction", operation, step.now, { money, ...reportedBy(evidence) })
}
