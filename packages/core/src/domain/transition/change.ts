/** A change of a payment: the new record with the next version, and its event. Pure. */
import { byOperator } from "../Attempt.ts"
import type { Attempt } from "../Attempt.ts"
import type { OperationId } from "../Ids.ts"
import type { Evidence } from "../Evidence.ts"
import type { Money } from "../Money.ts"
import type { Operation } from "../Operation.ts"
import type { Payment, PaymentRecord, PaymentState } from "../Payment.ts"
import type { EventType } from "../PaymentEvent.ts"
import type { ReviewReason } from "../Review.ts"
import type { Subject } from "../Step.ts"
import { amountCaptured, amountReceived, amountRefunded, isPlain } from "../books/balance.ts"
import { questioned, standingReviews } from "../books/reviews.ts"
import { explainingCapture } from "./reportedMoney.ts"

export interface Changed {
  readonly _tag: "Changed"
  /** The new record with the next `payment.version`. `withEvents` counts its events. */
  readonly record: PaymentRecord
  /**
   * The event about the payment's status or a refund, or `null`. Events about disputes and reviews are derived in
   * `books/events.ts`.
   */
  readonly event: EventType | null
  /** The refund that the event is about; `null` for other events. */
  readonly refund: OperationId | null
}

export type Transition =
  | Changed
  | { readonly _tag: "Unchanged"; readonly because: "duplicate" | "out_of_order" | "not_applicable" }

export const notApplicable: Transition = { _tag: "Unchanged", because: "not_applicable" }
export const duplicate: Transition = { _tag: "Unchanged", because: "duplicate" }
export const outOfOrder: Transition = { _tag: "Unchanged", because: "out_of_order" }

/** The fields that transitions do not set, because they are computed for each change, most of them from the books. */
type Derived =
  | "amountCaptured"
  | "amountReceived"
  | "amountRefunded"
  | "reviews"
  | "version"
  | "eventSequence"
  | "updatedAt"

/** Applies `change` to the payment of the record, as its next version. */
export const changed = (
  record: PaymentRecord,
  now: number,
  change: Partial<Omit<Payment, Derived>>,
  event: EventType | null,
  refund: OperationId | null = null
): Changed => {
  const { payment } = record
  const after: PaymentRecord = {
    ...record,
    payment: {
      ...payment,
      ...change,
      version: payment.version + 1,
      updatedAt: now
    }
  }
  return { _tag: "Changed", event, refund, record: derived(after, now) }
}

/**
 * Recomputes the fields of a record that follow from its books: amounts, reviews and the shown state. The version does
 * not change.
 */
export const derived = (record: PaymentRecord, now: number): PaymentRecord => {
  const { payment } = record
  const isShown = payment.reviews.length > 0 || payment.amountRefunded > 0
  if (isPlain(record) && !isShown) {
    const captured = record.entries.length > 0 && payment.state.status === "succeeded" ? payment.amount.minorUnits : 0
    const state = shownState(record, false)
    return captured === payment.amountCaptured && state === payment.state
      ? record
      : { ...record, payment: { ...payment, amountCaptured: captured, state } }
  }
  const reviews = standingReviews(record, now)
  return {
    ...record,
    payment: {
      ...payment,
      amountCaptured: amountCaptured(record),
      amountRefunded: amountRefunded(record),
      amountReceived: amountReceived(record, reviews),
      reviews,
      state: shownState(record, reviews.length > 0)
    }
  }
}

/** The public state of the payment. While a review is open, a pending payment has the reason `needs_review`. */
const shownState = ({ attempts, payment: { state } }: PaymentRecord, isInReview: boolean): PaymentState => {
  if (state.status !== "pending" || (state.reason === "needs_review") === isInReview) return state
  if (isInReview) return { ...state, reason: "needs_review" }
  if (state.nextAction !== null) return { ...state, reason: "awaiting_customer" }
  return { ...state, reason: attempts.at(-1)?.status === "unknown" ? "outcome_unknown" : "processing" }
}

/** Replaces rows of a record by the rows in `changes` that have the same identity. */
export const replace = (
  record: PaymentRecord,
  changes: { readonly attempt?: Attempt; readonly operations?: ReadonlyArray<Operation> }
): PaymentRecord => ({
  ...record,
  attempts: record.attempts.map((attempt) => (attempt.seq === changes.attempt?.seq ? changes.attempt : attempt)),
  operations: record.operations.map(
    (operation) => changes.operations?.find((change) => change.id === operation.id) ?? operation
  )
})

/** Ends the operation with the given status. */
export const ended = (operation: Operation, status: Operation["status"], now: number): Operation => ({
  ...operation,
  status,
  unsettled: false,
  nextCheckAt: null,
  endedAt: now
})

/**
 * The end time of an attempt that takes money. A capture keeps the time of the authorization, when the provider's
 * answer was known.
 */
export const endOf = ({ endedAt, status }: Attempt, now: number): number =>
  status === "authorized" ? (endedAt ?? now) : now

/** Opens a review for a report that only an operator can settle. A repeated report changes nothing. */
export const doubted = (
  record: PaymentRecord,
  reason: ReviewReason,
  operation: Operation,
  now: number,
  report: { readonly money?: Money; readonly reference?: string | null } = {}
): Transition => {
  const asked = questioned(record, reason, operation, now, report)
  return asked === record ? duplicate : changed(asked, now, {}, null)
}

/**
 * The change that sends the event `payment.pending` to the merchant when a create request is answered before the
 * outcome is known; `null` if the event was sent before, or the payment is decided.
 */
export const announcePending = (record: PaymentRecord, now: number): Changed | null =>
  record.payment.state.status === "pending" && !record.payment.pendingAnnounced
    ? changed(record, now, { pendingAnnounced: true }, "payment.pending")
    : null

/** Sends `payment.pending` once, with the first change that leaves the payment open. */
export const pendingChange = (record: PaymentRecord, state: PaymentState, now: number): Transition =>
  record.payment.pendingAnnounced
    ? changed(record, now, { state }, null)
    : changed(record, now, { state, pendingAnnounced: true }, "payment.pending")

/** Ends an attempt and its create operation; if money was taken, also the capture that explains it. */
export const settle = (subject: Subject, change: Partial<Attempt>, status: Operation["status"]): PaymentRecord => {
  const { attempt, evidence, operation, record, step } = subject
  const explaining = status === "succeeded" ? explainingCapture(subject) : undefined
  const captures = explaining === undefined ? [] : [explaining]
  const isFound = status === "succeeded" && evidence.source === "operator"
  // Cancels the planned operations that would close the attempt as abandoned, because the payer paid at the last
  // moment.
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
      // The number of inquiries is reset, since the outcome is final.
      {
        ...ended(operation, status, step.now),
        checks: 0,
        // If neither the outcome nor the operation has a reference, stores the reference by which the report was
        // assigned to the operation.
        reference: evidence.outcome.reference ?? operation.reference ?? referenceOf(evidence)
      },
      ...captures.map((each) => ended({ ...each, code: null }, "succeeded", step.now)),
      ...closes.map((each) => ended(each, "canceled", step.now))
    ]
  })
}

/** The provider's reference that a report is about. */
export const referenceOf = ({ about, outcome }: Evidence): string | null =>
  outcome.reference ?? ("providerReference" in about ? about.providerReference : null)
