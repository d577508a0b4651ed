/** Orders the providers of `best:` by what they have done, or by what they take. */
import type { Candidate } from "@paymux/core/routing"
import type { RoutingDecision } from "@paymux/core/store"
import type { CostContender, SuccessRateRule } from "../CompiledRouting.ts"
import type { Contender } from "./Contender.ts"
import type { Facts } from "../Facts.ts"
import { feeText } from "./Fees.ts"
import type { Health } from "../Health.ts"
import { stickyHash } from "./stickyHash.ts"

type Chosen = Pick<RoutingDecision, "reason" | "candidates">

export const best = (
  rule: SuccessRateRule,
  contenders: ReadonlyArray<Contender>,
  facts: Facts,
  health: Health
): Chosen => {
  const ranked = bySuccessRate(rule, contenders, facts, health)
  // Where one breaker is open they all are: open ones are otherwise not among the first.
  const isDown = contenders.some(({ provider }) => health.isOpen(provider))
  return isDown ? { reason: "success_rate", candidates: ranked } : explored(rule, ranked, facts)
}

/** Known ones by their rate, then the others; equals as listed (a sort is stable). */
const bySuccessRate = (
  { minSamples, windowMs }: SuccessRateRule,
  contenders: ReadonlyArray<Contender>,
  facts: Facts,
  health: Health
): ReadonlyArray<Candidate> =>
  contenders
    .map(({ provider }) => {
      const known = health.successRate(provider, facts, windowMs, minSamples)
      if (known === null || known.samples < minSamples) return { provider, reason: "success_rate unknown", rate: -1 }
      const { rate, samples } = known
      return { provider, reason: `success_rate ${(rate * 100).toFixed(1)}% of ${samples}`, rate }
    })
    .sort((a, b) => b.rate - a.rate)
    .map(({ provider, reason }) => ({ provider, reason }))

/** A small share goes to the others, evenly: who is never asked cannot show that they have become better. */
const explored = ({ explore, seed }: SuccessRateRule, ranked: ReadonlyArray<Candidate>, facts: Facts): Chosen => {
  const uniform = (stickyHash(facts.id, seed) + 0.5) / 0x1_0000_0000
  const other = uniform < explore ? ranked[1 + Math.floor((uniform / explore) * (ranked.length - 1))] : undefined
  if (other === undefined) return { reason: "success_rate", candidates: ranked }
  const rest = ranked.filter((candidate) => candidate !== other)
  return { reason: "explore", candidates: [{ provider: other.provider, reason: "explore" }, ...rest] }
}

/** Known ones by their fee, then the others; equals as listed. */
export const cheapest = (contenders: ReadonlyArray<CostContender>, facts: Facts): ReadonlyArray<Candidate> =>
  contenders
    .map(({ fee, provider }) => {
      const cost = fee(facts)
      return cost === null
        ? { provider, reason: "cost unknown", cost: Number.POSITIVE_INFINITY }
        : { provider, reason: `cost ${feeText(cost, facts.currency)}`, cost }
    })
    // Two that are not known are equal: their difference is not a number.
    .sort((a, b) => (a.cost === b.cost ? 0 : a.cost - b.cost))
    .map(({ provider, reason }) => ({ provider, reason }))
