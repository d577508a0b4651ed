/** What `paymux.providers` and `paymux.doctor` do. */
import type { Tenant } from "@paymux/core"
import { Providers } from "@paymux/dashboard"
import type { Finding, HelpedRefusal, ProviderInstance } from "@paymux/dashboard"
import { Effect } from "effect"
import * as PaymentCalls from "./PaymentCalls.ts"

/** Of the provider instances of this mode, with the simulated ones. They belong to no account. */
export interface ProviderOperations {
  /** In the order of the configuration. */
  readonly list: () => Promise<ReadonlyArray<ProviderInstance>>
  /**
   * Sends a harmless inquiry to one instance: whether it can be reached and accepts the credentials. It moves no money.
   * `null`: this mode has no such instance.
   */
  readonly check: (id: string) => Promise<ReadonlyArray<Finding> | null>
  /**
   * What the account at the provider was not enabled for, as the payments of the last seven days show it, the latest first.
   * `null`: this mode has no such instance.
   */
  readonly accountRefusals: (id: string) => Promise<ReadonlyArray<HelpedRefusal> | null>
}

export const list = ({ livemode }: Tenant) => Providers.use((providers) => Effect.sync(() => providers.list(livemode)))

export const check = Effect.fnUntraced(function* ({ livemode }: Tenant, id: string) {
  yield* PaymentCalls.asText(id, "/id")
  return yield* Providers.use((providers) => providers.check(livemode, id))
})

export const accountRefusals = Effect.fnUntraced(function* (tenant: Tenant, id: string) {
  yield* PaymentCalls.asText(id, "/id")
  return yield* Providers.use((providers) => providers.accountRefusals(tenant, id))
})

export const doctor = (tenant: Tenant) => Providers.use((providers) => providers.doctor(tenant))
