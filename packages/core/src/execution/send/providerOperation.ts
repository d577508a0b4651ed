import type { Operation } from "../../domain/Operation.ts"
import type { PaymentRecord } from "../../domain/Payment.ts"
import type { Provider, ProviderOperation } from "../../provider/Provider.ts"
import type { ReturnAddressOf } from "../../provider/ReturnAddress.ts"
import { servedMethod } from "../../routing/servedFlow.ts"

/** Converts the operation to the form that its adapter receives. */
export const providerOperation = (
  record: PaymentRecord,
  operation: Operation,
  { capabilities }: Pick<Provider, "capabilities">,
  returnAddress: ReturnAddressOf
): ProviderOperation => {
  const { payment } = record
  const { currency } = payment.amount
  return {
    id: operation.id,
    kind: operation.kind,
    paymentId: payment.id,
    amount: { minorUnits: operation.minorUnits, currency },
    key: operation.key,
    reference: operation.reference,
    original: originalOf(record, operation),
    reason: operation.reason,
    method: servedMethod(payment, capabilities.methods),
    captureMethod: payment.captureMethod,
    customer: payment.customer,
    client: payment.client,
    description: payment.description,
    metadata: payment.metadata,
    // `returnUrl` is a getter, so that the URL is signed on its first use: most payment methods never redirect the
    // shopper.
    get returnUrl() {
      return returnAddress(operation.id, payment)
    },
    deadlineAt: operation.deadlineAt,
    createdAt: operation.createdAt
  }
}

const originalOf = ({ operations, payment }: PaymentRecord, operation: Operation): ProviderOperation["original"] => {
  if (operation.kind === "create") return null
  const create = operations.find((each) => each.kind === "create" && each.attemptSeq === operation.attemptSeq)
  return create === undefined
    ? null
    : {
        reference: operation.charge ?? create.reference,
        key: create.key,
        amount: { ...payment.amount, minorUnits: create.minorUnits }
      }
}
