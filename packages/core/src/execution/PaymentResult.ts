/** The result of a commit or a request. */
import type { PaymentRecord } from "../domain/Payment.ts"

/**
 * A payment, and the response body (public JSON) for its request; the body is `null` if the commit has not produced it.
 */
export interface PaymentResult<Body = string | null> {
  readonly record: PaymentRecord
  readonly body: Body
}

/** The response to a request of a client. */
export interface Created extends PaymentResult<string> {
  /** The public JSON. A repeated request with the same idempotency key gets the same bytes as the first one. */
  readonly body: string
  /** Whether this is the stored response to an earlier request with the same idempotency key. */
  readonly replayed: boolean
}
