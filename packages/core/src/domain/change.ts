/** How a change of a payment is written down: a new record with the next version, and the event that tells it. Pure. */
import type { Attempt } from "./Attempt.ts"
import type { OperationId } from "./Ids.ts"
import { isOpen } from "./Operation.ts"
import type { Operation } from "./Operation.ts"
import type { Payment, PaymentRecord, ReviewReason } from "./Payment.ts"
import type { EventType } from "./PaymentEvent.ts"
import { isGivenBack } from "./surplus.ts"

export interface Changed {
  readonly _tag: "Changed"
  /** `payment.version` is one higher. */
  readonly record: PaymentRecord
  /** Told with the change. */
  readonly event: EventType | null
  /** The refund that the event tells of. */
  readonly refund: OperationId | null
}

export type Transition =
  | Changed
  | { readonly _tag: "Unchanged"; readonly because: "duplicate" | "out_of_order" | "not_applicable" }

export const notApplicable: Transition = { _tag: "Unchanged", because: "not_applicable" }
export const duplicate: Transition = { _tag: "Unchanged", because: "duplicate" }
export const outOfOrder: Transition = { _tag: "Unchanged", because: "out_of_order" }

/** `record` with `change` on its payment, as the next version. */
export const changed = (
  record: PaymentRecord,
  now: number,
  change: Partial<Payment>,
  event: EventType | null,
  refund: OperationId | null = null
): Changed => {
  const { payment } = record
  const after = {
    ...payment,
    ...change,
    version: payment.version + 1,
    eventSequence: payment.eventSequence + (event === null ? 0 : 1),
    updatedAt: now
  }
  return {
    _tag: "Changed",
    event,
    refund,
    record: { ...record, payment: settledReview({ ...record, payment: after }) }
  }
}

/** Nobody has to look at what has resolved itself; what stays unknown beside it is looked at all the same. */
const settledReview = (record: PaymentRecord): Payment => {
  const { payment } = record
  const { review, state } = payment
  if (review === null || !isResolved(record, review.reason)) return payment
  if (!isResolved(record, "inquiries_exhausted")) return { ...payment, review: { reason: "inquiries_exhausted" } }
  return {
    ...payment,
    review: null,
    state: state.status === "pending" && state.reason === "needs_review" ? { ...state, reason: "processing" } : state
  }
}

const isLookedAfter = (operation: Operation): boolean => !isOpen(operation) || operation.nextCheckAt !== null

const isResolved = (record: PaymentRecord, reason: ReviewReason): boolean => {
  const { attempts, operations, payment } = record
  switch (reason) {
    case "inquiries_exhausted":
      // Something is open that nobody looks after any more.
      return operations.every(isLookedAfter)
    case "close_failed":
      return payment.state.status !== "pending"
    case "late_authorization":
      return attempts.every((attempt) => isGivenBack(record, attempt))
    default:
      return false
  }
}

/** What stands in `changes` takes the place of the row with the same identity. */
export const replace = (
  record: PaymentRecord,
  changes: { readonly attempt?: Attempt; readonly operations?: ReadonlyArray<Operation> }
): PaymentRecord => ({
  payment: record.payment,
  attempts: record.attempts.map((attempt) => (attempt.seq === changes.attempt?.seq ? changes.attempt : attempt)),
  operations: record.operations.map(
    (operation) => changes.operations?.find((change) => change.id === operation.id) ?? operation
  )
})

/** The operation at its end. */
export const ended = (operation: Operation, status: Operation["status"], now: number): Operation => ({
  ...operation,
  status,
  unsettled: false,
  nextCheckAt: null,
  endedAt: now
})

/** Operations of an attempt that are still to be done or found out, of some kind. */
export const openOperations = (
  { operations }: PaymentRecord,
  attemptSeq: number,
  kind: Operation["kind"]
): ReadonlyArray<Operation> =>
  operations.filter((operation) => operation.attemptSeq === attemptSeq && operation.kind === kind && isOpen(operation))

/** The first reason stays: it is what an operator is looking at. One that may resolve itself gives way. */
export const underReview = (payment: Payment, reason: ReviewReason): Partial<Payment> => {
  if (payment.review !== null && !givesWay(payment.review.reason, reason)) return {}
  return payment.state.status === "pending"
    ? { review: { reason }, state: { ...payment.state, reason: "needs_review" } }
    : { review: { reason } }
}

const givesWay = (standing: ReviewReason, reason: ReviewReason): boolean =>
  standing !== reason && (standing === "inquiries_exhausted" || standing === "close_failed")

/** Something is told that nobody can settle but an operator; once, and never lost under a reason that resolves itself. */
export const doubted = (record: PaymentRecord, reason: ReviewReason, now: number): Transition => {
  const { payment } = record
  return payment.review === null || givesWay(payment.review.reason, reason)
    ? changed(record, now, underReview(payment, reason), null)
    : duplicate
}

/** The change that asks an operator to look. `null`: it is asked already. */
export const flagForReview = (record: PaymentRecord, reason: ReviewReason, now: number): Changed | null =>
  record.payment.review === null ? changed(record, now, underReview(record.payment, reason), null) : null

/**
 * The change that tells the merchant `payment.pending` when create answers before anything is decided.
 * `null`: it was told, or the payment is decided.
 */
export const announcePending = (record: PaymentRecord, now: number): Changed | null =>
  record.payment.state.status === "pending" && !record.payment.pendingAnnounced
    ? changed(record, now, { pendingAnnounced: true }, "payment.pending")
    : null
