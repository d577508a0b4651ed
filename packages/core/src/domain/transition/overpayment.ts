/**
 * Overpayments: a duplicate payment, or a payment after a cancel or (if the merchant configured it so) after a failure. They
 * are refunded. Pure.
 */
import { isClosedWithoutMoney, isInFlight } from "../Attempt.ts"
import type { Attempt } from "../Attempt.ts"
import { isOpen } from "../Operation.ts"
import type { Operation } from "../Operation.ts"
import type { Payment, PaymentRecord } from "../Payment.ts"
import type { Outcome } from "../Outcome.ts"

/** The effect of a success on a failed payment: it succeeds (`late`), or the money is refunded. */
export type LateSuccess = "succeed" | "reverse"

export const takesMoney = (outcome: Outcome): boolean => outcome._tag === "Succeeded" || outcome._tag === "Captured"

/** Whether the reported money of this attempt is an overpayment. `false`: it is the payment's, or no money moved. */
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

/** A capture of a hold that had ended, or that was no longer needed. */
export const isLateCapture = (attempt: Attempt, operation: Operation, outcome: Outcome): boolean =>
  operation.kind === "capture" &&
  takesMoney(outcome) &&
  (isClosedWithoutMoney(attempt.status) || (attempt.status === "authorized" && attempt.isOverpayment)) &&
  (isOpen(operation) || operation.status === "not_executed" || operation.status === "declined")

/** The attempt that may still be decided. */
export const openAttempt = ({ attempts }: PaymentRecord): Attempt | undefined =>
  attempts.find(({ status }) => isInFlight(status))

/** The event for a reversed overpayment, if the state of the payment does not show it. */
export const reversalEvent = ({ state }: Payment): "payment.late_reversed" | null =>
  state.status === "failed" || state.status === "canceled" ? "payment.late_reversed" : null
