/**
 * Routes a new payment: looks up its idempotency key, checks the retry limit of its card, generates its id, and plans
 * the providers in the order in which they are tried.
 */
import { Effect } from "effect"
import type { Ids, PaymentId } from "../../domain/Ids.ts"
import { paymentOrigin } from "../../domain/origins.ts"
import type { NewPayment, Tenant } from "../../domain/Payment.ts"
import { CardNotRetried, NoRoute, paymentError } from "../../domain/PaymentError.ts"
import type { PaymentError } from "../../domain/PaymentError.ts"
import { ProviderRegistry } from "../../provider/ProviderRegistry.ts"
import { AccountRestrictions } from "../../resilience/AccountRestrictions.ts"
import { Breakers } from "../../resilience/Breaker.ts"
import type { Plan } from "../../routing/Plan.ts"
import { Router } from "../../routing/Router.ts"
import type { DemotionOf } from "../../routing/Router.ts"
import { paymentKind } from "../../routing/servedFlow.ts"
import type { PaymentKind } from "../../routing/servedFlow.ts"
import type { KeptKey, PaymentStore } from "../../store/PaymentStore.ts"
import { CardRetries, refusalOfCard } from "./CardRetries.ts"
import type { Creation } from "./CreationOrder.ts"
import { findKey, fingerprintContent, mapStoreError } from "./requests.ts"
import type { RequestKey, RequestOptions } from "./requests.ts"

export const routingServices = Effect.gen(function* () {
  const breakers = yield* Breakers
  const restrictions = yield* AccountRestrictions
  const registry = yield* ProviderRegistry
  return {
    router: yield* Router,
    restrictions,
    registry,
    cardRetries: yield* CardRetries,
    demotionOf:
      (payment: NewPayment): DemotionOf =>
      (provider) => {
        if (breakers.stateOf({ provider, operation: "create" }) === "open") return "breaker_open"
        const kind = restrictedKind({ registry, restrictions }, provider, payment)
        return kind !== null && restrictions.isRestricted(kind) ? "account_not_enabled" : null
      }
  }
})

interface RoutingServices extends Effect.Success<typeof routingServices> {
  readonly ids: Ids["Service"]
  readonly store: PaymentStore["Service"]
}

/** The request of a new payment, with the payment's id and the plan of its providers. */
export interface Routed {
  readonly id: PaymentId
  readonly key: RequestKey | null
  readonly payment: NewPayment
  readonly tenant: Tenant
  readonly plan: Plan
}

/**
 * Plans the providers of a payment. Nothing is written, and no concurrency slot of a provider is taken. For a repeated
 * request, returns the stored idempotency key.
 */
export const routePayment = Effect.fnUntraced(function* (
  services: RoutingServices,
  creation: Creation,
  payment: NewPayment,
  options: RequestOptions
): Effect.fn.Return<Repeated | Routed, PaymentError> {
  const { cardRetries, demotionOf, ids, router, store } = services
  const { tenant } = options
  const { kept, key } = yield* findKey(store, options, fingerprintContent(payment))
  if (kept !== null) return { kept, key }
  // Without a card fingerprint the store is not read, since declines are counted per fingerprint.
  const isCounted = payment.method.rail === "card" && payment.method.fingerprint !== null
  const refusal = isCounted ? yield* mapStoreError(refusalOfCard(store, cardRetries, payment, tenant)) : null
  if (refusal !== null) return yield* paymentError(new CardNotRetried(refusal))
  const id = creation.open(yield* store.now, (time) => ids.payment(paymentOrigin(tenant, key), time))
  const plan = router.plan({ id, tenant, payment, demotionOf: demotionOf(payment) })
  if (plan._tag === "NoRoute") {
    const { candidates, rule } = plan
    const reasons = candidates.map(({ provider, reason }) => `${provider} ${reason}`).join(", ")
    yield* Effect.annotateLogs(Effect.logInfo(`No provider can take a payment: ${reasons}`), { rule })
    return yield* paymentError(new NoRoute({ candidates }))
  }
  // Claims the probe immediately after the plan, without a change to another fiber: exactly one of several concurrent
  // payments may probe a restricted payment kind.
  const [first] = plan.candidates
  const kind = first === undefined ? null : restrictedKind(services, first.provider, payment)
  if (kind !== null) services.restrictions.claimProbe(kind)
  return { id, key, payment, tenant, plan }
})

/** A request whose idempotency key was bound by an earlier request. */
interface Repeated {
  readonly kept: KeptKey
  readonly key: RequestKey | null
}

/**
 * The kind of the payment if the merchant's account at the provider rejects any kind of payment; otherwise `null`,
 * which is the usual case.
 */
const restrictedKind = (
  { registry, restrictions }: Pick<RoutingServices, "registry" | "restrictions">,
  provider: string,
  payment: NewPayment
): PaymentKind | null => {
  const running = restrictions.restricts(provider) ? registry.get(provider) : null
  return running === null ? null : paymentKind(running.provider, payment)
}
