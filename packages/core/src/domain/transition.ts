/**
 * What a piece of evidence makes of a payment. Pure: no clock, no database, no provider.
 *
 * It holds the state machines of Payment, Attempt and Operation, and these rules: terminal states change only by a
 * `late` success (I4); amount and currency must be the request's (I13); money taken twice is never hidden, it is given
 * back or reviewed; every change of status tells exactly one event (I9).
 *
 * This file is about the attempt, which its create operation stands for; `laterTransition` about what is asked
 * afterwards.
 */
import { accepted, agreement, received } from "./agreement.ts"
import { isClosedWithoutMoney, isInFlight } from "./Attempt.ts"
import type { Attempt } from "./Attempt.ts"
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
import type { Transition } from "./change.ts"
import type { Step, Subject } from "./Step.ts"
import { failure as failureFor } from "./Decline.ts"
import type { Failure, FailureCode } from "./Decline.ts"
import { isCanceledForGood } from "./finalCancel.ts"
import { captureFailed, laterTransition } from "./laterTransition.ts"
import { byOperator, isAnother, isUnnamed, named } from "./successName.ts"
import type { Operation } from "./Operation.ts"
import type { Payment, PaymentRecord, PaymentState, PendingReason } from "./Payment.ts"
import { isLateCapture, paidBy, reversalEvent, surplusOf, takesMoney } from "./surplus.ts"
import type { Surplus } from "./surplus.ts"
import type { Evidence, EvidenceClaim } from "../provider/Evidence.ts"

/** Applies `evidence` about `operation` to `record`. */
export const transition = (record: PaymentRecord, operation: Operation, evidence: Evidence, step: Step): Transition => {
  const attempt = record.attempts[operation.attemptSeq - 1]
  if (attempt === undefined) return notApplicable
  if (evidence.claim.kind === "disputed") return disputed(record, step.now)
  const subject: Subject = { record, attempt, operation, evidence, step }
  if (isLateCapture(attempt, operation, evidence.claim)) return lateCapture(subject)
  if (operation.kind !== "create") return laterTransition(subject)
  if (isInFlight(attempt.status)) return whileInFlight(subject)
  if (attempt.status === "authorized") return whileAuthorized(subject)
  return isClosedWithoutMoney(attempt.status) ? afterClose(subject) : afterSuccess(subject)
}

/** Recorded and told once; nothing follows from it. */
const disputed = (record: PaymentRecord, now: number): Transition =>
  record.payment.disputedAt === null ? changed(record, now, { disputedAt: now }, "payment.disputed") : duplicate

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
    case "refund_succeeded":
      return givenBack(subject)
    case "capture_failed":
      // It may have overtaken the word that it takes back.
      return contradicted(subject)
    case "refund_pending":
    case "refund_failed":
    case "disputed":
      return notApplicable
  }
}

const contradicted = ({ record, step }: Subject): Transition => doubted(record, "contradiction", step.now)

const whileAuthorized = (subject: Subject): Transition => {
  switch (subject.evidence.claim.kind) {
    case "succeeded":
    case "captured":
      return moneyTaken(subject, false)
    case "canceled":
      return closed(subject, "canceled", "customer_canceled")
    case "expired":
      return closed(subject, "expired", "authorization_expired")
    case "capture_failed":
      return captureFailed(subject)
    case "refund_succeeded":
      return givenBack(subject)
    case "authorized":
      return duplicate
    default:
      return outOfOrder
  }
}

/** Only money changes what was closed: a success, or a hold that must not stand. */
const afterClose = (subject: Subject): Transition => {
  const { claim } = subject.evidence
  const isOver = isCanceledForGood(subject)
  if (takesMoney(claim)) return isOver ? contradicted(subject) : moneyTaken(subject, true)
  // A hold that was let go is not taken again: that word is an old one.
  const isOld = isOver || subject.attempt.status === "canceled"
  return claim.kind === "authorized" && !isOld ? moneyHeld(subject) : outOfOrder
}

