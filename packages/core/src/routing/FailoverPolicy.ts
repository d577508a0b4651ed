import type { DeclineCode } from "../domain/Decline.ts"

export type FailoverCause = "not_executed" | "soft_decline"

/** The limits of a payment's failover to other candidates. They can only narrow the failover table. */
export interface FailoverPolicy {
  readonly maxAttempts: number
  /** The time after the payment was created, ms, after which no attempt starts. */
  readonly deadlineMs: number
  readonly on: ReadonlyArray<FailoverCause>
  /** The decline codes that end the payment, even if they are soft. */
  readonly notOn: ReadonlyArray<DeclineCode>
}

export const defaultFailover: FailoverPolicy = {
  maxAttempts: 3,
  deadlineMs: 45_000,
  on: ["not_executed", "soft_decline"],
  notOn: []
}
