/**
 * `@paymux/core/routing`: the port that decides which providers are tried for a payment, and the shared parts of
 * routers. For authors of a router. `@paymux/routing` is the router that decides by rules.
 *
 * @module
 */

// the port
export { Router } from "./Router.ts"
export type { DecidingRule, Demotion, DemotionOf, RoutingRequest } from "./Router.ts"
export type { Candidate, Dropped, DropReason, Plan, RoutingResult, WithheldReason } from "./Plan.ts"
export { defaultFailover } from "./FailoverPolicy.ts"
export type { FailoverCause, FailoverPolicy } from "./FailoverPolicy.ts"

// a fixed order
export * as PriorityRouter from "./PriorityRouter.ts"

// the shared parts of routers
export { amountRange } from "../provider/amountRange.ts"
export type { AmountRange } from "../provider/amountRange.ts"
export { requiredFacts } from "../provider/Capabilities.ts"
export type { AmountLimit } from "../provider/Capabilities.ts"
export { drawOf } from "../domain/Ids.ts"
export { capabilityFacts, capabilityFilter, retiredRoute } from "./capabilityFilter.ts"
export type { CapabilityFacts, CapabilityFilter, RoutableProvider } from "./capabilityFilter.ts"
export { eligible } from "./capabilityFilter.ts"
export type { Eligible, FilteredProvider } from "./capabilityFilter.ts"
export { rulesetHash } from "./rulesetHash.ts"
