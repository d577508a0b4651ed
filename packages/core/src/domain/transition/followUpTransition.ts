/**
 * Applies evidence to a follow-up operation: a capture, a cancel or a refund. Pure.
 *
 * A follow-up operation is sent only to the provider that has the payment. If it is proven not executed, an operation
 * that the merchant requested ends (a new request may follow), and an operation that the engine started is sent again.
 */
import { isInFlight } from "../Attempt.ts"
import { failure } from "../Decline.ts"
import type { FailureCode } from "../Decline.ts"
import { isOpen } from "../Operation.ts"
import type { Operation } from "../Operation.ts"
import type { Outcome } from "../Outcome.ts"
import { createOf, openOperations } from "../Payment.ts"
import type { Payment, PaymentRecord } from "../Payment.ts"
import type { EventType } from "../PaymentEvent.ts"
import { flow } from "../PaymentMethod.ts"
import { isRefund } from "../Refund.ts"
import type { Subject } from "../Step.ts"
import { chargesOf, isConfirming } from "../books/balance.ts"
import { hasReview, questioned, reportedBy } from "../books/reviews.ts"
import { changed, duplicate, ended, endOf, notApplicable, outOfOrder, replace } from "./change.ts"
import type { Transition } from "./change.ts"
import { contradictedUntilInquired, inquiredNow } from "./recheck.ts"
import { isUnderCharge } from "./reportedCharge.ts"
import { amountOf, reversalEvent, takesMoney } from "./reportedMoney.ts"

export const followUpTransition = (subject: Subject): Transition => {
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
    case "NotBooked":
      return outOfOrder
  }
}

/** Whether an outcome can apply to this kind of operation. */
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

/**
 * Applies evidence about an ended operation: the payer's bank may still return a confirmed refund, and the provider may
 * reverse a capture.
 */
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
  const failed = withOperation(
    record,
    withDetails(subject, { ...operation, status: "declined", code: "processing_error" })
  )
  return isRefund(operation)
    ? changed(failed, step.now, {}, "refund.failed", operation.id)
    : changed(failed, step.now, {}, null)
}

/**
 * Applies evidence that a closed operation was executed nevertheless, after a final "not found" or a refusal by the
 * provider. For a refused refund, only the provider's own records count: other reports change nothing, and the review
 * stays open.
 */
const doneAfterAll = (subject: Subject): Transition => {
  const { evidence, operation } = subject
  if (mayBeOlder(subject)) return contradictedUntilInquired(subject)
  const isAccepted = operation.kind !== "refund" || operation.status === "not_executed" || isConfirming(evidence)
  return isAccepted ? done(subject) : duplicate
}

/**
 * Whether a report about the success of a declined capture may be older than the provider's refusal of that capture.
 */
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
  const over = withDetails(subject, ended(operation, "succeeded", step.now))
  if (attempt.status !== "authorized") {
    // The payment was paid without this capture, so the captured amount is an overpayment.
    return changed(withOperation(record, { ...over, isOverpayment: true }), step.now, {}, null)
  }
  const create = createOf(record, attempt.seq)
  const paid = replace(record, {
    attempt: { ...attempt, status: "succeeded", endedAt: endOf(attempt, step.now) },
    operations: [over, ...(create === undefined ? [] : [ended(create, "succeeded", step.now)])]
  })
  return changed(paid, step.now, { state: { status: "succeeded", late: false } }, "payment.succeeded")
}

/**
 * Applies the evidence that the provider released an authorization hold, or closed a payment that the payer abandoned.
 */
