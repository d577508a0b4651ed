/** Resolves a review by an operator's statement. Pure. */
import { changed } from "../transition/change.ts"
import { chargesOf } from "./balance.ts"
import type { Changed } from "../transition/change.ts"
import type { Entry } from "../Entry.ts"
import { failure } from "../Decline.ts"
import type { Money } from "../Money.ts"
import { scheduleRecheck } from "../transition/recheck.ts"
import { createOf } from "../Payment.ts"
import { isOpen } from "../Operation.ts"
import type { Operation } from "../Operation.ts"
import type { PaymentRecord } from "../Payment.ts"
import type { Resolution, Review } from "../Review.ts"
import type { Step } from "../Step.ts"
import { isConfirmed } from "./reversal.ts"
import { isQuestion } from "../Review.ts"
import { transition } from "../transition/transition.ts"
import type { Evidence } from "../Evidence.ts"
import type { Outcome } from "../Outcome.ts"
import { isInFlight } from "../Attempt.ts"

export interface Resolved {
  readonly change: Changed
  /** The operation that the operator's statement is about, and the evidence that is stored for the statement. */
  readonly cause: { readonly evidence: Evidence; readonly operation: Operation }
}

export interface Answer {
  readonly resolution: Resolution
  /**
   * The amount in the provider's own records, in minor units of the payment's currency, if it differs from the reported
   * amount. Only allowed if `takesAmount` is true for the resolution.
   */
  readonly amount?: number | null
}

/** The context of an operator's statement. `now` is in ms UTC. */
export type StatedAt = Pick<Step, "lateSuccess" | "now">

/**
 * Whether an operator's statement with this resolution may have an amount. All others are about the amount of the
 * review.
 */
export const takesAmount = ({ reason }: Review, resolution: Resolution): boolean =>
  reason === "amount_mismatch" && resolution === "succeeded"

/** Resolves the review; `null` if the resolution does not fit the review. */
export const resolve = (
  record: PaymentRecord,
  review: Review,
  { amount = null, resolution }: Answer,
  step: StatedAt
): Resolved | null => {
  const operation = inQuestion(record, review)
  if (operation === undefined || !fits(record, review, operation, resolution)) return null
  const { payment } = record
  const { now } = step
  // The amount for which the answer closes the review. It is 0 for an imbalance: that review ends only when the money
  // is returned, and the answer must not hide the remaining amount.
  const minorUnits = isQuestion(review) || resolution === "dismissed" ? review.minorUnits : 0
  const answer = { review: review.id, resolution, minorUnits, resolvedAt: now }
  const answered: PaymentRecord = { ...record, payment: { ...payment, resolutions: [...payment.resolutions, answer] } }
  const evidence = evidenceOf(
    operation,
    amount === null
      ? outcomeOf(review, operation, resolution)
      : { _tag: "Succeeded", amount: { ...record.payment.amount, minorUnits: amount } }
  )
  // For an imbalance, `not_done` denies the movement of the money and not the operation, so only the ledger entries are
  // corrected.
  if (resolution === "not_done" && !isQuestion(review)) {
    return { change: changed(neverMoved(answered, review, now), now, {}, null), cause: { evidence, operation } }
  }
  if (resolution === "dismissed") {
    return { change: changed(answered, now, {}, null), cause: { evidence, operation } }
  }
  return stated(answered, operation, evidence, step)
}

/** Corrects an operation by the outcome that an operator found at the provider, without an open review. */
export const corrected = (
  record: PaymentRecord,
  operation: Operation,
  resolution: Resolution,
  step: StatedAt
): Resolved | null => {
  switch (resolution) {
    case "succeeded":
      return stated(record, operation, evidenceOf(operation, { _tag: "Succeeded" }), step)
    case "not_done":
      return stated(record, operation, evidenceOf(operation, { _tag: "NotExecuted", reason: "stated" }), step)
    case "given_back":
    case "dismissed":
      return null
  }
}

const stated = (record: PaymentRecord, operation: Operation, evidence: Evidence, step: StatedAt): Resolved | null => {
  const change = transition(record, operation, evidence, {
    ...step,
    next: null,
    failure: failure(evidence.outcome._tag === "RefundSucceeded" ? "processing_error" : "provider_unavailable", true),
    nextCheckAt: null,
    retryAt: null,
    reports: "movement",
    canInquire: false,
    // Ignores the provider's declaration that no money moves after a cancel, because an operator's statement overrides
    // it.
    cancelIsFinal: false
  })
  if (change._tag === "Unchanged") return null
  // If the operator did not find the operation, it is checked again later, since the operator may have looked too
  // early.
  const isFound = evidence.outcome._tag !== "NotExecuted"
  const looked = isFound ? change.record : scheduleRecheck(change.record, operation, step.now, firstLookBack)
  return { change: { ...change, record: looked }, cause: { evidence, operation } }
}

/** The delay until the first inquiry, ms. Later inquiries follow the provider's own schedule. */
const firstLookBack = 3_600_000

const evidenceOf = (operation: Operation, outcome: Outcome): Evidence => ({
  source: "operator",
  about: { operation: operation.id },
  outcome,
  eventId: null,
  occurredAt: null
})