const afterSuccess = (subject: Subject): Transition => {
  const { attempt, evidence, record, step } = subject
  if (takesMoney(evidence.claim)) {
    if (isUnnamed(subject)) return named(subject)
    return isAnother(subject) ? doubted(record, "duplicate_capture", step.now) : duplicate
  }
  if (evidence.claim.kind === "refund_succeeded" && attempt.surplus) return givenBack(subject)
  return evidence.claim.kind === "capture_failed" ? captureFailed(subject) : outOfOrder
}

/** The hold had ended before its capture was known to be done: money taken late, as by a create. */
const lateCapture = (subject: Subject): Transition => {
  const { attempt, evidence, operation, record } = subject
  const create = record.operations.find((each) => each.kind === "create" && each.attemptSeq === attempt.seq)
  if (create === undefined) return notApplicable
  const open = replace(record, {
    operations: [{ ...operation, status: "pending", reference: evidence.reference ?? operation.reference }]
  })
  return moneyTaken({ ...subject, record: open, operation: create, evidence: { ...evidence, reference: null } }, true)
}

const openReason = (claim: { readonly nextAction: unknown }): PendingReason =>
  claim.nextAction === null ? "processing" : "awaiting_customer"

/** Money was taken by this attempt: the payment succeeds, unless the money is not its own. */
const moneyTaken = (subject: Subject, late: boolean): Transition => {
  const { attempt, evidence, operation, record, step } = subject
  const { payment } = record
  const amount = agreement(subject)
  if (amount === "differs") return mismatch(subject)
  const surplus = surplusOf(record, attempt, operation, evidence.claim, step.lateSuccess)
  if (surplus !== null) return tooMuch(subject, surplus, { status: "succeeded", late, surplus: true }, "succeeded")
  const taken = settle(subject, { status: "succeeded", late }, "succeeded")
  return changed(
    taken,
    step.now,
    {
      state: { status: "succeeded", late: late && payment.state.status === "failed" },
      amountCaptured: Math.min(received(evidence.claim) ?? accepted(subject), payment.amount.minorUnits),
      amountReceived: amount === "overpaid" ? received(evidence.claim) : payment.amountReceived,
      provider: attempt.provider,
      // An operator's word is what the review waited for.
      review: evidence.source === "operator" ? null : payment.review
    },
    "payment.succeeded"
  )
}

const moneyHeld = (subject: Subject): Transition => {
  const { attempt, evidence, operation, record, step } = subject
  if (agreement(subject) === "differs") return mismatch(subject)
  const late = isClosedWithoutMoney(attempt.status)
  const surplus = surplusOf(record, attempt, operation, evidence.claim, step.lateSuccess)
  if (surplus !== null) return tooMuch(subject, surplus, { status: "authorized", late, surplus: true }, "authorized")
  const held = settle(subject, { status: "authorized", late }, "authorized")
  // The hold is looked after: it lapses one day.
  const watched = replace(held, {
    operations: held.operations.map((each) =>
      each.id === operation.id ? { ...each, nextCheckAt: step.nextCheckAt } : each
    )
  })
  return changed(
    watched,
    step.now,
    { state: { status: "authorized" }, provider: attempt.provider },
    "payment.authorized"
  )
}

/** The payment stays what it is; what was taken or held is given back, or an operator has to. */
const tooMuch = (
  subject: Subject,
  surplus: Surplus,
  attempt: Partial<Attempt>,
  status: "succeeded" | "authorized"
): Transition => {
  const { evidence, record, step } = subject
  const taken = settle(subject, attempt, status)
  // An operator's word ends the review that it answers; what it found out may need another.
  const payment = evidence.source === "operator" ? { ...record.payment, review: null } : record.payment
  return step.reversal === null
    ? changed(taken, step.now, underReview(payment, surplus.review), null)
    : changed({ ...taken, operations: [...taken.operations, step.reversal] }, step.now, {}, null)
}

