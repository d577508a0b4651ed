/**
 * Applies evidence (a report about an operation) to a payment. Pure: no clock, no database, no provider.
 *
 * It implements the state machines of Payment, Attempt and Operation, and these rules: a terminal state changes only by
 * a `late` success; amount and currency must equal the requested amount and currency; money that is taken twice is
 * never hidden, but refunded or reviewed; every change of status writes exactly one event.
 *
 * This file handles evidence about the attempt, represented by its create operation; `followUpTransition` handles
 * evidence about captures, cancels and refunds.
 */
import {
  agreement,
  explainingCapture,
  isLateCapture,
  wouldOverpay,
  reversalEvent,
  takesMoney
} from "./reportedMoney.ts"
import { isClosedWithoutMoney, isInFlight } from "../Attempt.ts"
import type { Attempt } from "../Attempt.ts"
import { acceptedAttempt, chargesOf, isConfirming } from "../books/balance.ts"
import { givenBack } from "./givenBack.ts"
import { mismatch } from "./mismatch.ts"
import {
  changed,
  doubted,
  duplicate,
  ended,
  notApplicable,
  outOfOrder,
  replace,
  pendingChange,
  settle,
  referenceOf
} from "./change.ts"
import type { Transition } from "./change.ts"
import { disputed } from "./dispute.ts"
import { appendEntries } from "./appendEntries.ts"
import { createOf, openOperations } from "../Payment.ts"
import { contradictedUntilInquired, inquiredNow } from "./recheck.ts"
import {
  isFoundAtOtherCharge,
  isOfAnotherCharge,
  isOfOtherHold,
  isBetterNamed,
  isUnnamed,
  named
} from "./reportedCharge.ts"
import { hasReview, reportedBy } from "../books/reviews.ts"
import type { Step, Subject } from "../Step.ts"
import { failure as failureFor } from "../Decline.ts"
import type { Failure, FailureCode } from "../Decline.ts"
import { isCanceledForGood, captureFailed, followUpTransition } from "./followUpTransition.ts"
import { contradictedByStatement, withoutMissing } from "./statement.ts"
import type { NextAction } from "../NextAction.ts"
import type { Operation } from "../Operation.ts"
import type { Payment, PaymentRecord, PaymentState, PendingReason } from "../Payment.ts"
import type { Evidence } from "../Evidence.ts"
import type { Outcome, Pending } from "../Outcome.ts"

/** Applies `evidence` about `operation` to `record`. */
export const transition = (record: PaymentRecord, operation: Operation, evidence: Evidence, step: Step): Transition => {
  const attempt = record.attempts[operation.attemptSeq - 1]
  if (attempt === undefined) return notApplicable
  if (evidence.outcome._tag === "Disputed") {
    return disputed(record, attempt, evidence.outcome, evidence.source, step.now)
  }
  if (evidence.outcome._tag === "Unreadable" || isOfUnknownAmount(operation, evidence)) {
    return doubted(record, "unreadable_report", operation, step.now, reportedBy(evidence))
  }
  const books = appendEntries({ record, attempt, operation, evidence, step })
  const subject: Subject = { record: books, attempt, operation, evidence, step }
  const isStatement = evidence.source === "statement"
  const answered = isStatement ? withoutMissing(subject) : books
  const contradiction = isStatement ? contradictedByStatement(subject) : null
  const transitioned = contradiction ?? ofEvidence(isStatement ? { ...subject, record: answered } : subject)
  // Even if a report has no effect on the state of the payment, its ledger entries are written.
  return transitioned._tag === "Unchanged" && answered !== record ? changed(answered, step.now, {}, null) : transitioned
}

/** Whether the evidence reports a refund that has no refund operation and no amount. */
const isOfUnknownAmount = ({ kind }: Operation, { outcome, source }: Evidence): boolean =>
  kind === "create" && outcome._tag === "RefundSucceeded" && outcome.amount === undefined && source !== "operator"

const ofEvidence = (subject: Subject): Transition => {
  const { attempt, evidence, operation } = subject
  if (isLateCapture(attempt, operation, evidence.outcome)) return lateCapture(subject)
  if (operation.kind !== "create") return followUpTransition(subject)
  if (isInFlight(attempt.status)) return whileInFlight(subject)
  if (attempt.status === "authorized") return whileAuthorized(subject)
  return isClosedWithoutMoney(attempt.status) ? afterClose(subject) : afterSuccess(subject)
}

