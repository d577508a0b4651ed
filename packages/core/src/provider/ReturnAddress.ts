/** Where a provider sends the shopper back to. An application that serves the return gives its own address. */
import { Context } from "effect"
import type { OperationId } from "../domain/Ids.ts"
import type { Payment } from "../domain/Payment.ts"

/**
 * Of the operation that is sent, and its payment. Made of the operation's id: a request that is repeated after its commit was
 * lost has another payment id, and a provider that gets another address takes it for another request.
 */
export type ReturnAddressOf = (operation: OperationId, payment: Payment) => string | null

export const ReturnAddress = Context.Reference<ReturnAddressOf>("@paymux/core/provider/ReturnAddress", {
  defaultValue: () => (_, payment) => payment.returnUrl
})