/** Somebody gave the money back by hand, where it could not be done from here or does not match. */
const givenBack = (subject: Subject): Transition => {
  const { attempt, evidence, record, step } = subject
  const { payment } = record
  if (evidence.source !== "operator") return notApplicable
  if (attempt.surplus) {
    const reversals = record.operations.filter((each) => each.attemptSeq === attempt.seq && each.purpose === "reversal")
    const done = replace(record, { operations: reversals.map((each) => ended(each, "succeeded", step.now)) })
    return changed(done, step.now, { review: null }, reversalEvent(payment))
  }
  const open = payment.state.status === "pending" || payment.state.status === "authorized"
  if (payment.review?.reason !== "amount_mismatch" || !open || step.failure === null) return notApplicable
  const over = settle(subject, { status: "canceled", code: step.failure.code }, "canceled")
  return changed(over, step.now, { review: null, state: { status: "failed", failure: step.failure } }, "payment.failed")
}

/**
 * Another amount or currency than asked: no success, an operator looks. Money moved, so the attempt is held open: no
 * inquiry or webhook closes it, and nobody else is tried.
 */
const mismatch = (subject: Subject): Transition => {
  const { attempt, evidence, operation, record, step } = subject
  const { payment } = record
  if (payment.review?.reason === "amount_mismatch" && !isClosedWithoutMoney(attempt.status)) {
    // On a chain it comes in parts: what an operator is shown is all that came so far.
    const arrived = received(evidence.claim) ?? 0
    return arrived > (payment.amountReceived ?? 0)
      ? changed(record, step.now, { amountReceived: arrived }, null)
      : duplicate
  }
  const review: Partial<Payment> = { review: { reason: "amount_mismatch" }, amountReceived: received(evidence.claim) }
  if (attempt.status === "authorized") return changed(record, step.now, review, null)
  if (!isInFlight(attempt.status)) {
    return changed(
      settle(subject, { status: "succeeded", late: true, surplus: true }, "succeeded"),
      step.now,
      review,
      null
    )
  }
  const held = replace(record, {
    attempt: { ...attempt, status: "pending", vendorCode: evidence.vendorCode ?? attempt.vendorCode },
    operations: [
      { ...operation, status: "pending", reference: evidence.reference ?? operation.reference, nextCheckAt: null }
    ]
  })
  if (payment.state.status !== "pending") return changed(held, step.now, review, null)
  return pendingChange(held, { ...payment.state, reason: "needs_review" }, step.now, review)
}

/** The provider has it, or may have it: nothing else may be tried. */
const stillOpen = (subject: Subject, status: "pending" | "unknown", told: PendingReason): Transition => {
  const { attempt, evidence, operation, record, step } = subject
  const { payment } = record
  // What is known does not become unknown again: an inquiry that fails says nothing about a pending payment.
  if (status === "unknown" && attempt.status === "pending") return outOfOrder
  const nextAction = actionOf(evidence.claim) ?? (payment.state.status === "pending" ? payment.state.nextAction : null)
  // The payer still has to do what was shown, also where an inquiry does not repeat it.
  const reason = told === "processing" && nextAction !== null ? "awaiting_customer" : told
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
    operations: [
      {
        ...operation,
        status,
        reference,
        unsettled: operation.unsettled || status === "unknown",
        nextCheckAt: step.nextCheckAt
      }
    ]
  })
  if (payment.state.status !== "pending") return changed(open, step.now, {}, null)
  // Known again: what an operator was asked to find out is found out.
  const review = status === "unknown" || payment.review?.reason !== "inquiries_exhausted" ? payment.review : null
  return pendingChange(
    open,
    { status: "pending", reason: review === null ? reason : "needs_review", nextAction },
    step.now
  )
}

/** `payment.pending` is told once, with the first change that leaves the payment open. */
const pendingChange = (
  record: PaymentRecord,
  state: PaymentState,
  now: number,
  change: Partial<Payment> = {}
): Transition =>
  record.payment.pendingAnnounced
    ? changed(record, now, { ...change, state }, null)
    : changed(record, now, { ...change, state, pendingAnnounced: true }, "payment.pending")

