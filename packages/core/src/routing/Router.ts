/**
 * The port between the engine and its router, which selects the providers to try for a payment, their order, and the
 * limits of failover. `PriorityRouter` is the default router of an engine; `@paymux/routing` decides by rules.
 */
import { Context } from "effect"
import type { PaymentId } from "../domain/Ids.ts"
import type { NewPayment, RoutingDecision, Tenant } from "../domain/Payment.ts"
import type { FailoverPolicy } from "./FailoverPolicy.ts"
import type { RoutingResult } from "./Plan.ts"

/**
 * The request to plan the route of a payment. It does not contain the providers: a router gets them when it is made.
 */
export interface RoutingRequest {
  readonly id: PaymentId
  readonly tenant: Tenant
  readonly payment: NewPayment
  readonly demotionOf: DemotionOf
}

/**
 * The reason why a provider is tried after all others.
 *
 * - `breaker_open`: its circuit breaker is open for new payments.
 * - `account_not_enabled`: its account was not enabled for this kind of payment a few minutes ago.
 */
export type Demotion = "breaker_open" | "account_not_enabled"

/** The demotion of a provider, for the routed payment; `null`: none. */
export type DemotionOf = (provider: string) => Demotion | null

/** The part of a stored routing decision that names the rule which decided. */
export type DecidingRule = Pick<RoutingDecision, "rule" | "ruleset">

export class Router extends Context.Service<
  Router,
  {
    /** Plans the route of a payment from data in memory, and never waits. */
    readonly plan: (request: RoutingRequest) => RoutingResult
    /**
     * The policy of the rule that decided a payment. If the ruleset is not known, for example after a restart with
     * other rules, it returns the policy of the current rule with the same name.
     */
    readonly policyOf: (decision: DecidingRule) => FailoverPolicy
  }
>()("@paymux/core/routing/Router") {}
