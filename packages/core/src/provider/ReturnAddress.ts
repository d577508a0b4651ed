/**
 * The return URL: the URL to which a provider redirects the shopper. An application that serves this URL provides the
 * service.
 */
import { Context } from "effect"
import type { OperationId } from "../domain/Ids.ts"
import type { Payment } from "../domain/Payment.ts"

/**
 * Computes the return URL for an operation that is sent, and for its payment. The URL contains the operation's id
 * instead of the payment's id: the latter changes if a request is repeated after a lost commit, and a provider treats a
 * request with another URL as a new request.
 */
export type ReturnAddressOf = (operation: OperationId, payment: Payment) => string | null

export const ReturnAddress = Context.Reference<ReturnAddressOf>("@paymux/core/provider/ReturnAddress", {
  defaultValue: () => (_, payment) => payment.returnUrl
})
