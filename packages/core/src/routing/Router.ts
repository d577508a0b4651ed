/**
 * The port between the engine and what decides about providers: which of them to try for a payment, in which order, and how
 * far failover may go. `PriorityRouter` is the router of an engine that is given no other; `@paymux/routing` decides by rules.
 */
import { Context } from "effect"
import type { PaymentId } from "../domain/Ids.ts"
import type { NewPayment, RoutingDecision, Tenant } from "../domain/Payment.ts"
import type { FailoverPolicy } from "./FailoverPolicy.ts"
import type { RoutingResult } from "./Plan.ts"

/** What a plan is made from. The providers and their capabilities are known to a router from when it was made. */
export interface RoutingRequest {
  readonly id: PaymentId
  readonly tenant: Tenant
  readonly payment: NewPayment
  readonly demotionOf: DemotionOf
}

/**
 * Why a provider is tried after all others.
 *
 * - `breaker_open`: its circuit breaker is open for new payments.
 * - `account_not_enabled`: its account was not enabled for this kind of payment a few minutes ago.
 */
export type Demotion = "breaker_open" | "account_not_enabled"

/** Of a provider, for the payment that is routed; `null`: none. */
export type DemotionOf = (provider: string) => Demotion | null

/** The part of a stored decision that names what decided. */
export type DecidingRule = Pick<RoutingDecision, "rule" | "ruleset">

export class Router extends Context.Service<
  Router,
  {
    /** Never waits: it decides from what is in memory. */
    readonly plan: (request: RoutingRequest) => RoutingResult
    /**
     * The policy of the rule that decided a payment. If its ruleset is not known, such as after a restart with other rules:
     * that of the current rule with its name.
     */
    readonly policyOf: (decision: DecidingRule) => FailoverPolicy
  }
>()("@paymux/core/routing/Router") {}
