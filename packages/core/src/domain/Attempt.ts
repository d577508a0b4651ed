/** One candidate that is tried for a payment. A payment has at most one attempt in flight. */
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
  /** 1, 2, 3 … in the order tried. */
  readonly seq: number
  /** The provider instance. */
  readonly provider: string
  readonly status: OutcomeStatus
  /** Why this candidate was chosen: `priority`, `split 70/100`, `success_rate 92.1% of 212 visa cards, drawn 91.8%`, `failover: not_executed`. */
  readonly reason: string
  /** Our word for how it ended, and the vendor's raw code; never the vendor's raw text. */
  readonly code: FailureCode | null
  readonly vendorCode: string | null
  /** A `next_action` was shown to the payer: from then on no other provider may be tried. */
  readonly actionShown: boolean
  /** Money was taken by an attempt that had ended otherwise. */
  readonly late: boolean
  /** Its money is an overpayment: another attempt had paid, or the payment had ended. It is refunded. */
  readonly isOverpayment: boolean
  /** ms UTC */
  readonly startedAt: number
  /** ms UTC. A capture keeps the time of the authorization: from then on the provider's answer was known. */
  readonly endedAt: number | null
}

/** Whether money may still be taken. While an attempt has such a status, no other attempt may start. */
export const isInFlight = (status: OutcomeStatus): boolean =>
  status === "sending" || status === "pending" || status === "unknown"

/** Whether the provider reported, or it is proven, that no money was taken. */
export const isClosedWithoutMoney = (status: OutcomeStatus): boolean =>
  status === "declined" || status === "not_executed" || status === "expired" || status === "canceled"

/** The code of an attempt that an operator found paid. */
export const byOperator = "operator"
