/** Handles reports that name the charge of another payment: such a report proves nothing about this payment. Pure. */
import { changed, derived } from "../../domain/transition/change.ts"
import type { Changed } from "../../domain/transition/change.ts"
import type { Operation } from "../../domain/Operation.ts"
import type { PaymentRecord } from "../../domain/Payment.ts"
import { questioned, reportedBy } from "../../domain/books/reviews.ts"
import type { Step } from "../../domain/Step.ts"
import { transition } from "../../domain/transition/transition.ts"
import type { Evidence } from "../../domain/Evidence.ts"
import { unknown } from "../../domain/Outcome.ts"

/**
 * The change for a report that names the charge of another payment: the outcome stays unknown, and a review shows the report.
 * `null`: that review is open already.
 */
export const conflictOf = (
  record: PaymentRecord,
  operation: Operation,
  evidence: Evidence,
  step: Step
): Changed | null => {
  // The operation must not get the reference of the other payment's charge.
  const unnamed = { ...withoutOutcome(evidence), about: { operation: operation.id } }
  const held = transition(record, operation, unnamed, step)
  const change = held._tag === "Changed" ? held : changed(record, step.now, {}, null)
  const asked = questioned(change.record, "reference_conflict", operation, step.now, reportedBy(evidence))
  return held._tag === "Unchanged" && asked === change.record ? null : { ...change, record: derived(asked, step.now) }
}

/** The evidence, with its outcome replaced by an unknown outcome that keeps only the vendor's code. */
export const withoutOutcome = (evidence: Evidence): Evidence => {
  const { vendorCode } = evidence.outcome
  return { ...evidence, outcome: unknown({ reason: "unreadable", ...(vendorCode !== undefined && { vendorCode }) }) }
}

/** References of charges in new entries that no operation of the payment has. */
export const unmatchedCharges = (before: PaymentRecord, after: PaymentRecord): ReadonlyArray<string> => {
  const unmatched: Array<string> = []
  for (const { basis, reference } of after.entries.slice(before.entries.length)) {
    if (basis !== "total" || reference === null) continue
    if (!after.operations.some((operation) => operation.reference === reference)) unmatched.push(reference)
  }
  return unmatched
}

export const isChargeOfAnother = (
  found: PaymentRecord,
  { payment }: PaymentRecord,
  provider: string,
  reference: string
): boolean =>
  found.payment.id !== payment.id &&
  found.operations.some((each) => each.kind === "create" && each.provider === provider && each.reference === reference)
