/** Compares a reported amount with the requested one. Pure. */
import * as Money from "../Money.ts"
import type { Subject } from "../Step.ts"
import { openOperations } from "../openOperations.ts"
import { sum } from "../books/amounts.ts"
import { isReport } from "../books/balance.ts"
import type { Operation } from "../Operation.ts"
import { takesMoney } from "./overpayment.ts"
import type { Outcome } from "../Outcome.ts"

/**
 * The capture that explains money taken of a hold: one that is open, or one that was called failed and was done all the
 * same.
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
  // What was only not found is likelier done than what the provider refused.
  return (
    openOperations(record, attempt.seq, "capture")[0] ??
    failed.find(({ status }) => status === "not_executed") ??
    failed[0]
  )
}

/** The amount of the requested capture; without a capture, the whole amount. */
const captureAsked = (subject: Subject): number =>
  explainingCapture(subject)?.minorUnits ?? capturedAsAsked(subject) ?? subject.record.payment.amount.minorUnits

const capturedAsAsked = ({ attempt, record }: Subject): number | null => {
  const done = record.operations.filter(
    ({ attemptSeq, kind, status, isOverpayment }) =>
      attemptSeq === attempt.seq && kind === "capture" && status === "succeeded" && !isOverpayment
  )
  return done.length === 0 ? null : sum(done, ({ minorUnits }) => minorUnits)
}

/** If an operator accepts a different amount, it is the stated amount, or the one that arrived. */
export const accepted = (subject: Subject): number => {
  const { evidence, record } = subject
  const stated = evidence.source === "operator" ? (received(evidence.outcome) ?? record.payment.amountReceived) : null
  return stated ?? captureAsked(subject)
}

/** The amount that is reported; `undefined`: the outcome is without one. */
export const amountOf = (outcome: Outcome): Money.Money | undefined =>
  "amount" in outcome ? outcome.amount : undefined

export const received = (outcome: Outcome): number | null => amountOf(outcome)?.minorUnits ?? null

/**
 * I13. More than a capture asked for is taken for its success: what is beyond it is in the books. More than asked is no
 * fault on a chain, where the payer alone decides what to send; a reply to the request may have the body of another payment.
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

/** It names a charge only, and only a reply with another amount has tied that charge to the payment. */
export const isOfUnprovenCharge = ({ attempt, evidence, record }: Subject): boolean =>
  isReport(evidence) &&
  !("operation" in evidence.about) &&
  record.payment.reviews.some(
    ({ attemptSeq, reason, source }) => attemptSeq === attempt.seq && reason === "amount_mismatch" && source === "reply"
  )
