/**
 * What evidence makes of an operation that came after the create: a capture, a cancel or a refund. Pure.
 *
 * Each is asked of the provider that holds the payment and of no other. One that is proven not done is over when the
 * merchant asked for it (a new request may follow); what the engine itself wants done, it sends again.
 */
import {
  changed,
  doubted,
  duplicate,
  ended,
  notApplicable,
  openOperations,
  outOfOrder,
  replace,
  underReview
} from "./change.ts"
import type { Changed, Transition } from "./change.ts"
import { isInFlight } from "./Attempt.ts"
import { failure } from "./Decline.ts"
import { isUndoing } from "./finalCancel.ts"
import type { FailureCode } from "./Decline.ts"
import { isOpen } from "./Operation.ts"
import type { Operation } from "./Operation.ts"
import type { EventType } from "./PaymentEvent.ts"
import type { PaymentRecord, ReviewReason } from "./Payment.ts"
import { isRefund } from "./Refund.ts"
import type { Subject } from "./Step.ts"
import { isGivenBack, reversalEvent, takesMoney } from "./surplus.ts"
import type { EvidenceClaim } from "../provider/Evidence.ts"

export const laterTransition = (subject: Subject): Transition => {
  const transition = ofEvidence(subject)
  const isResolved = subject.evidence.source === "operator" && transition._tag === "Changed"
  return isResolved ? withoutMismatch(transition) : transition
}

/** The operator's word is what the review waited for. */
const withoutMismatch = (transition: Changed): Changed => {
  const { payment } = transition.record
  return payment.review?.reason === "amount_mismatch" || payment.review?.reason === "contradiction"
    ? { ...transition, record: { ...transition.record, payment: { ...payment, review: null } } }
    : transition
}

const ofEvidence = (subject: Subject): Transition => {
  const { evidence, operation } = subject
  if (!isOf(operation.kind, evidence.claim)) return notApplicable
  if (!isOpen(operation)) return afterEnd(subject)
  switch (evidence.claim.kind) {
    case "succeeded":
    case "captured":
    case "canceled":
    case "refund_succeeded":
      return done(subject)
    case "pending":
    case "refund_pending":
      return stillOpen(subject, "pending")
    case "unknown":
      return stillOpen(subject, "unknown")
    case "declined":
      return refused(subject, "declined", evidence.claim.code)
    case "refund_failed":
    case "capture_failed":
      return refused(subject, "declined", subject.step.failure?.code ?? "processing_error")
    case "not_executed":
    case "not_found":
      return notDone(subject)
    case "expired":
      return operation.kind === "cancel" ? done(subject) : notApplicable
    case "authorized":
    case "detected":
    case "retracted":
    case "disputed":
      return outOfOrder
  }
}

/** Words about another kind of operation say nothing of this one. */
const isOf = (kind: Operation["kind"], claim: EvidenceClaim): boolean => {
  switch (claim.kind) {
    case "captured":
    case "capture_failed":
      return kind === "capture"
    case "refund_pending":
    case "refund_succeeded":
    case "refund_failed":
      return kind === "refund"
    default:
      return true
  }
}

/** A refund that the provider confirmed may still come back from the payer's bank; a capture may be taken back. */
const afterEnd = (subject: Subject): Transition => {
  const { evidence, operation, record, step } = subject
  if (evidence.claim.kind === "capture_failed" && operation.kind === "capture" && operation.status === "succeeded") {
    return captureFailed(subject)
  }
  // "Not found" was final, and was wrong: what the provider did is done.
  if (operation.status === "not_executed" && isDone(operation, evidence.claim)) return done(subject)
  const { payment } = record
  const isRefused = operation.status === "declined" || operation.status === "canceled"
  if (isRefused && operation.kind === "refund" && isDone(operation, evidence.claim)) {
    if (evidence.source === "operator") return done(subject)
    return doubted(record, "contradiction", step.now)
  }
  if (evidence.claim.kind !== "refund_failed" || operation.kind !== "refund" || operation.status !== "succeeded") {
    return evidence.claim.kind === "succeeded" || evidence.claim.kind === "refund_succeeded" ? duplicate : outOfOrder
  }
  const failed = withOperation(record, told(subject, { ...operation, status: "declined", code: "processing_error" }))
  if (!isRefund(operation)) return changed(failed, step.now, underReview(payment, unreversed(record)), null)
  const amountRefunded = payment.amountRefunded - operation.minorUnits
  return changed(failed, step.now, { amountRefunded }, "refund.failed", operation.id)
}

const isDone = ({ kind }: Operation, claim: EvidenceClaim): boolean =>
  takesMoney(claim) || claim.kind === "refund_succeeded" || (claim.kind === "canceled" && kind === "cancel")

