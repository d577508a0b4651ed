/** The facts of a transition besides the record. */
import type { Attempt } from "./Attempt.ts"
import type { Failure } from "./Decline.ts"
import type { Operation } from "./Operation.ts"
import type { PaymentRecord } from "./Payment.ts"
import type { Evidence } from "./Evidence.ts"

/** The effect of a success on a failed payment: it succeeds (`late`), or the money is refunded. */
export type LateSuccess = "succeed" | "reverse"

/** The facts that the executor adds to the evidence: the time, and its decisions about the next steps. */
export interface Step {
  /** ms UTC */
  readonly now: number
  /** The next candidate, which is tried if this attempt is closed without money. */
  readonly next: { readonly attempt: Attempt; readonly operation: Operation } | null
  /** Why the payment fails, if the attempt is closed without money and no other one follows. */
  readonly failure: Failure | null
  /** The next check of the operation, if it stays open. ms UTC */
  readonly nextCheckAt: number | null
  /** When an operation of the engine that was proven not done is sent again; `null`: a review is opened. ms UTC */
  readonly retryAt: number | null
  readonly lateSuccess: LateSuccess
  /** Whether the provider reports this kind of operation as separate movements, or as the total of its charge so far. */
  readonly reports: "movement" | "total"
  /** The provider supports inquiries about the operation. */
  readonly canInquire: boolean
  /** The provider declared that no money moves after a confirmed cancel. */
  readonly cancelIsFinal: boolean
}

export interface Subject {
  readonly record: PaymentRecord
  readonly attempt: Attempt
  readonly operation: Operation
  readonly evidence: Evidence
  readonly step: Step
}