const closes: ReadonlySet<Outcome["_tag"]> = new Set(["Declined", "NotExecuted", "Expired", "Canceled"])

const whileInFlight = (subject: Subject): Transition => {
  const { outcome } = subject.evidence
  // If another charge is reported as closed, an inquiry must show which charge belongs to the payment.
  if (closes.has(outcome._tag) && isOfAnotherCharge(subject) && subject.step.canInquire) return inquireFirst(subject)
  switch (outcome._tag) {
    case "Succeeded":
    case "Captured":
      return moneyTaken(subject, false)
    case "Authorized":
      return moneyHeld(subject)
    case "Pending":
      return stillOpen(subject, "pending", outcome.awaitingFinality ? "awaiting_finality" : openReason(outcome))
    case "Detected":
      return stillOpen(subject, "pending", "awaiting_finality")
    case "Retracted":
      return stillOpen(subject, "pending", "awaiting_customer")
    case "Unknown":
      return stillOpen(subject, "unknown", "outcome_unknown")
    case "Declined":
      return closed(subject, "declined", outcome.code)
    case "NotExecuted":
    case "NotFound":
      return closed(subject, "not_executed", null)
    case "Expired":
      return closed(subject, "expired", "customer_timeout")
    case "Canceled":
      return closed(subject, "canceled", "customer_canceled")
    case "RefundSucceeded":
      return givenBack(subject)
    case "CaptureFailed":
      // The report of a failed capture may have arrived before the report of the capture that it reverses.
      return contradicted(subject)
    case "RefundPending":
    case "RefundFailed":
    case "Disputed":
    case "Unreadable":
    case "NotBooked":
      return notApplicable
  }
}

const contradicted = ({ evidence, operation, record, step }: Subject): Transition =>
  doubted(record, "contradiction", operation, step.now, reportedBy(evidence))

const whileAuthorized = (subject: Subject): Transition => {
  switch (subject.evidence.outcome._tag) {
    case "Succeeded":
    case "Captured":
      return mayBeOverruled(subject) ? contradictedUntilInquired(subject) : moneyTaken(subject, false)
    case "Canceled":
      return holdEnded(subject, "canceled", "customer_canceled")
    case "Expired":
      return holdEnded(subject, "expired", "authorization_expired")
    case "CaptureFailed":
      return captureFailed(subject)
    case "RefundSucceeded":
      return givenBack(subject)
    case "Authorized":
      return duplicate
    default:
      return outOfOrder
  }
}

const holdEnded = (subject: Subject, status: "canceled" | "expired", code: FailureCode): Transition => {
  if (isOfOtherHold(subject)) return outOfOrder
  if (isFoundAtOtherCharge(subject)) return contradicted(subject)
  if (!isOfAnotherCharge(subject)) return closed(subject, status, code)
  return subject.step.canInquire ? inquireFirst(subject) : contradicted(subject)
}

const inquireFirst = (subject: Subject): Transition => changed(inquiredNow(subject), subject.step.now, {}, null)

/** Whether the report of a capture may be outdated: the provider has refused or reversed the capture since. */
const mayBeOverruled = (subject: Subject): boolean =>
  explainingCapture(subject)?.status === "declined" && !isConfirming(subject.evidence)

/** Applies evidence to a closed attempt, which only money changes: a success, or an authorization to be released. */
const afterClose = (subject: Subject): Transition => {
  const { outcome } = subject.evidence
  const isOver = isCanceledForGood(subject)
  // After a final cancel, reported money is only entered in the books; an inquiry or an operator confirms it.
  if (takesMoney(outcome)) return isOver ? outOfOrder : moneyTaken(subject, true)
  if (outcome._tag !== "Authorized") return outOfOrder
  // After a cancel, only an inquiry decides about a reported authorization: the report may be older.
  const mayBeOld = isOver || subject.attempt.status === "canceled"
  if (!mayBeOld) return moneyHeld(subject)
  const isHeld = (chargesOf(subject.record, subject.attempt)[0]?.held ?? 0) > 0
  return isHeld && isConfirming(subject.evidence) ? moneyHeld(subject) : outOfOrder
}

const afterSuccess = (subject: Subject): Transition => {
  const { attempt, evidence } = subject
  if (takesMoney(evidence.outcome)) return isUnnamed(subject) || isBetterNamed(subject) ? named(subject) : duplicate
  if (evidence.outcome._tag === "RefundSucceeded" && attempt.isOverpayment) return givenBack(subject)
  return evidence.outcome._tag === "CaptureFailed" ? captureFailed(subject) : outOfOrder
}