const outcomeOf = (
  { currency, minorUnits, reason, reference }: Review,
  operation: Operation,
  resolution: Resolution
): Outcome => {
  switch (resolution) {
    case "succeeded": {
      // For a capture or a refund, the amount of the review is the amount that moved. For a create, the amount of the
      // charge is in the payment's record.
      if (reason === "amount_mismatch" && operation.kind !== "create") {
        // Cast at a type boundary: a review is in the currency that its provider reported.
        return { _tag: "Succeeded", amount: { minorUnits, currency } as Money }
      }
      // If the operation is closed, with a charge or a decline of its own, the charge in the review is a second one.
      const isSecond = reason === "reference_conflict" && !isOpen(operation) && reference !== null
      return { _tag: "Succeeded", ...(isSecond && { reference }) }
    }
    case "not_done":
      return { _tag: "NotExecuted", reason: "stated" }
    case "given_back": {
      const named = reference === null ? {} : { reference }
      // Cast at a type boundary: a review is in the currency that its provider reported.
      const amount = { minorUnits, currency } as Money
      return reason === "late_authorization"
        ? { _tag: "Canceled", ...named }
        : { _tag: "RefundSucceeded", amount, ...named }
    }
    case "dismissed":
      return { _tag: "Unknown", reason: "unmapped" }
  }
}

/**
 * The operation that a review is about. A review without an operation is about a charge, whose operation is the create.
 */
const inQuestion = (record: PaymentRecord, { attemptSeq, operationId }: Review): Operation | undefined =>
  record.operations.find(({ id }) => id === operationId) ?? createOf(record, attemptSeq)

const fits = (record: PaymentRecord, review: Review, operation: Operation, resolution: Resolution): boolean => {
  switch (review.reason) {
    case "duplicate_capture":
    case "late_success":
    case "late_authorization":
    case "excess_capture":
      // On a chain, an overpayment belongs to the payment once it is proven that the money arrived.
      if (resolution === "succeeded") return review.reason === "excess_capture" && isTransfer(record)
      return resolution === "given_back" || (resolution === "not_done" && !isShownByBooks(record, review))
    case "excess_refund":
      return (
        resolution === "dismissed" ||
        (resolution === "succeeded" && operation.kind === "refund" && operation.status !== "succeeded")
      )
    case "disputed_refund":
    case "possible_duplicate":
      return resolution === "dismissed"
    case "amount_mismatch":
      // For a payment, `succeeded` requires received money, and `not_done` requires that none was received.
      if (operation.kind === "create" && resolution === "succeeded" && review.minorUnits === 0) return false
      if (operation.kind === "create" && resolution === "not_done" && review.minorUnits > 0) return false
      // `given_back` (the money was returned to the payer) settles a charge. It does not say whether a capture or a
      // refund succeeded.
      if (operation.kind !== "create" && resolution === "given_back") return false
      return resolution !== "dismissed" || !isUndecided(record, operation)
    case "instance_not_configured":
      // As long as the provider has not ended the authorization, the review can only be dismissed, which confirms it.
      return operation.status === "authorized"
        ? resolution === "dismissed"
        : resolution === "succeeded" || resolution === "not_done"
    case "inquiries_exhausted":
    case "close_failed":
      return resolution === "succeeded" || resolution === "not_done"
    case "reference_conflict":
      return resolution !== "given_back" && (resolution !== "dismissed" || !isUndecided(record, operation))
    case "unreadable_report":
    case "contradiction":
      return resolution !== "given_back" && (resolution !== "dismissed" || operation.status !== "unknown")
    case "capture_failed":
    case "paid_after_close":
      return resolution !== "given_back"
  }
}

const isTransfer = ({ payment }: PaymentRecord): boolean => payment.method.rail === "stablecoin"

/** Whether the provider's own records contain the charge, so that only a return of the money resolves the review. */
const isShownByBooks = (record: PaymentRecord, { attemptSeq, reference }: Review): boolean => {
  const attempt = record.attempts[attemptSeq - 1]
  const charges = attempt === undefined ? [] : chargesOf(record, attempt, isConfirmed)
  return charges.some((charge) => charge.reference === reference && (charge.captured > 0 || charge.held > 0))
}

/** Appends a ledger entry for an operator's statement that the reported amount never moved. */
const neverMoved = (record: PaymentRecord, review: Review, now: number): PaymentRecord => {
  const { attemptSeq, currency, minorUnits, provider, reason, reference } = review
  const kind = reason === "late_authorization" ? "released" : "correction"
  const before = record.entries
    .filter((entry) => entry.attemptSeq === attemptSeq && entry.kind === kind && entry.reference === reference)
    .reduce((most, entry) => Math.max(most, entry.minorUnits), 0)
  const entry: Entry = {
    attemptSeq,
    operationId: null,
    kind,
    basis: "total",
    minorUnits: before + minorUnits,
    currency,
    provider,
    reference,
    source: "operator",
    recordedAt: now
  }
  return { ...record, entries: [...record.entries, entry] }
}

/**
 * Whether the outcome of the operation is open. A review about such an operation must not be dismissed, since its
 * outcome decides about money.
 */
const isUndecided = ({ attempts }: PaymentRecord, operation: Operation): boolean =>
  isOpen(operation) || isInFlight(attempts[operation.attemptSeq - 1]?.status ?? "unknown")
