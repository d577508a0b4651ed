/** Whether the instance of a payment's mode is configured, and can do this to the payment. */
import type { OperationKind } from "../domain/Operation.ts"
import type { PaymentRecord } from "../domain/Payment.ts"
import type { ProviderRegistry } from "../provider/ProviderRegistry.ts"
import { supports } from "../routing/servedFlow.ts"

export const isSupported = (
  registry: ProviderRegistry["Service"],
  provider: string,
  kind: OperationKind,
  { payment }: PaymentRecord
): boolean => {
  const running = registry.serving(provider, payment.livemode)
  return running !== null && supports(running.provider.capabilities, kind, payment)
}
