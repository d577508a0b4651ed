/** The public JSON, with the fields that the judge reads. */
import type { PaymentView, RefundView } from "../suites/src/simulation/judge/index.ts"

// Boundary: the bytes are the public JSON of a payment.
export const viewOf = (body: string): PaymentView => JSON.parse(body)

// Boundary: the bytes are the public JSON of a refund.
export const refundViewOf = (body: string): RefundView => JSON.parse(body)
