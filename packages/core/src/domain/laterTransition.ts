/**
 * What evidence makes of an operation that came after the create: a capture, a cancel or a refund. Pure.
 *
 * Each is asked of the provider that holds the payment and of no other. One that is proven not done is over when the
 * merchant asked for it (a new request may follow); what the engine itself wants done, it sends again.
 */
import { amountOf } from "./agreement.ts"
import { chargesOf, isConfirming } from "./balance.ts"
import { changed, duplicate, ended, notApplicable, outOfOrder, replace } from "./change.ts"
import type { Transition } from "./change.ts"
import { createOf, openOperations } from "./openOperations.ts"
import { contradictedUntilInquired, inquiredNow } from "./inquiredNow.ts"
import { hasReview, questioned, reportedBy } from "./reviews.ts"
import { isInFlight } from "./Attempt.ts"
import { failure } from "./Decline.ts"
import { isUndoing } from "./finalCancel.ts"
import type { FailureCode } from "./Decline.ts"
import { isOpen } from "./Operation.ts"
import type { Operation } from "./Operation.ts"
import type { EventType } from "./PaymentEvent.ts"
import type { PaymentRecord } from "./Payment.ts"
import { isRefund } from "./Refund.ts"
import type { Subject } from "./Step.ts"
import { reversalEvent, takesMoney } from "./surplus.ts"
import type { Outcome } from "../provider/Outcome.ts"

export const laterTransition = (subject: Subject): Transition => {
  const { evidence, operation } = subject
  if (!isOf(operation.kind, evidence.outcome)) return notApplicable
  if (!isOpen(operation)) return afterEnd(subject)
  switch (evidence.outcome._tag) {
    case "Succeeded":
    case "Captured":
    case "Canceled":
    case "RefundSucceeded":
      return done(subject)
    case "Pending":
    case "RefundPending":
      return stillOpen(subject, "pending")
    case "Unknown":
      return stillOpen(subject, "unknown")
    case "Declined":
      return refused(subject, "declined", evidence.outcome.code)
    case "RefundFailed":
    case "CaptureFailed":
      return refused(subject, "declined", subject.step.failure?.code ?? "processing_error")
    case "NotExecuted":
    case "NotFound":
      return notDone(subject)
    case "Expired":
      return operation.kind === "cancel" ? done(subject) : notApplicable
    case "Authorized":
    case "Detected":
    case "Retracted":
    case "Disputed":
    case "Unreadable":
      return outOfOrder
  }
}

/** Words about another kind of operation say nothing of this one. */
const isOf = (kind: Operation["kind"], outcome: Outcome): boolean => {
  switch (outcome._tag) {
    case "Captured":
    case "CaptureFailed":
      return kind === "capture"
    case "RefundPending":
    case "RefundSucceeded":
    case "RefundFailed":
      return kind === "refund"
    default:
      return true
  }
}

/** A refund that the provider confirmed may still come back from the payer's bank; a capture may be taken back. */
const afterEnd = (subject: Subject): Transition => {
  const { evidence, operation, record, step } = subject
  const { outcome } = evidence
  if (outcome._tag === "CaptureFailed" && operation.kind === "capture" && operation.status === "succeeded") {
    return captureFailed(subject)
  }
  if (operation.status !== "succeeded" && isDone(operation, outcome)) return doneAfterAll(subject)
  if (outcome._tag !== "RefundFailed" || operation.kind !== "refund" || operation.status !== "succeeded") {
    return outcome._tag === "Succeeded" || outcome._tag === "RefundSucceeded" ? duplicate : outOfOrder
  }
  const failed = withOperation(record, told(subject, { ...operation, status: "declined", code: "processing_error" }))
  return isRefund(operation)
    ? changed(failed, step.now, {}, "refund.failed", operation.id)
    : changed(failed, step.now, {}, null)
}

/**
 * "Not found" was final, or the provider refused what it had done before. Of a refund that the provider refused, only
 * its own books are believed: until then the review stands.
 */
const doneAfterAll = (subject: Subject): Transition => {
  const { evidence, operation } = subject
  if (mayBeOlder(subject)) return contradictedUntilInquired(subject)
  const isBelieved = operation.kind !== "refund" || operation.status === "not_executed" || isConfirming(evidence)
  return isBelieved ? done(subject) : duplicate
}

