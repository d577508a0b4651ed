/** Whether the provider instance for a payment's mode is configured and supports this operation for the payment. */
import type { OperationKind } from "../../domain/Operation.ts"
import type { PaymentRecord } from "../../domain/Payment.ts"
import type { OperationSupport } from "../../domain/transition/requestOperation.ts"
import type { ProviderRegistry } from "../../provider/ProviderRegistry.ts"
import { supports } from "../../routing/servedFlow.ts"

export const supportOf = (
  registry: ProviderRegistry["Service"],
  provider: string,
  kind: OperationKind,
  { payment }: PaymentRecord
): OperationSupport => {
  const running = registry.serving(provider, payment.livemode)
  if (running === null) return "not_configured"
  return supports(running.provider.capabilities, kind, payment) ? "supported" : "not_supported"
}

export const isSupported = (
  registry: ProviderRegistry["Service"],
  provider: string,
  kind: OperationKind,
  record: PaymentRecord
): boolean => supportOf(registry, provider, kind, record) === "supported"
