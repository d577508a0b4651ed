/**
 * Money that is not the payment's: it paid twice, or after the payment was canceled, or (where the merchant wants it so)
 * after it had failed. It is given back. Pure.
 */
import { isClosedWithoutMoney, isInFlight } from "./Attempt.ts"
import type { Attempt } from "./Attempt.ts"
import { isOpen } from "./Operation.ts"
import type { Operation } from "./Operation.ts"
import type { Payment, PaymentRecord } from "./Payment.ts"
import type { Outcome } from "../provider/Outcome.ts"

/** What a success does to a payment that has failed: it succeeds after all (`late`), or the money is given back. */
export type LateSuccess = "succeed" | "reverse"

export const takesMoney = (outcome: Outcome): boolean => outcome._tag === "Succeeded" || outcome._tag === "Captured"

/** Whether what `claim` says of this attempt's money is too much. `false`: it is the payment's, or no money moved. */
export const isSurplus = (
  { payment }: PaymentRecord,
  attempt: Attempt,
  outcome: Outcome,
  lateSuccess: LateSuccess
): boolean => {
  const { status } = payment.state
  if (attempt.status === "succeeded") return false
  // A hold that comes after its attempt was closed is wanted by nobody: another attempt may be on its way.
  const unwanted = isClosedWithoutMoney(attempt.status) || (attempt.status !== "authorized" && status !== "pending")
  if (outcome._tag === "Authorized") return unwanted
  if (!takesMoney(outcome)) return false
  switch (status) {
    case "pending":
      return attempt.surplus
    case "authorized":
      return attempt.status !== "authorized" || attempt.surplus
    case "succeeded":
    case "canceled":
      return true
    case "failed":
      return lateSuccess === "reverse" || attempt.surplus
  }
}

/** Money was taken of a hold that had ended, or that nobody wanted any more. */
export const isLateCapture = (attempt: Attempt, operation: Operation, outcome: Outcome): boolean =>
  operation.kind === "capture" &&
  takesMoney(outcome) &&
  (isClosedWithoutMoney(attempt.status) || (attempt.status === "authorized" && attempt.surplus)) &&
  (isOpen(operation) || operation.status === "not_executed" || operation.status === "declined")

/** The attempt that may still be decided. */
export const openAttempt = ({ attempts }: PaymentRecord): Attempt | undefined =>
  attempts.find(({ status }) => isInFlight(status))

/** Of money that a payment was given back without being its own, its merchant hears where nothing else tells it. */
export const reversalEvent = ({ state }: Payment): "payment.late_reversed" | null =>
  state.status === "failed" || state.status === "canceled" ? "payment.late_reversed" : null