/** The provider refused the capture that the hold still waits for: a report that it was done may be the older one. */
const mayBeOlder = ({ attempt, evidence, operation }: Subject): boolean =>
  operation.kind === "capture" &&
  operation.status === "declined" &&
  attempt.status === "authorized" &&
  !isConfirming(evidence)

const isDone = ({ kind }: Operation, outcome: Outcome): boolean =>
  takesMoney(outcome) || outcome._tag === "RefundSucceeded" || (outcome._tag === "Canceled" && kind === "cancel")

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
  if (evidence.outcome._tag === "Canceled") return refused(subject, "declined", "authorization_expired")
  if (isLessThanAsked(subject)) return mismatch(subject)
  const over = told(subject, ended(operation, "succeeded", step.now))
  if (attempt.status !== "authorized") {
    // The payment was paid without it: what it captured is too much.
    return changed(withOperation(record, { ...over, surplus: true }), step.now, {}, null)
  }
  const create = createOf(record, attempt.seq)
  const paid = replace(record, {
    attempt: { ...attempt, status: "succeeded", endedAt: step.now },
    operations: [over, ...(create === undefined ? [] : [ended(create, "succeeded", step.now)])]
  })
  return changed(paid, step.now, { state: { status: "succeeded", late: false } }, "payment.succeeded")
}

/** The provider let go of a hold, or takes nothing any more for what its payer left. */
const canceled = (subject: Subject): Transition => {
  const { attempt, operation, record, step } = subject
  const { payment } = record
  const over = withOperation(record, told(subject, ended(operation, "succeeded", step.now)))
  if (attempt.status === "succeeded") {
    if (attempt.surplus) return changed(over, step.now, {}, null)
    // What was believed paid is not.
    const reason = isUndoing(subject) ? "capture_failed" : "paid_after_close"
    return changed(
      questioned(over, reason, operation, step.now, paidBy(subject)),
      step.now,
      {},
      reason === "capture_failed" ? "payment.capture_failed" : null
    )
  }
  if (!isInFlight(attempt.status) && attempt.status !== "authorized") return changed(over, step.now, {}, null)
  // Money of another amount is there: only an operator ends this. A hold that no payment wants is over.
  if (hasReview(record, "amount_mismatch", attempt) && !attempt.surplus) return changed(over, step.now, {}, null)
  const status = operation.purpose === "expiry" ? "expired" : "canceled"
  const create = createOf(record, attempt.seq)
  const code: FailureCode | null = status === "expired" ? "customer_timeout" : null
  const closed = replace(over, {
    attempt: { ...attempt, status, code, endedAt: step.now },
    // A capture that is open stays so: what became of it is still to be found out.
    operations: create === undefined ? [] : [ended(create, status, step.now)]
  })
  if (attempt.surplus) return changed(closed, step.now, {}, reversalEvent(payment))
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
  if (subject.evidence.outcome._tag === "Canceled") return refused(subject, "canceled", "processing_error")
  if (isLessThanAsked(subject)) return mismatch(subject)
  const over = withOperation(record, told(subject, ended(operation, "succeeded", step.now)))
  if (!isRefund(operation)) return changed(over, step.now, {}, reversalEvent(record.payment))
  return changed(over, step.now, {}, "refund.succeeded", operation.id)
}

const stillOpen = (subject: Subject, status: "pending" | "unknown"): Transition => {
  const { evidence, operation, record, step } = subject
  if (status === "unknown" && operation.status === "pending") return outOfOrder
  const reference = evidence.outcome.reference ?? operation.reference
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
  const { operation, record, step } = subject
  const over = withOperation(record, told(subject, { ...ended(operation, status, step.now), code }))
  switch (operation.purpose) {
    case "requested":
      // A cancel that is refused may have been done before: the provider is asked about the hold.
      if (operation.kind === "cancel") return changed(inquiredNow({ ...subject, record: over }), step.now, {}, null)
      return changed(over, step.now, {}, failedEvent(operation), isRefund(operation) ? operation.id : null)
    case "reversal":
      return changed(over, step.now, {}, null)
    case "expiry":
      // It may have been paid in the last moment: the attempt is asked about at once.
      return status === "declined"
        ? changed(inquiredNow({ ...subject, record: over }), step.now, {}, null)
        : changed(questioned(over, "close_failed", operation, step.now), step.now, {}, null)
  }
}

