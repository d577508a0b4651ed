/** The address to which a provider sends the shopper back. An application that serves the return provides its own. */
import { Context } from "effect"
import type { OperationId } from "../domain/Ids.ts"
import type { Payment } from "../domain/Payment.ts"

/**
 * The address for an operation that is sent, and its payment. It contains the operation's id: a request that is repeated after
 * its commit was lost has another payment id, and a provider that gets another address treats it as another request.
 */
export type ReturnAddressOf = (operation: OperationId, payment: Payment) => string | null

export const ReturnAddress = Context.Reference<ReturnAddressOf>("@paymux/core/provider/ReturnAddress", {
  defaultValue: () => (_, payment) => payment.returnUrl
})