/**
 * Applies a capture that was reported after its authorization had ended: a late payment, like a late success of a
 * create.
 */
const lateCapture = (subject: Subject): Transition => {
  const { attempt, evidence, operation, record } = subject
  const create = createOf(record, attempt.seq)
  if (create === undefined) return notApplicable
  const open = replace(record, {
    operations: [{ ...operation, status: "pending", reference: evidence.outcome.reference ?? operation.reference }]
  })
  // Leaves out the reported reference, because it identifies the capture and not the charge.
  const { reference: _reference, ...outcome } = evidence.outcome
  const about = { operation: create.id }
  return moneyTaken({ ...subject, record: open, operation: create, evidence: { ...evidence, about, outcome } }, true)
}

const openReason = ({ nextAction }: Pending): PendingReason =>
  nextAction === undefined ? "processing" : "awaiting_customer"

/** Applies the evidence that the attempt took money: a success, an overpayment, or a review of another amount. */
const moneyTaken = (subject: Subject, late: boolean): Transition => {
  const { attempt, evidence, record, step } = subject
  const { payment } = record
  const amount = agreement(subject)
  if (amount === "differs") return mismatch(subject)
  if (wouldOverpay(record, attempt, evidence.outcome, step.lateSuccess)) {
    return changed(settle(subject, { status: "succeeded", late, isOverpayment: true }, "succeeded"), step.now, {}, null)
  }
  return changed(
    settle(subject, { status: "succeeded", late }, "succeeded"),
    step.now,
    {
      state: { status: "succeeded", late: late && payment.state.status === "failed" },
      provider: attempt.provider
    },
    "payment.succeeded"
  )
}