const canceled = (subject: Subject): Transition => {
  const { attempt, operation, record, step } = subject
  const { payment } = record
  const over = withOperation(record, withDetails(subject, ended(operation, "succeeded", step.now)))
  if (attempt.status === "succeeded") {
    if (attempt.isOverpayment) return changed(over, step.now, {}, null)
    // The reason is `capture_failed` if a cancel ended a payment that counted as paid, `paid_after_close` if a payment
    // was paid after its confirmed cancel.
    const reason = isUndoing(subject) ? "capture_failed" : "paid_after_close"
    return changed(
      questioned(over, reason, operation, step.now, paidBy(subject)),
      step.now,
      {},
      reason === "capture_failed" ? "payment.capture_failed" : null
    )
  }
  if (!isInFlight(attempt.status) && attempt.status !== "authorized") return changed(over, step.now, {}, null)
  // While a review about a different amount is open, a cancel does not end the attempt, unless it is an overpayment: an
  // operator decides.
  if (hasReview(record, "amount_mismatch", attempt) && !attempt.isOverpayment) return changed(over, step.now, {}, null)
  const status = operation.purpose === "expiry" ? "expired" : "canceled"
  const create = createOf(record, attempt.seq)
  const code: FailureCode | null = status === "expired" ? "customer_timeout" : null
  const closed = replace(over, {
    attempt: { ...attempt, status, code, endedAt: step.now },
    // An open capture stays open until its outcome is known.
    operations: create === undefined ? [] : [ended(create, status, step.now)]
  })
  if (attempt.isOverpayment) return changed(closed, step.now, {}, reversalEvent(payment))
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
  const settled = withDetails(subject, ended(operation, "succeeded", step.now))
  // If the report has only the charge's reference, an inquiry must show whether it is about our refund or a second one.
  const isDoubted = isUnderCharge(subject) && step.canInquire
  const over = withOperation(record, isDoubted ? { ...settled, checks: 0, nextCheckAt: step.now } : settled)
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
    withDetails(subject, {
      ...operation,
      status,
      unsettled: operation.unsettled || status === "unknown",
      nextCheckAt: step.nextCheckAt
    })
  )
  // `refund.pending` is sent once, like `payment.pending`: when the send ends or is answered while the refund is still
  // open.
  const first = operation.status === "sending" && isRefund(operation)
  return changed(open, step.now, {}, first ? "refund.pending" : null, first ? operation.id : null)
}

/**
 * Applies a refusal by the provider. A requested operation ends; an operation that the engine started needs an
 * operator.
 */
const refused = (subject: Subject, status: "declined" | "not_executed" | "canceled", code: FailureCode): Transition => {
  const { operation, record, step } = subject
  const over = withOperation(record, withDetails(subject, { ...ended(operation, status, step.now), code }))
  switch (operation.purpose) {
    case "requested":
      // An earlier send of the refused cancel may have been executed, so the engine inquires about the hold.
      if (operation.kind === "cancel") return changed(inquiredNow({ ...subject, record: over }), step.now, {}, null)
      return changed(over, step.now, {}, failedEvent(operation), isRefund(operation) ? operation.id : null)
    case "reversal":
      return changed(over, step.now, {}, null)
    case "expiry":
      // Inquires about the attempt immediately, since it may have been paid at the last moment before the refused
      // cancel.
      return status === "declined"
        ? changed(inquiredNow({ ...subject, record: over }), step.now, {}, null)
        : changed(questioned(over, "close_failed", operation, step.now), step.now, {}, null)
  }
}

