/** Where a provider sends the shopper back to. An application that serves the return gives its own address. */
import { Context } from "effect"
import type { Payment } from "../domain/Payment.ts"

export const ReturnAddress: Context.Reference<(payment: Payment) => string | null> = Context.Reference(
  "@paymux/core/provider/ReturnAddress",
  { defaultValue: () => (payment: Payment) => payment.returnUrl }
)
