/** What is shown of a provider instance. Pure. */
import type { Provider, ProviderOperations } from "@paymux/core"
import { declaredBy } from "@paymux/core/engine"
import type { ProviderInstance } from "@paymux/dashboard"

/** `operations`: those of the instance as it was made; they show whether it receives webhooks. */
export const providerInstance = (
  provider: Provider,
  publicUrl: string,
  operations: Pick<ProviderOperations, "webhook">
): ProviderInstance => {
  const { adapter = null, capabilities, formerly = [], id, mode, retired = false, specVersion } = provider
  const declared = declaredBy(provider)
  return {
    id,
    mode,
    retired,
    formerly,
    adapter,
    specVersion,
    webhookUrl: webhookUrlOf(id, publicUrl, operations),
    methods: capabilities.methods,
    operations: Object.fromEntries(
      (["create", "capture", "cancel", "refund"] as const)
        .filter((kind) => capabilities.operations[kind] !== undefined)
        .map((kind) => [kind, declared(kind)])
    )
  }
}

/** The address to enter at the provider; `null`: it sends no webhooks. */
export const webhookUrlOf = (
  id: string,
  publicUrl: string,
  { webhook }: Pick<ProviderOperations, "webhook">
): string | null => (webhook === undefined ? null : `${publicUrl}/webhooks/${id}`)