const notDone = (subject: Subject): Transition => {
  const { evidence, operation, record, step } = subject
  const code = step.failure?.code ?? "provider_unavailable"
  // What the provider finds invalid, it finds invalid again.
  const final = operation.purpose === "requested" || step.retryAt === null || code === "request_rejected"
  if (final) return refused(subject, "not_executed", code)
  const again = told(subject, {
    ...operation,
    status: "planned",
    // A provider that has not found the first send may have done it: a refusal of the next one proves nothing about it.
    unsettled: operation.unsettled && evidence.outcome._tag === "NotFound",
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

/** Less than asked moved, or another currency: the operation is held, and an operator looks. */
const mismatch = (subject: Subject): Transition => {
  const { operation, record, step } = subject
  const asked = questioned(record, "amount_mismatch", operation, step.now, reportedBy(subject.evidence))
  if (asked === record) return duplicate
  const held = withOperation(asked, told(subject, { ...operation, status: "pending", nextCheckAt: null }))
  return changed(held, step.now, {}, null)
}

/** More than asked is done, and the rest of it is in the books. */
const isLessThanAsked = ({ evidence, operation, record }: Subject): boolean => {
  const amount = amountOf(evidence.outcome)
  if (amount === undefined) return false
  return amount.minorUnits < operation.minorUnits || amount.currency !== record.payment.amount.currency
}

const told = ({ evidence }: Subject, operation: Operation): Operation => ({
  ...operation,
  reference: evidence.outcome.reference ?? operation.reference,
  vendorCode: evidence.outcome.vendorCode ?? operation.vendorCode
})

const withOperation = (record: PaymentRecord, operation: Operation): PaymentRecord =>
  replace(record, { operations: [operation] })

/** Before it was confirmed, the hold stands; afterwards an operator has to look. */
export const captureFailed = (subject: Subject): Transition => {
  const { attempt, evidence, operation, record, step } = subject
  const { operations, payment } = record
  const ofAttempt = operations.filter(({ attemptSeq, kind }) => attemptSeq === attempt.seq && kind === "capture")
  const isNamed = ({ reference }: Operation) => reference !== null && reference === evidence.outcome.reference
  // It is about one that is known to have failed, and not about the next that was asked for.
  if (ofAttempt.some((each) => isNamed(each) && each.status === "declined")) return duplicate
  const captures = openOperations(record, attempt.seq, "capture")
  const isAbout = operation.kind === "capture" || captures.some(isNamed)
  if (captures.length > 0 && !isAbout && ofAttempt.some(({ status }) => status === "declined")) {
    // It may be the repeat of an earlier failure: the provider is asked which.
    return changed(
      replace(record, { operations: captures.map((each) => ({ ...each, nextCheckAt: step.now })) }),
      step.now,
      {},
      null
    )
  }
  if (captures.length > 0) {
    const failed = captures.map((each) => ended({ ...each, code: "processing_error" }, "declined", step.now))
    return changed(replace(record, { operations: failed }), step.now, {}, "payment.capture_failed")
  }
  if (payment.state.status !== "succeeded" || attempt.surplus || operation.kind === "refund") return notApplicable
  // Giving all of it back may let go what was not captured yet: that word is the refund's.
  const refunds = openOperations(record, attempt.seq, "refund")
  if (refunds.some(({ minorUnits }) => minorUnits === payment.amountCaptured)) return notApplicable
  const create = createOf(record, attempt.seq)
  const asked = create === undefined ? record : questioned(record, "capture_failed", create, step.now, paidBy(subject))
  return asked.payment === record.payment ? duplicate : changed(asked, step.now, {}, "payment.capture_failed")
}

/** What the attempt captured, as a question about it shows it. */
const paidBy = ({ attempt, record }: Subject) => {
  const charge = chargesOf(record, attempt)[0]
  return {
    reference: charge?.reference ?? null,
    money: { ...record.payment.amount, minorUnits: charge?.captured ?? record.payment.amount.minorUnits }
  }
}
