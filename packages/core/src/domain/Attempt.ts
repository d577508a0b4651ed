/** One attempt of a payment: one try at one provider. A payment has at most one attempt in flight. */
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
  /** The number of the attempt: 1, 2, 3 … in the order in which the payment's attempts were started. */
  readonly seq: number
  /** The id of the provider instance at which the attempt is made. */
  readonly provider: string
  readonly status: OutcomeStatus
  /**
   * The reason why this provider was chosen: `priority`, `split 70/100`, `success_rate 92.1% of 212 visa cards, drawn
   * 91.8%`, `failover: not_executed`.
   */
  readonly reason: string
  /**
   * The failure code of the attempt (Paymux's own, next to the vendor's raw code). The vendor's raw text is never
   * stored.
   */
  readonly code: FailureCode | null
  readonly vendorCode: string | null
  /** Whether a `next_action` was shown to the payer. From then on, no other provider may be tried. */
  readonly actionShown: boolean
  /** Whether the attempt took money after it had already ended without money. */
  readonly late: boolean
  /**
   * Whether the money that the attempt took is an overpayment, because another attempt had paid or the payment had
   * ended. The engine refunds it.
   */
  readonly isOverpayment: boolean
  /** The start of the attempt, ms UTC. */
  readonly startedAt: number
  /**
   * The end of the attempt, ms UTC. A captured attempt keeps the time of its authorization, since the provider's answer
   * was known from then on.
   */
  readonly endedAt: number | null
}

/**
 * Whether an attempt with this status may still take money. While an attempt is in flight, no other attempt may start.
 */
export const isInFlight = (status: OutcomeStatus): boolean =>
  status === "sending" || status === "pending" || status === "unknown"

/** Whether the provider reported, or other evidence proves, that the attempt took no money. */
export const isClosedWithoutMoney = (status: OutcomeStatus): boolean =>
  status === "declined" || status === "not_executed" || status === "expired" || status === "canceled"

/** The value of `vendorCode` for an attempt that an operator found to be paid at the provider. */
export const byOperator = "operator"