const done = (subject: Subject): Transition => {
  switch (subject.operation.kind) {
    case "capture":
      return captured(subject)
    case "cancel":
      return canceled(subject)
    case "refund":
      return refunded(subject)
    case "create":
      return notApplicable
  }
}

const captured = (subject: Subject): Transition => {
  const { attempt, evidence, operation, record, step } = subject
  if (evidence.claim.kind === "canceled") return refused(subject, "declined", "authorization_expired")
  if (!amountAgrees(subject)) return mismatch(subject)
  const over = withOperation(record, told(subject, ended(operation, "succeeded", step.now)))
  // Another word about the same money came first.
  if (attempt.status !== "authorized") return changed(over, step.now, {}, null)
  const create = record.operations.find((each) => each.kind === "create" && each.attemptSeq === attempt.seq)
  const paid = replace(over, {
    attempt: { ...attempt, status: "succeeded", endedAt: step.now },
    operations: create === undefined ? [] : [ended(create, "succeeded", step.now)]
  })
  const change = { state: { status: "succeeded", late: false }, amountCaptured: operation.minorUnits } as const
  return changed(paid, step.now, change, "payment.succeeded")
}

/** The provider let go of a hold, or takes nothing any more for what its payer left. */
const canceled = (subject: Subject): Transition => {
  const { attempt, operation, record, step } = subject
  const { payment } = record
  const over = withOperation(record, told(subject, ended(operation, "succeeded", step.now)))
  if (attempt.status === "succeeded") {
    if (attempt.surplus) return changed(over, step.now, {}, null)
    // What was believed paid is not.
    return isUndoing(subject)
      ? changed(over, step.now, underReview(payment, "capture_failed"), "payment.capture_failed")
      : changed(over, step.now, underReview(payment, "paid_after_close"), null)
  }
  if (!isInFlight(attempt.status) && attempt.status !== "authorized") return changed(over, step.now, {}, null)
  // Money of another amount is there: only an operator ends this.
  if (payment.review?.reason === "amount_mismatch") return changed(over, step.now, {}, null)
  const status = operation.purpose === "expiry" ? "expired" : "canceled"
  const create = record.operations.find((each) => each.kind === "create" && each.attemptSeq === attempt.seq)
  const code: FailureCode | null = status === "expired" ? "customer_timeout" : null
  const closed = replace(over, {
    attempt: { ...attempt, status, code, endedAt: step.now },
    // A capture that is open stays so: what became of it is still to be found out.
    operations: create === undefined ? [] : [ended(create, status, step.now)]
  })
  if (attempt.surplus) return changed(closed, step.now, cleared(subject), reversalEvent(payment))
  if (payment.state.status !== "pending" && payment.state.status !== "authorized") {
    return changed(closed, step.now, {}, null)
  }
  return operation.purpose === "expiry"
    ? changed(
        closed,
        step.now,
        { state: { status: "failed", failure: failure("customer_timeout", true) } },
        "payment.failed"
      )
    : changed(closed, step.now, { state: { status: "canceled" } }, "payment.canceled")
}

const refunded = (subject: Subject): Transition => {
  const { operation, record, step } = subject
  const { payment } = record
  if (subject.evidence.claim.kind === "canceled") return refused(subject, "canceled", "processing_error")
  if (!amountAgrees(subject)) return mismatch(subject)
  const over = withOperation(record, told(subject, ended(operation, "succeeded", step.now)))
  if (!isRefund(operation)) return changed(over, step.now, cleared(subject), reversalEvent(payment))
  const amountRefunded = payment.amountRefunded + operation.minorUnits
  if (amountRefunded > payment.amountCaptured) return tooMuchRefunded(subject)
  return changed(over, step.now, { amountRefunded }, "refund.succeeded", operation.id)
}

/** A refund that was believed not done came on top of the one that took its place. */
const tooMuchRefunded = ({ record, step }: Subject): Transition => doubted(record, "amount_mismatch", step.now)

const stillOpen = (subject: Subject, status: "pending" | "unknown"): Transition => {
  const { evidence, operation, record, step } = subject
  if (status === "unknown" && operation.status === "pending") return outOfOrder
  const reference = evidence.reference ?? operation.reference
  if (operation.status === status && operation.reference === reference) return duplicate
  const open = withOperation(
    record,
    told(subject, {
      ...operation,
      status,
      unsettled: operation.unsettled || status === "unknown",
      nextCheckAt: step.nextCheckAt
    })
  )
  // As a payment does: once, when the request ends or is answered while it is still open.
  const first = operation.status === "sending" && isRefund(operation)
  return changed(open, step.now, {}, first ? "refund.pending" : null, first ? operation.id : null)
}