const moneyHeld = (subject: Subject): Transition => {
  const { attempt, evidence, operation, record, step } = subject
  if (agreement(subject) === "differs") return mismatch(subject)
  const late = isClosedWithoutMoney(attempt.status)
  if (wouldOverpay(record, attempt, evidence.outcome, step.lateSuccess)) {
    return changed(
      settle(subject, { status: "authorized", late, isOverpayment: true }, "authorized"),
      step.now,
      {},
      null
    )
  }
  const held = settle(subject, { status: "authorized", late }, "authorized")
  // Schedules the next check of the authorization, because it lapses.
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

/** Applies evidence that leaves the attempt open. The provider has or may have the payment, so no failover follows. */
const stillOpen = (subject: Subject, status: "pending" | "unknown", reported: PendingReason): Transition => {
  const { attempt, evidence, operation, record, step } = subject
  const { payment } = record
  // A known outcome does not become unknown again: a failed inquiry says nothing about a pending payment.
  if (status === "unknown" && attempt.status === "pending") return outOfOrder
  const nextAction =
    actionOf(evidence.outcome) ?? (payment.state.status === "pending" ? payment.state.nextAction : null)
  // The reason stays `awaiting_customer` while an action for the payer is stored, even if an inquiry does not repeat
  // the action.
  const reason = reported === "processing" && nextAction !== null ? "awaiting_customer" : reported
  const reference = evidence.outcome.reference ?? operation.reference ?? referenceOf(evidence)
  const detected = detectedSoFar(evidence.outcome, payment)
  const same =
    attempt.status === status &&
    operation.reference === reference &&
    payment.state.status === "pending" &&
    // While a review is open, `needs_review` is stored instead of the actual reason, so it counts as equal to any
    // reason.
    (payment.state.reason === reason || payment.state.reason === "needs_review") &&
    payment.state.detected === detected &&
    JSON.stringify(payment.state.nextAction) === JSON.stringify(nextAction)
  if (same) return duplicate
  const open = replace(record, {
    attempt: {
      ...attempt,
      status,
      vendorCode: evidence.outcome.vendorCode ?? attempt.vendorCode,
      actionShown: attempt.actionShown || actionOf(evidence.outcome) !== null
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
  const state: PaymentState = { status: "pending", reason, nextAction, ...(detected !== undefined && { detected }) }
  return pendingChange(withChosen(open, nextAction), state, step.now)
}

/** The amount detected on the chain so far. Transfers of other coins and answers without an amount do not change it. */
const detectedSoFar = (outcome: Outcome, { amount, state }: Payment): number | undefined => {
  const before = state.status === "pending" ? state.detected : undefined
  switch (outcome._tag) {
    case "Detected":
      return outcome.amount?.currency === amount.currency ? outcome.amount.minorUnits : undefined
    case "Pending":
      return outcome.awaitingFinality === true ? before : undefined
    case "Unknown":
      return before
    default:
      return undefined
  }
}

/** Stores the coin and the chain that the provider chose, since `next_action` is removed when the payment is paid. */
const withChosen = (record: PaymentRecord, action: NextAction | null): PaymentRecord => {
  const { method } = record.payment
  if (action?.type !== "stablecoin_transfer" || method.rail !== "stablecoin") return record
  const asset = method.asset ?? action.asset ?? null
  const network = method.network ?? action.network ?? null
  if (asset === method.asset && network === method.network) return record
  return { ...record, payment: { ...record.payment, method: { ...method, asset, network } } }
}

const actionOf = (outcome: Outcome) => (outcome._tag === "Pending" ? (outcome.nextAction ?? null) : null)

/** Applies the evidence that the attempt took no money: the next attempt starts in this commit, or the payment ends. */
const closed = (
  subject: Subject,
  status: "declined" | "not_executed" | "expired" | "canceled",
  code: FailureCode | null
): Transition => {
  const { attempt, evidence, record, step } = subject
  const { payment } = record
  const isOperator = evidence.source === "operator"
  const isHeld = hasReview(record, "amount_mismatch", attempt) || hasReview(record, "unreadable_report", attempt)
  if (isHeld && !isOperator) return notApplicable
  const cancels = openOperations(record, attempt.seq, "cancel")
  const settled = settle(subject, { status, code: code ?? step.failure?.code ?? null }, status)
  // The cancels that ended the attempt become succeeded: the provider executed them, even a cancel that counted as
  // failed.
  const done = status === "canceled" && cancels.length === 0 ? failedCancels(record, attempt) : cancels
  const over = replace(settled, {
    operations: done.map((each) => ended({ ...each, code: null }, "succeeded", step.now))
  })
  const isDecided = payment.state.status !== "pending" && payment.state.status !== "authorized"
  if (
    isDecided ||
    attempt.isOverpayment ||
    (payment.state.status === "authorized" && acceptedAttempt(record)?.seq !== attempt.seq)
  ) {
    return changed(over, step.now, {}, attempt.isOverpayment ? reversalEvent(payment) : null)
  }
  if (cancels.some(({ purpose }) => purpose === "requested")) {
    return changed(over, step.now, { state: { status: "canceled" } }, "payment.canceled")
  }
  // The next attempt starts only if the payment is pending: after an authorization, the end of the hold is final, and
  // no other provider is tried.
  if (step.next !== null && payment.state.status === "pending") {
    const following: PaymentRecord = {
      ...over,
      attempts: [...over.attempts, step.next.attempt],
      operations: [...over.operations, step.next.operation]
    }
    return changed(following, step.now, { provider: step.next.attempt.provider, state: processing }, null)
  }
  if (payment.state.status === "authorized" && status === "canceled") {
    return changed(over, step.now, { state: { status: "canceled" } }, "payment.canceled")
  }
  const failure = code === "authorization_expired" ? holdLapsed : reasonOf(over, status, step)
  return failure === null
    ? notApplicable
    : changed(over, step.now, { state: { status: "failed", failure } }, "payment.failed")
}

/** The latest requested cancel of the attempt. It counted as failed, but the provider has executed it. */
const failedCancels = ({ operations }: PaymentRecord, { seq }: Attempt): ReadonlyArray<Operation> =>
  operations
    .filter(({ attemptSeq, kind, purpose }) => attemptSeq === seq && kind === "cancel" && purpose === "requested")
    .slice(-1)

/**
 * The failure with which the payment ends. If a provider declined an earlier attempt, and the later attempts were not
 * executed, the decline remains the failure. Such a decline was soft, since other attempts followed, so a new payment
 * may succeed.
 */
const reasonOf = ({ attempts }: PaymentRecord, status: Attempt["status"], step: Step): Failure | null => {
  const decline = status === "not_executed" ? attempts.findLast((each) => each.status === "declined") : undefined
  return decline?.code ? failureFor(decline.code, true) : step.failure
}

const holdLapsed = failureFor("authorization_expired", true)
const processing: PaymentState = { status: "pending", reason: "processing", nextAction: null }
