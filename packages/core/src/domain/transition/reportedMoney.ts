/**
 * Judges money that a provider reports: whether the amount agrees with the request, and whether it is an overpayment.
 * An overpayment is a duplicate payment, or a payment after a cancel or (if the merchant configured it so) after a
 * failure; it is refunded. Pure.
 */
import { isClosedWithoutMoney, isInFlight } from "../Attempt.ts"
import type { Attempt } from "../Attempt.ts"
import * as Money from "../Money.ts"
import { isOpen } from "../Operation.ts"
import type { Operation } from "../Operation.ts"
import type { Outcome } from "../Outcome.ts"
import { openOperations } from "../Payment.ts"
import type { Payment, PaymentRecord } from "../Payment.ts"
import type { LateSuccess, Subject } from "../Step.ts"
import { sum } from "../books/amounts.ts"
import { isReport } from "../books/balance.ts"

export const takesMoney = (outcome: Outcome): boolean => outcome._tag === "Succeeded" || outcome._tag === "Captured"

/**
 * Whether the reported money of this attempt is an overpayment. `false` if it belongs to the payment, or no money
 * moved.
 */
export const wouldOverpay = (
  { payment }: PaymentRecord,
  attempt: Attempt,
  outcome: Outcome,
  lateSuccess: LateSuccess
): boolean => {
  const { status } = payment.state
  if (attempt.status === "succeeded") return false
  // A hold that is reported after its attempt was closed is not needed: another attempt may be in progress.
  const unwanted = isClosedWithoutMoney(attempt.status) || (attempt.status !== "authorized" && status !== "pending")
  if (outcome._tag === "Authorized") return unwanted
  if (!takesMoney(outcome)) return false
  switch (status) {
    case "pending":
      return attempt.isOverpayment
    case "authorized":
      return attempt.status !== "authorized" || attempt.isOverpayment
    case "succeeded":
    case "canceled":
      return true
    case "failed":
      return lateSuccess === "reverse" || attempt.isOverpayment
  }
}

/** Whether the outcome reports a capture of an authorization that had ended, or was no longer needed. */
export const isLateCapture = (attempt: Attempt, operation: Operation, outcome: Outcome): boolean =>
  operation.kind === "capture" &&
  takesMoney(outcome) &&
  (isClosedWithoutMoney(attempt.status) || (attempt.status === "authorized" && attempt.isOverpayment)) &&
  (isOpen(operation) || operation.status === "not_executed" || operation.status === "declined")

/** The attempt whose outcome is open. */
export const openAttempt = ({ attempts }: PaymentRecord): Attempt | undefined =>
  attempts.find(({ status }) => isInFlight(status))

/**
 * The event for a reversed overpayment of a failed or canceled payment; otherwise `null`, because the state of the
 * payment already shows the reversal.
 */
export const reversalEvent = ({ state }: Payment): "payment.late_reversed" | null =>
  state.status === "failed" || state.status === "canceled" ? "payment.late_reversed" : null

/**
 * Finds the capture that explains the money taken for an authorized payment: an open capture, or a capture that counted
 * as failed and was executed nevertheless.
 */
export const explainingCapture = ({ attempt, evidence, record }: Subject): Operation | undefined => {
  const reported = received(evidence.outcome) ?? Number.MAX_SAFE_INTEGER
  const failed = record.operations.filter(
    ({ attemptSeq, kind, minorUnits, status }) =>
      attemptSeq === attempt.seq &&
      kind === "capture" &&
      (status === "not_executed" || status === "declined" || status === "canceled") &&
      minorUnits <= reported
  )
  // A capture that was only not found is more likely to have been executed than one that the provider refused.
  return (
    openOperations(record, attempt.seq, "capture")[0] ??
    failed.find(({ status }) => status === "not_executed") ??
    failed[0]
  )
}

/** The requested amount of the capture that explains the money; without a capture operation, the whole amount. */
const captureAsked = (subject: Subject): number =>
  explainingCapture(subject)?.minorUnits ?? capturedAsAsked(subject) ?? subject.record.payment.amount.minorUnits

const capturedAsAsked = ({ attempt, record }: Subject): number | null => {
  const done = record.operations.filter(
    ({ attemptSeq, kind, status, isOverpayment }) =>
      attemptSeq === attempt.seq && kind === "capture" && status === "succeeded" && !isOverpayment
  )
  return done.length === 0 ? null : sum(done, ({ minorUnits }) => minorUnits)
}

/**
 * The accepted amount: for an operator's evidence the stated amount, or the received one if none is stated; for other
 * evidence the requested amount.
 */
export const accepted = (subject: Subject): number => {
  const { evidence, record } = subject
  const stated = evidence.source === "operator" ? (received(evidence.outcome) ?? record.payment.amountReceived) : null
  return stated ?? captureAsked(subject)
}

/** The amount that an outcome reports; `undefined` if it has none. */
export const amountOf = (outcome: Outcome): Money.Money | undefined =>
  "amount" in outcome ? outcome.amount : undefined

export const received = (outcome: Outcome): number | null => amountOf(outcome)?.minorUnits ?? null

/**
 * Compares the reported amount and currency with the request. A capture of more than requested counts as a success: the
 * books have the excess. On a chain, where the payer decides how much to send, an overpayment is no fault, except in a
 * reply, since a reply may have the body of another payment.
 */
export const agreement = (subject: Subject): "agrees" | "overpaid" | "differs" => {
  const { evidence, record } = subject
  const { amount, method } = record.payment
  const reported = amountOf(evidence.outcome)
  if (reported === undefined || evidence.source === "operator") return "agrees"
  const capture = takesMoney(evidence.outcome) ? explainingCapture(subject) : undefined
  if (reported.currency !== amount.currency) return "differs"
  if (capture !== undefined) return reported.minorUnits >= capture.minorUnits ? "agrees" : "differs"
  if (Money.equals(reported, amount)) return "agrees"
  const isTransfer = method.rail === "stablecoin" && evidence.source !== "reply" && !isOfUnprovenCharge(subject)
  return reported.minorUnits > amount.minorUnits && isTransfer ? "overpaid" : "differs"
}

/**
 * Whether the report identifies only a charge, and the charge is not proven to belong to the payment: the only link
 * between them is a reply with another amount than requested.
 */
export const isOfUnprovenCharge = ({ attempt, evidence, record }: Subject): boolean =>
  isReport(evidence) &&
  !("operation" in evidence.about) &&
  record.payment.reviews.some(
    ({ attemptSeq, reason, source }) => attemptSeq === attempt.seq && reason === "amount_mismatch" && source === "reply"
  )
