/**
 * Money that is not the payment's: it paid twice, or after the payment was canceled, or (where the merchant wants it so)
 * after it had failed. It is given back. Pure.
 */
import { isClosedWithoutMoney, isInFlight } from "./Attempt.ts"
import type { Attempt } from "./Attempt.ts"
import { isOpen } from "./Operation.ts"
import type { Operation, OperationKind } from "./Operation.ts"
import type { Payment, PaymentRecord, ReviewReason } from "./Payment.ts"
import type { EvidenceClaim } from "../provider/Evidence.ts"

/** What a success does to a payment that has failed: it succeeds after all (`late`), or the money is given back. */
export type LateSuccess = "succeed" | "reverse"

export interface Surplus {
  /** What gives it back: a refund of money taken, the cancel of a hold. */
  readonly kind: Extract<OperationKind, "refund" | "cancel">
  /** Minor units. */
  readonly minorUnits: number
  /** What an operator is asked to look at, where it cannot be given back. */
  readonly review: ReviewReason
}

export const takesMoney = (claim: EvidenceClaim): boolean => claim.kind === "succeeded" || claim.kind === "captured"

/** Whether what `claim` says of this attempt's money is too much. `null`: it is the payment's, or no money moved. */
export const surplusOf = (
  { payment }: PaymentRecord,
  attempt: Attempt,
  operation: Operation,
  claim: EvidenceClaim,
  lateSuccess: LateSuccess
): Surplus | null => {
  const { status } = payment.state
  if (attempt.status === "succeeded") return null
  const minorUnits = amountOf(claim) ?? operation.minorUnits
  // A hold that comes after its attempt was closed is wanted by nobody: another attempt may be on its way.
  const unwanted = isClosedWithoutMoney(attempt.status) || (attempt.status !== "authorized" && status !== "pending")
  if (claim.kind === "authorized" && unwanted) {
    return { kind: "cancel", minorUnits, review: "late_authorization" }
  }
  if (!takesMoney(claim)) return null
  const refund = (review: ReviewReason): Surplus => ({ kind: "refund", minorUnits, review })
  switch (status) {
    case "pending":
      return attempt.surplus ? refund("duplicate_capture") : null
    case "authorized":
      return attempt.status === "authorized" && !attempt.surplus ? null : refund("duplicate_capture")
    case "succeeded":
      return refund("duplicate_capture")
    case "canceled":
      return refund("late_success")
    case "failed":
      return lateSuccess === "reverse" || attempt.surplus ? refund("late_success") : null
  }
}

/** The same of a create, or of a capture that nobody waited for any more. Other operations take no money. */
export const surplusTold = (
  record: PaymentRecord,
  operation: Operation,
  claim: EvidenceClaim,
  lateSuccess: LateSuccess
): Surplus | null => {
  const attempt = record.attempts[operation.attemptSeq - 1]
  return attempt !== undefined && (operation.kind === "create" || isLateCapture(attempt, operation, claim))
    ? surplusOf(record, attempt, operation, claim, lateSuccess)
    : null
}

/** Money was taken of a hold that had ended, or that nobody wanted any more. */
export const isLateCapture = (attempt: Attempt, operation: Operation, claim: EvidenceClaim): boolean =>
  operation.kind === "capture" &&
  takesMoney(claim) &&
  (isClosedWithoutMoney(attempt.status) || (attempt.status === "authorized" && attempt.surplus)) &&
  (isOpen(operation) || operation.status === "not_executed")

const amountOf = (claim: EvidenceClaim): number | null =>
  "amount" in claim && claim.amount !== null ? claim.amount.minorUnits : null

/** Nothing of this attempt's money is left that nobody wanted, or it is on its way back. */
export const isGivenBack = ({ operations }: PaymentRecord, { seq, status, surplus }: Attempt): boolean => {
  if (!surplus || isClosedWithoutMoney(status)) return true
  const latest = operations.findLast((each) => each.attemptSeq === seq && each.purpose === "reversal")
  return latest !== undefined && (isOpen(latest) || latest.status === "succeeded")
}

/** The attempt whose money is the payment's. */
export const paidBy = ({ attempts }: PaymentRecord): Attempt | undefined =>
  attempts.find(({ status, surplus }) => !surplus && (status === "succeeded" || status === "authorized"))

/** The attempt that may still be decided. */
export const openAttempt = ({ attempts }: PaymentRecord): Attempt | undefined =>
  attempts.find(({ status }) => isInFlight(status))

/** Of money that a payment was given back without being its own, its merchant hears where nothing else tells it. */
export const reversalEvent = ({ state }: Payment): "payment.late_reversed" | null =>
  state.status === "failed" || state.status === "canceled" ? "payment.late_reversed" : null
