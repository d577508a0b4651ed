/**
 * What a piece of evidence makes of a payment. Pure: no clock, no database, no provider.
 *
 * It holds the state machines of Payment, Attempt and Operation, and these rules: terminal states change only by a
 * `late` success (I4); amount and currency must be the request's (I13); money taken twice is never hidden (review);
 * every change of status tells exactly one event (I9).
 */
import { isClosedWithoutMoney, isInFlight } from "./Attempt.ts"
import type { Attempt } from "./Attempt.ts"
import type { Failure, FailureCode } from "./Decline.ts"
import * as Money from "./Money.ts"
import type { Operation } from "./Operation.ts"
import type { Payment, PaymentRecord, PaymentState, PendingReason, ReviewReason } from "./Payment.ts"
import type { EventType } from "./PaymentEvent.ts"
import type { Evidence, EvidenceClaim } from "../provider/Evidence.ts"

export type Transition =
  /** `event` is told with the change; `record.payment.version` is one higher. */
  | { readonly _tag: "Changed"; readonly record: PaymentRecord; readonly event: EventType | null }
  | { readonly _tag: "Unchanged"; readonly because: "duplicate" | "out_of_order" | "not_applicable" }

/** What the executor adds to the evidence: time, and what it decided should follow. */
export interface Step {
  /** ms UTC */
  readonly now: number
  /** The candidate that is tried next, when this attempt is closed without money. */
  readonly next: { readonly attempt: Attempt; readonly operation: Operation } | null
  /** Why the payment fails, when it is closed without money and nothing follows. */
  readonly failure: Failure | null
  /** When the operation is looked after again, if it stays open. ms UTC */
  readonly nextCheckAt: number | null
}

/** Applies `evidence` about `operation` to `record`. */
export const transition = (record: PaymentRecord, operation: Operation, evidence: Evidence, step: Step): Transition => {
  const attempt = record.attempts[operation.attemptSeq - 1]
  if (attempt === undefined || operation.kind !== "create") return notApplicable
  const subject: Subject = { record, attempt, operation, evidence, step }
  if (isInFlight(attempt.status)) return whileInFlight(subject)
  if (attempt.status === "authorized") return whileAuthorized(subject)
  if (isClosedWithoutMoney(attempt.status) && takesMoney(evidence.claim)) return moneyTaken(subject, true)
  return takesMoney(evidence.claim) ? duplicate : outOfOrder
}

/**
 * The change that tells the merchant `payment.pending` when create answers before anything is decided.
 * `null`: it was told, or the payment is decided.
 */
export const announcePending = (record: PaymentRecord, now: number): Transition | null =>
  record.payment.state.status === "pending" && !record.payment.pendingAnnounced
    ? changed(record, record.payment, now, { pendingAnnounced: true }, "payment.pending")
    : null

/** The change that asks an operator to look. `null`: it is asked already. */
export const flagForReview = (record: PaymentRecord, reason: ReviewReason, now: number): Transition | null =>
  record.payment.review === null
    ? changed(record, record.payment, now, underReview(record.payment, reason), null)
    : null

interface Subject {
  readonly record: PaymentRecord
  readonly attempt: Attempt
  readonly operation: Operation
  readonly evidence: Evidence
  readonly step: Step
}

const notApplicable: Transition = { _tag: "Unchanged", because: "not_applicable" }
const duplicate: Transition = { _tag: "Unchanged", because: "duplicate" }
const outOfOrder: Transition = { _tag: "Unchanged", because: "out_of_order" }

const takesMoney = (claim: EvidenceClaim): boolean => claim.kind === "succeeded" || claim.kind === "captured"

const whileInFlight = (subject: Subject): Transition => {
  const { claim } = subject.evidence
  switch (claim.kind) {
    case "succeeded":
    case "captured":
      return moneyTaken(subject, false)
    case "authorized":
      return moneyHeld(subject)
    case "pending":
      return stillOpen(subject, "pending", claim.awaitingFinality ? "awaiting_finality" : openReason(claim))
    case "detected":
      return stillOpen(subject, "pending", "awaiting_finality")
    case "retracted":
      return stillOpen(subject, "pending", "awaiting_customer")
    case "unknown":
      return stillOpen(subject, "unknown", "outcome_unknown")
    case "declined":
      return closed(subject, "declined", claim.code)
    case "not_executed":
    case "not_found":
      return closed(subject, "not_executed", null)
    case "expired":
      return closed(subject, "expired", "customer_timeout")
    case "canceled":
      return closed(subject, "canceled", "customer_canceled")
    case "capture_failed":
    case "refund_pending":
    case "refund_succeeded":
    case "refund_failed":
    case "disputed":
      return notApplicable
  }
}