const actionOf = (claim: EvidenceClaim) => (claim.kind === "pending" ? claim.nextAction : null)

/** The attempt took no money: the next candidate starts in the same commit, or the payment ends. */
const closed = (
  subject: Subject,
  status: "declined" | "not_executed" | "expired" | "canceled",
  code: FailureCode | null
): Transition => {
  const { attempt, evidence, record, step } = subject
  const { payment } = record
  const isOperator = evidence.source === "operator"
  if (payment.review?.reason === "amount_mismatch" && !isOperator) return notApplicable
  const cancels = openOperations(record, attempt.seq, "cancel")
  const settled = settle(subject, { status, code: code ?? step.failure?.code ?? null }, status)
  // What we asked to be closed is closed.
  const over = replace(settled, { operations: cancels.map((each) => ended(each, "succeeded", step.now)) })
  const review = isOperator ? { review: null } : {}
  const isDecided = payment.state.status !== "pending" && payment.state.status !== "authorized"
  if (isDecided || attempt.surplus || (payment.state.status === "authorized" && paidBy(record)?.seq !== attempt.seq)) {
    return changed(over, step.now, review, attempt.surplus ? reversalEvent(payment) : null)
  }
  if (cancels.some(({ purpose }) => purpose === "requested")) {
    return changed(over, step.now, { ...review, state: { status: "canceled" } }, "payment.canceled")
  }
  // A hold that ended is the end: only a payment nobody has accepted goes to the next candidate.
  if (step.next !== null && payment.state.status === "pending") {
    const following: PaymentRecord = {
      payment,
      attempts: [...over.attempts, step.next.attempt],
      operations: [...over.operations, step.next.operation]
    }
    return changed(following, step.now, { provider: step.next.attempt.provider, state: processing }, null)
  }
  if (payment.state.status === "authorized" && status === "canceled") {
    return changed(over, step.now, { ...review, state: { status: "canceled" } }, "payment.canceled")
  }
  const failure = code === "authorization_expired" ? holdLapsed : reasonOf(over, status, step)
  return failure === null
    ? notApplicable
    : changed(over, step.now, { ...review, state: { status: "failed", failure } }, "payment.failed")
}

/**
 * Why the payment ends. What was asked after a decline and did nothing adds no reason: a provider was reached, and said
 * no. A decline that others follow is soft, so a new payment makes sense.
 */
const reasonOf = ({ attempts }: PaymentRecord, status: Attempt["status"], step: Step): Failure | null => {
  const decline = status === "not_executed" ? attempts.findLast((each) => each.status === "declined") : undefined
  return decline?.code ? failureFor(decline.code, true) : step.failure
}

const holdLapsed = failureFor("authorization_expired", true)
const processing: PaymentState = { status: "pending", reason: "processing", nextAction: null }

/** The attempt and its create operation come to a definite end; where that is money taken, so do its captures. */
const settle = (subject: Subject, change: Partial<Attempt>, status: Operation["status"]): PaymentRecord => {
  const { attempt, evidence, operation, record, step } = subject
  const captures = status === "succeeded" ? openOperations(record, attempt.seq, "capture") : []
  const isFound = status === "succeeded" && evidence.source === "operator"
  // What has paid in the last moment is not closed any more.
  const closes = record.operations.filter(
    (each) => each.attemptSeq === attempt.seq && each.purpose === "expiry" && each.status === "planned"
  )
  return replace(record, {
    attempt: {
      ...attempt,
      vendorCode: evidence.vendorCode ?? (isFound ? byOperator : attempt.vendorCode),
      endedAt: step.now,
      ...change
    },
    operations: [
      { ...ended(operation, status, step.now), reference: evidence.reference ?? operation.reference },
      ...captures.map((each) => ended(each, "succeeded", step.now)),
      ...closes.map((each) => ended(each, "canceled", step.now))
    ]
  })
}
