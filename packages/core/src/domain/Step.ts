/** What a transition looks at beside the record. */
import type { Attempt } from "./Attempt.ts"
import type { Failure } from "./Decline.ts"
import type { Operation } from "./Operation.ts"
import type { PaymentRecord } from "./Payment.ts"
import type { LateSuccess } from "./surplus.ts"
import type { Evidence } from "../provider/Evidence.ts"

/** What the executor adds to the evidence: time, and what it decided should follow. */
export interface Step {
  /** ms UTC */
  readonly now: number
  /** The candidate that is tried next, when this attempt is closed without money. */
  readonly next: { readonly attempt: Attempt; readonly operation: Operation } | null
  /** Why the payment fails, when it is closed without money and nothing follows. */
  readonly failure: Failure | null
  /** When the operation is looked after again, if it stays open. ms UTC */
  readonly nextCheckAt: number | null
  /** When what the engine wants done is sent again after it was proven not done; `null`: an operator is asked. ms UTC */
  readonly retryAt: number | null
  readonly lateSuccess: LateSuccess
  /** Whether the provider reports this kind of operation as movements, or as what its charge comes to so far. */
  readonly reports: "movement" | "total"
  /** The provider can be asked what became of an operation. */
  readonly canInquire: boolean
  /** The provider declared that no money moves by what it has canceled. */
  readonly cancelIsFinal: boolean
}

export interface Subject {
  readonly record: PaymentRecord
  readonly attempt: Attempt
  readonly operation: Operation
  readonly evidence: Evidence
  readonly step: Step
}