const whileAuthorized = (subject: Subject): Transition => {
  switch (subject.evidence.claim.kind) {
    case "succeeded":
    case "captured":
      return moneyTaken(subject, false)
    case "canceled":
      return closed(subject, "canceled", "customer_canceled")
    case "expired":
      return closed(subject, "expired", "authorization_expired")
    case "authorized":
      return duplicate
    default:
      return outOfOrder
  }
}

const openReason = (claim: { readonly nextAction: unknown }): PendingReason =>
  claim.nextAction === null ? "processing" : "awaiting_customer"

/** Money was taken by this attempt: the payment succeeds, unless another attempt has taken it already. */
const moneyTaken = (subject: Subject, late: boolean): Transition => {
  const { evidence, record, step } = subject
  const { payment } = record
  if (!amountAgrees(evidence.claim, payment)) return mismatch(subject)
  const taken = settle(subject, { status: "succeeded", late }, "succeeded")
  switch (payment.state.status) {
    case "pending":
    case "authorized":
    case "failed":
      return changed(
        taken,
        payment,
        step.now,
        {
          state: { status: "succeeded", late: late && payment.state.status === "failed" },
          amountCaptured: payment.amount.minorUnits
        },
        "payment.succeeded"
      )
    case "succeeded":
      return changed(taken, payment, step.now, underReview(payment, "duplicate_capture"), null)
    case "canceled":
      return changed(taken, payment, step.now, underReview(payment, "late_success_after_cancel"), null)
  }
}

const moneyHeld = (subject: Subject): Transition => {
  const { evidence, record, step } = subject
  const { payment } = record
  if (!amountAgrees(evidence.claim, payment)) return mismatch(subject)
  const held = settle(subject, { status: "authorized" }, "authorized")
  return payment.state.status === "pending"
    ? changed(held, payment, step.now, { state: { status: "authorized" } }, "payment.authorized")
    : changed(held, payment, step.now, underReview(payment, "duplicate_capture"), null)
}

const amountAgrees = (claim: EvidenceClaim, payment: Payment): boolean =>
  !("amount" in claim) || claim.amount === null || Money.equals(claim.amount, payment.amount)

/**
 * Another amount or currency than asked: no success, an operator looks. Money moved, so the attempt is held open: no
 * inquiry or webhook closes it, and nobody else is tried.
 */
const mismatch = (subject: Subject): Transition => {
  const { attempt, evidence, operation, record, step } = subject
  const { payment } = record
  if (payment.review?.reason === "amount_mismatch") return duplicate
  const review: Partial<Payment> = { review: { reason: "amount_mismatch" } }
  if (!isInFlight(attempt.status)) return changed(record, payment, step.now, review, null)
  const held = replace(record, {
    attempt: { ...attempt, status: "pending", vendorCode: evidence.vendorCode ?? attempt.vendorCode },
    operation: {
      ...operation,
      status: "pending",
      reference: evidence.reference ?? operation.reference,
      nextCheckAt: null
    }
  })
  if (payment.state.status !== "pending") return changed(held, payment, step.now, review, null)
  const state: PaymentState = { ...payment.state, reason: "needs_review" }
  return payment.pendingAnnounced
    ? changed(held, payment, step.now, { ...review, state }, null)
    : changed(held, payment, step.now, { ...review, state, pendingAnnounced: true }, "payment.pending")
}

