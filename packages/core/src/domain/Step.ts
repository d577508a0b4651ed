/** The inputs of a transition besides the payment's record. */
import type { Attempt } from "./Attempt.ts"
import type { Failure } from "./Decline.ts"
import type { Operation } from "./Operation.ts"
import type { PaymentRecord } from "./Payment.ts"
import type { Evidence } from "./Evidence.ts"

/** The effect of a success on a failed payment: the payment succeeds (`late`), or the money is refunded. */
export type LateSuccess = "succeed" | "reverse"

/** The facts that the executor adds to the evidence: the time, and its decisions about the next steps. */
export interface Step {
  /** ms UTC */
  readonly now: number
  /** The attempt at the next candidate, which starts if the current attempt is closed without money. */
  readonly next: { readonly attempt: Attempt; readonly operation: Operation } | null
  /** The failure of the payment, if the attempt is closed without money and no other attempt follows. */
  readonly failure: Failure | null
  /** The time of the next check on the operation, if the operation stays open. ms UTC */
  readonly nextCheckAt: number | null
  /** The time at which an operation of the engine that was proven not done is sent again; `null`: open a review. ms UTC */
  readonly retryAt: number | null
  readonly lateSuccess: LateSuccess
  /** Whether the provider reports this kind of operation as separate movements, or as the total of the charge so far. */
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
