/** The inputs of a payment's state transition, besides its stored record. */
import type { Attempt } from "./Attempt.ts"
import type { Failure } from "./Decline.ts"
import type { Operation } from "./Operation.ts"
import type { PaymentRecord } from "./Payment.ts"
import type { Evidence } from "./Evidence.ts"

/**
 * The configured effect of a success on a payment that has failed: the payment succeeds (`late`), or the money is
 * refunded.
 */
export type LateSuccess = "succeed" | "reverse"

/** The data that the executor adds to the evidence: the time, and its decisions about the next steps. */
export interface Step {
  /** The current time, ms UTC. */
  readonly now: number
  /**
   * The attempt at the next provider, with its create operation. It starts if the current attempt is closed without
   * money.
   */
  readonly next: { readonly attempt: Attempt; readonly operation: Operation } | null
  /** The failure of the payment, used if the attempt is closed without money and no other attempt follows. */
  readonly failure: Failure | null
  /** The time of the next check on the operation, if the operation stays open, ms UTC. */
  readonly nextCheckAt: number | null
  /**
   * The time at which an operation of the engine is sent again if it was proven not done, ms UTC; `null` if a review is
   * opened instead.
   */
  readonly retryAt: number | null
  readonly lateSuccess: LateSuccess
  /**
   * The provider's way to report this kind of operation: as separate movements, or as the total of the charge so far.
   */
  readonly reports: "movement" | "total"
  /** Whether the provider supports inquiries about the operation. */
  readonly canInquire: boolean
  /** Whether the provider declared that no money moves after a confirmed cancel. */
  readonly cancelIsFinal: boolean
}

export interface Subject {
  readonly record: PaymentRecord
  readonly attempt: Attempt
  readonly operation: Operation
  readonly evidence: Evidence
  readonly step: Step
}
