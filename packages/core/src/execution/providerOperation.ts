import type { Operation } from "../domain/Operation.ts"
import type { Payment } from "../domain/Payment.ts"
import type { ProviderOperation } from "../provider/Provider.ts"

/** What an adapter is told of an operation. */
export const providerOperation = (payment: Payment, operation: Operation): ProviderOperation => ({
  id: operation.id,
  kind: operation.kind,
  paymentId: payment.id,
  amount: { minorUnits: operation.minorUnits, currency: payment.amount.currency },
  key: operation.key,
  reference: operation.reference,
  method: payment.method,
  captureMethod: payment.captureMethod,
  customer: payment.customer,
  client: payment.client,
  description: payment.description,
  metadata: payment.metadata,
  returnUrl: payment.returnUrl,
  deadlineAt: operation.deadlineAt,
  createdAt: operation.createdAt
})
