/** The result of a commit or a request. */
import type { PaymentRecord } from "../domain/Payment.ts"

/** A payment, and the public JSON that answers its request. `null`: the commit has not produced the answer. */
export interface PaymentResult<Body = string | null> {
  readonly record: PaymentRecord
  readonly body: Body
}

/** The answer to a request of a client. */
export interface Created extends PaymentResult<string> {
  /** The public JSON. A repeated request with the same idempotency key gets the same bytes as the first one. */
  readonly body: string
  /** Whether an earlier request with the same idempotency key was answered so. */
  readonly replayed: boolean
}
