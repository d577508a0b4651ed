/** The rules in force, as the engine asks them: which candidates, in which order, and how far failover may go. */
import { Context, Effect, Layer } from "effect"
import type { PaymentId } from "../domain/Ids.ts"
import type { NewPayment, Tenant } from "../domain/Payment.ts"
import { ProviderRegistry } from "../provider/ProviderRegistry.ts"
import { compile } from "./CompiledRouting.ts"
import { facts } from "./Facts.ts"
import type { FailoverPolicy } from "./RoutingConfig.ts"
import type { NoRoute, Plan } from "./Plan.ts"
import { plan } from "./Router.ts"
import { defaultRouting } from "./RoutingConfig.ts"
import type { RoutingInvalid } from "./RoutingInvalid.ts"

export class Routing extends Context.Service<
  Routing,
  {
    readonly plan: (payment: NewPayment, tenant: Tenant, id: PaymentId) => Plan | NoRoute
    readonly policy: FailoverPolicy
  }
>()("@paymux/core/routing/Routing") {
  /** `config` is checked against the configured providers; without one they are tried in the order they were given. */
  static readonly layer = (config?: unknown): Layer.Layer<Routing, RoutingInvalid, ProviderRegistry> =>
    Layer.effect(
      Routing,
      Effect.gen(function* () {
        const { providers } = yield* ProviderRegistry
        const compiled = yield* compile(config ?? defaultRouting(providers), providers)
        return Routing.of({
          plan: (payment, tenant, id) => plan(compiled, payment, facts(payment, tenant, id)),
          policy: compiled.failover
        })
      })
    )
}