/** The provider's no. What the merchant asked for is over; what the engine wants done, an operator has to look at. */
const refused = (subject: Subject, status: "declined" | "not_executed" | "canceled", code: FailureCode): Transition => {
  const { attempt, operation, record, step } = subject
  const over = withOperation(record, told(subject, { ...ended(operation, status, step.now), code }))
  switch (operation.purpose) {
    case "requested":
      return changed(over, step.now, {}, failedEvent(operation), isRefund(operation) ? operation.id : null)
    case "reversal":
      return changed(over, step.now, underReview(record.payment, unreversed(record, attempt.status)), null)
    case "expiry":
      // It may have been paid in the last moment: the attempt is asked about at once.
      return status === "declined"
        ? changed(askedNow(over, attempt.seq, step.now), step.now, {}, null)
        : changed(over, step.now, underReview(record.payment, "close_failed"), null)
  }
}

const notDone = (subject: Subject): Transition => {
  const { operation, record, step } = subject
  const code = step.failure?.code ?? "provider_unavailable"
  // What the provider finds invalid, it finds invalid again.
  const final = operation.purpose === "requested" || step.retryAt === null || code === "request_rejected"
  if (final) return refused(subject, "not_executed", code)
  const again = told(subject, {
    ...operation,
    status: "planned",
    unsettled: false,
    checks: operation.checks + 1,
    nextCheckAt: step.retryAt
  })
  return changed(withOperation(record, again), step.now, {}, null)
}

const failedEvent = ({ kind }: Operation): EventType | null => {
  switch (kind) {
    case "capture":
      return "payment.capture_failed"
    case "refund":
      return "refund.failed"
    case "create":
    case "cancel":
      return null
  }
}

/** What money that could not be given back is called. */
const unreversed = ({ payment }: PaymentRecord, attempt: Operation["status"] = "succeeded"): ReviewReason => {
  if (attempt === "authorized") return "late_authorization"
  return payment.state.status === "failed" || payment.state.status === "canceled" ? "late_success" : "duplicate_capture"
}

/** What was given back needs nobody any more, unless there is more of it. */
const cleared = ({ attempt, record }: Subject) =>
  record.payment.review?.reason === unreversed(record, attempt.status) &&
  record.attempts.every((each) => each.seq === attempt.seq || isGivenBack(record, each))
    ? { review: null }
    : {}

/** Another amount than asked moved: the operation is held, and an operator looks. */
const mismatch = (subject: Subject): Transition => {
  const { operation, record, step } = subject
  if (record.payment.review?.reason === "amount_mismatch") return duplicate
  const held = withOperation(record, told(subject, { ...operation, status: "pending", nextCheckAt: null }))
  return changed(held, step.now, underReview(record.payment, "amount_mismatch"), null)
}

const amountAgrees = ({ evidence: { claim }, operation, record }: Subject): boolean =>
  !("amount" in claim) ||
  claim.amount === null ||
  (claim.amount.minorUnits === operation.minorUnits && claim.amount.currency === record.payment.amount.currency)

const told = ({ evidence }: Subject, operation: Operation): Operation => ({
  ...operation,
  reference: evidence.reference ?? operation.reference,
  vendorCode: evidence.vendorCode ?? operation.vendorCode
})

const withOperation = (record: PaymentRecord, operation: Operation): PaymentRecord =>
  replace(record, { operations: [operation] })

const askedNow = (record: PaymentRecord, attemptSeq: number, now: number): PaymentRecord =>
  replace(record, {
    operations: record.operations
      .filter((each) => each.kind === "create" && each.attemptSeq === attemptSeq && isOpen(each))
      .map((each) => ({ ...each, nextCheckAt: now }))
  })

/** Before it was confirmed, the hold stands; afterwards an operator has to look. */
export const captureFailed = ({ attempt, evidence, operation, record, step }: Subject): Transition => {
  const { operations, payment } = record
  const isNamed = ({ kind, reference }: Operation) =>
    kind === "capture" && reference !== null && reference === evidence.reference
  // It is about one that is known to have failed, and not about the next that was asked for.
  if (operations.some((each) => isNamed(each) && each.status === "declined")) return duplicate
  const captures = openOperations(record, attempt.seq, "capture")
  if (captures.length > 0) {
    const failed = captures.map((each) => ended({ ...each, code: "processing_error" }, "declined", step.now))
    return changed(replace(record, { operations: failed }), step.now, {}, "payment.capture_failed")
  }
  if (payment.state.status !== "succeeded" || attempt.surplus || operation.kind === "refund") return notApplicable
  // Giving all of it back may let go what was not captured yet: that word is the refund's.
  const refunds = openOperations(record, attempt.seq, "refund")
  if (refunds.some(({ minorUnits }) => minorUnits === payment.amountCaptured)) return notApplicable
  if (payment.review?.reason === "capture_failed") return duplicate
  return changed(record, step.now, underReview(payment, "capture_failed"), "payment.capture_failed")
}