/** The provider has it, or may have it: nothing else may be tried. */
const stillOpen = (subject: Subject, status: "pending" | "unknown", reason: PendingReason): Transition => {
  const { attempt, evidence, operation, record, step } = subject
  const { payment } = record
  // What is known does not become unknown again: an inquiry that fails says nothing about a pending payment.
  if (status === "unknown" && attempt.status === "pending") return outOfOrder
  const nextAction = actionOf(evidence.claim) ?? (payment.state.status === "pending" ? payment.state.nextAction : null)
  const reference = evidence.reference ?? operation.reference
  const same =
    attempt.status === status &&
    operation.reference === reference &&
    payment.state.status === "pending" &&
    payment.state.reason === reason &&
    JSON.stringify(payment.state.nextAction) === JSON.stringify(nextAction)
  if (same) return duplicate
  const open = replace(record, {
    attempt: {
      ...attempt,
      status,
      vendorCode: evidence.vendorCode ?? attempt.vendorCode,
      actionShown: attempt.actionShown || actionOf(evidence.claim) !== null
    },
    operation: {
      ...operation,
      status,
      reference,
      unsettled: operation.unsettled || status === "unknown",
      nextCheckAt: step.nextCheckAt
    }
  })
  if (payment.state.status !== "pending") return changed(open, payment, step.now, {}, null)
  const state: PaymentState = {
    status: "pending",
    reason: payment.review === null ? reason : "needs_review",
    nextAction
  }
  return payment.pendingAnnounced
    ? changed(open, payment, step.now, { state }, null)
    : changed(open, payment, step.now, { state, pendingAnnounced: true }, "payment.pending")
}

const actionOf = (claim: EvidenceClaim) => (claim.kind === "pending" ? claim.nextAction : null)

/** The attempt took no money: the next candidate starts in the same commit, or the payment ends. */
const closed = (
  subject: Subject,
  status: "declined" | "not_executed" | "expired" | "canceled",
  code: FailureCode | null
): Transition => {
  const { record, step } = subject
  const { payment } = record
  if (payment.review?.reason === "amount_mismatch") return notApplicable
  const ended = settle(subject, { status, code: code ?? step.failure?.code ?? null }, status)
  if (
    payment.state.status === "succeeded" ||
    payment.state.status === "failed" ||
    payment.state.status === "canceled"
  ) {
    return changed(ended, payment, step.now, {}, null)
  }
  // A hold that ended is the end: only a payment nobody has accepted goes to the next candidate.
  if (step.next !== null && payment.state.status === "pending") {
    const following: PaymentRecord = {
      payment: ended.payment,
      attempts: [...ended.attempts, step.next.attempt],
      operations: [...ended.operations, step.next.operation]
    }
    return changed(following, payment, step.now, { provider: step.next.attempt.provider, state: processing }, null)
  }
  if (payment.state.status === "authorized" && status === "canceled") {
    return changed(ended, payment, step.now, { state: { status: "canceled" } }, "payment.canceled")
  }
  const failure = step.failure
  return failure === null
    ? notApplicable
    : changed(ended, payment, step.now, { state: { status: "failed", failure } }, "payment.failed")
}

const processing: PaymentState = { status: "pending", reason: "processing", nextAction: null }

/** The attempt and its operation come to a definite end. */
const settle = (subject: Subject, attempt: Partial<Attempt>, status: Operation["status"]): PaymentRecord => {
  const { evidence, operation, record, step } = subject
  return replace(record, {
    attempt: {
      ...subject.attempt,
      vendorCode: evidence.vendorCode ?? subject.attempt.vendorCode,
      endedAt: step.now,
      ...attempt
    },
    operation: {
      ...operation,
      status,
      reference: evidence.reference ?? operation.reference,
      unsettled: false,
      nextCheckAt: null
    }
  })
}

const replace = (
  record: PaymentRecord,
  by: { readonly attempt: Attempt; readonly operation: Operation }
): PaymentRecord => ({
  payment: record.payment,
  attempts: record.attempts.map((attempt) => (attempt.seq === by.attempt.seq ? by.attempt : attempt)),
  operations: record.operations.map((operation) => (operation.id === by.operation.id ? by.operation : operation))
})

const underReview = (payment: Payment, reason: ReviewReason): Partial<Payment> =>
  payment.state.status === "pending"
    ? { review: { reason }, state: { ...payment.state, reason: "needs_review" } }
    : { review: { reason } }

const changed = (
  record: PaymentRecord,
  before: Payment,
  now: number,
  change: Partial<Payment>,
  event: EventType | null
): Transition => ({
  _tag: "Changed",
  event,
  record: {
    ...record,
    payment: {
      ...before,
      ...change,
      version: before.version + 1,
      eventSequence: before.eventSequence + (event === null ? 0 : 1),
      updatedAt: now
    }
  }
})
