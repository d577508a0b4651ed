/**
 * Plans the providers to try for a payment. Pure: the same rules, payment and health always give the same plan.
 *
 * The first rule that matches is used. Its providers that can serve the payment are tried in the order of its choice.
 * Demoted providers are last: their circuit breaker is open, or their account is not enabled for this kind of payment.
 * Admission is a later step with reasons of its own.
 */
import type { NewPayment } from "@paymux/core"
import { eligible } from "@paymux/core/routing"
import type { Candidate, Dropped, Eligible, RoutingResult } from "@paymux/core/routing"
import type { ExperimentAssignment, RoutingDecision } from "@paymux/core/store"
import { best } from "./best.ts"
import { cheapest, mostValuable } from "./cheapest.ts"
import { ruleFor } from "../CompiledRouting.ts"
import type { CompiledRouting, CompiledRule, PriorityRule } from "../CompiledRouting.ts"
import type { Contender } from "./Contender.ts"
import type { Facts } from "../Facts.ts"
import type { Health } from "../Health.ts"
import { armOf, shared } from "./split.ts"

export const plan = (routing: CompiledRouting, payment: NewPayment, facts: Facts, health: Health): RoutingResult => {
  const rule = ruleFor(routing, facts)
  const { ruleset } = routing
  const { candidates, dropped, reason } = ordered(rule, payment, facts, health)
  if (candidates.length === 0) return { _tag: "NoRoute", rule: rule.name, ruleset, candidates: dropped }
  const decision: RoutingDecision = { rule: rule.name, ruleset, reason, candidates, dropped }
  const experiment = assigned(rule, dropped, facts)
  return { _tag: "Plan", decision: experiment === null ? decision : { ...decision, experiment }, candidates }
}

/**
 * Assigns the payment to an arm of the rule's experiment. A payment that the provider of some arm cannot serve is not
 * assigned, since otherwise the arms would get different kinds of payments. A payment is assigned even if a provider is
 * demoted, since outages and account limits are part of a provider's result.
 */
const assigned = (rule: CompiledRule, dropped: ReadonlyArray<Dropped>, facts: Facts): ExperimentAssignment | null => {
  if (rule.by !== "split" || rule.experiment === null) return null
  const { experiment } = rule
  if (dropped.some(({ provider }) => (experiment.split[provider] ?? 0) > 0)) return null
  const arm = armOf(rule, facts)
  return arm === null ? null : { ...experiment, arm }
}

type Ordered = Pick<RoutingDecision, "reason" | "candidates"> & { readonly dropped: ReadonlyArray<Dropped> }

const ordered = (rule: CompiledRule, payment: NewPayment, facts: Facts, health: Health): Ordered => {
  switch (rule.by) {
    case "priority": {
      const { dropped, first, last } = eligibleOf(rule.contenders, payment, facts, health)
      return { reason: "priority", candidates: followed(listed(rule, first), last), dropped }
    }
    case "split": {
      const { dropped, first, last } = eligibleOf(rule.contenders, payment, facts, health)
      return { reason: "split", candidates: followed(shared(rule, first, facts), last), dropped }
    }
    case "success_rate": {
      const { dropped, first, last } = eligibleOf(rule.contenders, payment, facts, health)
      const { candidates, reason } = best(rule, first, facts, health)
      return { reason, candidates: followed(candidates, last), dropped }
    }
    case "cost": {
      const { dropped, first, last } = eligibleOf(rule.contenders, payment, facts, health)
      return { reason: "cost", candidates: followed(cheapest(rule, first, facts, health), last), dropped }
    }
    case "value": {
      const { dropped, first, last } = eligibleOf(rule.contenders, payment, facts, health)
      return { reason: "value", candidates: followed(mostValuable(rule, first, facts, health), last), dropped }
    }
    default:
      return rule satisfies never
  }
}

const eligibleOf = <C extends Contender>(
  contenders: ReadonlyArray<C>,
  payment: NewPayment,
  facts: Facts,
  { demotionOf }: Health
): Eligible<C> => eligible(contenders, payment, facts, demotionOf)

const listed = (
  { candidates, contenders }: PriorityRule,
  available: ReadonlyArray<Contender>
): ReadonlyArray<Candidate> => (available === contenders ? candidates : available.map(({ inOrder }) => inOrder))

const followed = (candidates: ReadonlyArray<Candidate>, last: ReadonlyArray<Candidate>): ReadonlyArray<Candidate> =>
  last.length === 0 ? candidates : [...candidates, ...last]
