/**
 * Decides whom to try for a payment. Pure: the same rules, payment and health always give the same plan.
 *
 * The first rule that matches is used; of its providers those that can take the payment, in its order, and last those
 * whose circuit breaker is open. Admission comes after, and says so in its own words.
 */
import type { NewPayment, RoutingDecision } from "../domain/Payment.ts"
import { best, cheapest } from "./choose/best.ts"
import { ruleFor } from "./CompiledRouting.ts"
import type { CompiledRouting, CompiledRule, PriorityRule } from "./CompiledRouting.ts"
import type { Contender } from "./choose/Contender.ts"
import type { Facts } from "./Facts.ts"
import type { Health } from "./Health.ts"
import type { Candidate, Dropped, NoRoute, Plan } from "./Plan.ts"
import { shared } from "./choose/split.ts"

export const plan = (routing: CompiledRouting, payment: NewPayment, facts: Facts, health: Health): Plan | NoRoute => {
  const rule = ruleFor(routing, facts)
  const { ruleset } = routing
  const { candidates, dropped, reason } = ordered(rule, payment, facts, health)
  return candidates.length === 0
    ? { _tag: "NoRoute", rule: rule.name, ruleset, candidates: dropped }
    : { _tag: "Plan", decision: { rule: rule.name, ruleset, reason, candidates, dropped }, candidates }
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
      return { reason: "cost", candidates: followed(cheapest(first, facts), last), dropped }
    }
    default:
      return rule satisfies never
  }
}

const listed = (
  { candidates, contenders }: PriorityRule,
  takable: ReadonlyArray<Contender>
): ReadonlyArray<Candidate> => (takable === contenders ? candidates : takable.map(({ inOrder }) => inOrder))

const followed = (candidates: ReadonlyArray<Candidate>, last: ReadonlyArray<Contender>): ReadonlyArray<Candidate> =>
  last.length === 0
    ? candidates
    : [...candidates, ...last.map(({ provider }) => ({ provider, reason: "breaker_open" }))]

interface Takable<C> {
  readonly first: ReadonlyArray<C>
  /** Their breaker is open. Where that is so of all, none is last. */
  readonly last: ReadonlyArray<C>
  readonly dropped: ReadonlyArray<Dropped>
}

const nobody: ReadonlyArray<never> = []

const takable = <C extends Contender>(
  contenders: ReadonlyArray<C>,
  payment: NewPayment,
  facts: Facts,
  health: Health
): Takable<C> => {
  // Mostly all of them: nothing is then copied.
  if (contenders.every(({ filter, provider }) => filter(payment, facts) === null && !health.isOpen(provider))) {
    return { first: contenders, last: nobody, dropped: nobody }
  }
  const first: Array<C> = []
  const last: Array<C> = []
  const dropped: Array<Dropped> = []
  for (const contender of contenders) {
    const { filter, provider } = contender
    const reason = filter(payment, facts)
    if (reason !== null) dropped.push({ provider, reason })
    else (health.isOpen(provider) ? last : first).push(contender)
  }
  return first.length === 0 ? { first: last, last: nobody, dropped } : { first, last, dropped }
}
