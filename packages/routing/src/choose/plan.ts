/**
 * Decides which providers to try for a payment. Pure: the same rules, payment and health always give the same plan.
 *
 * The first rule that matches is used. Of its providers those that can take the payment are tried in its order, and last
 * those that are demoted: their circuit breaker is open, or their account is not enabled for this kind of payment. Admission comes later, and gives its own reasons.
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
 * Payments that not all arms can take are not part of an experiment: they would make its arms differ. Those that find a
 * provider demoted are: outages and the limits of its account are part of what a provider is.
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
      const { dropped, first, last } = takable(rule.contenders, payment, facts, health)
      return { reason: "priority", candidates: followed(listed(rule, first), last), dropped }
    }
    case "split": {
      const { dropped, first, last } = takable(rule.contenders, payment, facts, health)
      return { reason: "split", candidates: followed(shared(rule, first, facts), last), dropped }
    }
    case "success_rate": {
      const { dropped, first, last } = takable(rule.contenders, payment, facts, health)
      const { candidates, reason } = best(rule, first, facts, health)
      return { reason, candidates: followed(candidates, last), dropped }
    }
    case "cost": {
      const { dropped, first, last } = takable(rule.contenders, payment, facts, health)
      return { reason: "cost", candidates: followed(cheapest(rule, first, facts, health), last), dropped }
    }
    case "value": {
      const { dropped, first, last } = takable(rule.contenders, payment, facts, health)
      return { reason: "value", candidates: followed(mostValuable(rule, first, facts, health), last), dropped }
    }
    default:
      return rule satisfies never
  }
}

const takable = <C extends Contender>(
  contenders: ReadonlyArray<C>,
  payment: NewPayment,
  facts: Facts,
  { demotionOf }: Health
): Eligible<C> => eligible(contenders, payment, facts, demotionOf)

const listed = (
  { candidates, contenders }: PriorityRule,
  takable: ReadonlyArray<Contender>
): ReadonlyArray<Candidate> => (takable === contenders ? candidates : takable.map(({ inOrder }) => inOrder))

const followed = (candidates: ReadonlyArray<Candidate>, last: ReadonlyArray<Candidate>): ReadonlyArray<Candidate> =>
  last.length === 0 ? candidates : [...candidates, ...last]