const notDone = (subject: Subject): Transition => {
  const { evidence, operation, record, step } = subject
  const code = step.failure?.code ?? "provider_unavailable"
  // A request that was invalid stays invalid, so it is not sent again.
  const final = operation.purpose === "requested" || step.retryAt === null || code === "request_rejected"
  if (final) return refused(subject, "not_executed", code)
  const again = withDetails(subject, {
    ...operation,
    status: "planned",
    // After "not found", the operation stays unsettled (without a definite answer): its first send may still have been
    // executed, and a refusal of the repeated send would prove nothing about the first.
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

/**
 * Applies a report that less money than requested moved, or money in another currency: the operation stays open, and a
 * review is opened.
 */
const mismatch = (subject: Subject): Transition => {
  const { operation, record, step } = subject
  const asked = questioned(record, "amount_mismatch", operation, step.now, reportedBy(subject.evidence))
  if (asked === record) return duplicate
  const held = withOperation(asked, withDetails(subject, { ...operation, status: "pending", nextCheckAt: null }))
  return changed(held, step.now, {}, null)
}

/**
 * Whether the reported amount is smaller than requested, or in another currency. A larger amount counts as executed,
 * with the excess in the books. An operator may accept a smaller amount.
 */
const isLessThanAsked = ({ evidence, operation, record }: Subject): boolean => {
  const amount = amountOf(evidence.outcome)
  if (amount === undefined || evidence.source === "operator") return false
  return amount.minorUnits < operation.minorUnits || amount.currency !== record.payment.amount.currency
}

const withDetails = (subject: Subject, operation: Operation): Operation => {
  const { reference, vendorCode } = subject.evidence.outcome
  return {
    ...operation,
    reference: isUnderCharge(subject) ? operation.reference : (reference ?? operation.reference),
    vendorCode: vendorCode ?? operation.vendorCode
  }
}

const withOperation = (record: PaymentRecord, operation: Operation): PaymentRecord =>
  replace(record, { operations: [operation] })

/**
 * Applies the evidence that a capture failed. If the capture was not confirmed before, the authorization stays; if it
 * was, a review is opened.
 */
export const captureFailed = (subject: Subject): Transition => {
  const { attempt, evidence, operation, record, step } = subject
  const { operations, payment } = record
  const ofAttempt = operations.filter(({ attemptSeq, kind }) => attemptSeq === attempt.seq && kind === "capture")
  const isNamed = ({ reference }: Operation) => reference !== null && reference === evidence.outcome.reference
  // If a declined capture has the reported reference, the report repeats the failure of that capture and is not about a
  // later capture.
  if (ofAttempt.some((each) => isNamed(each) && each.status === "declined")) return duplicate
  const captures = openOperations(record, attempt.seq, "capture")
  const isAbout = operation.kind === "capture" || captures.some(isNamed)
  if (captures.length > 0 && !isAbout && ofAttempt.some(({ status }) => status === "declined")) {
    // The report may repeat an earlier failure, so an inquiry must show which capture failed.
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
  if (payment.state.status !== "succeeded" || attempt.isOverpayment || operation.kind === "refund") return notApplicable
  // While a full refund is open, the report is not about a capture but about the refund, which may release an amount
  // that was not captured yet.
  const refunds = openOperations(record, attempt.seq, "refund")
  if (refunds.some(({ minorUnits }) => minorUnits === payment.amountCaptured)) return notApplicable
  const create = createOf(record, attempt.seq)
  const asked = create === undefined ? record : questioned(record, "capture_failed", create, step.now, paidBy(subject))
  return asked.payment === record.payment ? duplicate : changed(asked, step.now, {}, "payment.capture_failed")
}

/** The reference and the captured amount of the attempt's own charge, which the review shows. */
const paidBy = ({ attempt, record }: Subject) => {
  const charge = chargesOf(record, attempt)[0]
  return {
    reference: charge?.reference ?? null,
    money: { ...record.payment.amount, minorUnits: charge?.captured ?? record.payment.amount.minorUnits }
  }
}

/** Whether a confirmed cancel, requested by us or made by the provider, is final: no money is taken afterwards. */
export const isCanceledForGood = ({ attempt, record, step }: Subject): boolean => {
  const isClosedByUs = record.operations.some(
    (each) => each.attemptSeq === attempt.seq && each.kind === "cancel" && each.status === "succeeded"
  )
  return step.cancelIsFinal && (isClosedByUs ? !isPage(record.payment) : attempt.status === "canceled")
}

/** Whether the confirmed cancel undoes a success, because the provider's cancels are final. */
const isUndoing = ({ record, step }: Subject): boolean =>
  step.cancelIsFinal && record.payment.state.status === "succeeded" && !isPage(record.payment)

/**
 * Whether a cancel closes only the hosted page of a payment. A payer who is already at the bank may still pay, and that
 * payment is late. For an authorization hold, a cancel ends the hold itself.
 */
const isPage = ({ captureMethod, method }: Payment): boolean =>
  flow(method) === "hosted" && captureMethod === "automatic"
