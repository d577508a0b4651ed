/** One try of a payment at a candidate provider. A payment has at most one attempt in flight. */
import type { FailureCode } from "./Decline.ts"

export type OutcomeStatus =
  | "sending"
  | "authorized"
  | "succeeded"
  | "pending"
  | "declined"
  | "not_executed"
  | "unknown"
  | "expired"
  | "canceled"

export interface Attempt {
  /** 1, 2, 3 … in the order in which the payment's attempts were started. */
  readonly seq: number
  /** The provider instance. */
  readonly provider: string
  readonly status: OutcomeStatus
  /** Why this candidate was chosen: `priority`, `split 70/100`, `success_rate 92.1% of 212 visa cards, drawn 91.8%`, `failover: not_executed`. */
  readonly reason: string
  /** Our code for the failure of the attempt, and the vendor's raw code; never the vendor's raw text. */
  readonly code: FailureCode | null
  readonly vendorCode: string | null
  /** Whether a `next_action` was shown to the payer: from then on no other provider may be tried. */
  readonly actionShown: boolean
  /** Whether the attempt took money after it had ended without money. */
  readonly late: boolean
  /** Whether the attempt's money is an overpayment, which is refunded: another attempt had paid, or the payment had ended. */
  readonly isOverpayment: boolean
  /** ms UTC */
  readonly startedAt: number
  /** ms UTC. A captured attempt keeps the time of its authorization: from then on the provider's answer was known. */
  readonly endedAt: number | null
}

/** Whether an attempt with this status may still take money. While an attempt is in flight, no other attempt may start. */
export const isInFlight = (status: OutcomeStatus): boolean =>
  status === "sending" || status === "pending" || status === "unknown"

/** Whether the provider reported, or other evidence proves, that the attempt took no money. */
export const isClosedWithoutMoney = (status: OutcomeStatus): boolean =>
  status === "declined" || status === "not_executed" || status === "expired" || status === "canceled"

/** The vendor code of an attempt that an operator found to be paid. */
export const byOperator = "operator"
