/** What an account at a provider is enabled for, or not: everything else about a payment makes no difference. Pure. */
import { flow } from "../domain/PaymentMethod.ts"
import type { Flow, Rail } from "../domain/PaymentMethod.ts"
import type { NewPayment } from "../domain/Payment.ts"
import type { Provider } from "../provider/Provider.ts"
import { servedFlow } from "./servedFlow.ts"

export interface PaymentKind {
  /** The provider instance. */
  readonly provider: string
  readonly rail: Rail
  /** As the provider serves it. */
  readonly flow: Flow
  readonly currency: string
}

export const paymentKind = (
  { capabilities, id }: Pick<Provider, "id" | "capabilities">,
  payment: NewPayment
): PaymentKind => {
  const { rail } = payment.method
  const flows = capabilities.methods[rail]?.flows ?? {}
  const { currency } = payment.amount
  return { provider: id, rail, flow: servedFlow(payment, flow(payment.method), flows), currency }
}
