/** The result of a commit or a request. */
import type { PaymentRecord } from "../domain/Payment.ts"

/** A payment, and the public JSON that answers its request. `null`: the commit has not produced the answer. */
export interface PaymentResult<Body = string | null> {
  readonly record: PaymentRecord
  readonly body: Body
}

/** The answer to a create. */
export interface Created extends PaymentResult<string> {
  /** The public JSON. For a request with an idempotency key: the same bytes as in the first answer. */
  readonly body: string
  /** Whether an earlier request with the same idempotency key created this payment. */
  readonly replayed: boolean
}
