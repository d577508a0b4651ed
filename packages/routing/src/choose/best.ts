/** Orders the providers of `best: success_rate` by draws from their success rates (see `draw.ts`). */
import type { RoutingDecision } from "@paymux/core/store"
import type { SuccessRateRule } from "../CompiledRouting.ts"
import type { Contender } from "./Contender.ts"
import type { Facts } from "../Facts.ts"
import type { Health } from "../Health.ts"
import { judge } from "./judge.ts"
import { avalanche, stickyHash } from "./stickyHash.ts"

type Chosen = Pick<RoutingDecision, "reason" | "candidates">

export const best = (
  rule: SuccessRateRule,
  contenders: ReadonlyArray<Contender>,
  facts: Facts,
  health: Health
): Chosen => {
  const judged = judge(rule.learned, rule.seed, contenders, facts, health)
  const ranked = judged.toSorted((a, b) => b.draw - a.draw)
  const candidates = ranked.map(({ contender, text }) => ({ provider: contender.provider, reason: text }))
  // Payments explore only if no provider is demoted. If the list contains a demoted provider, all of its providers are
  // demoted, since `plan` orders demoted providers separately.
  const isDown = contenders.some(({ provider }) => health.demotionOf(provider) !== null)
  const chosen: Chosen = { reason: "success_rate", candidates }
  return isDown ? chosen : explored(rule, chosen, facts)
}

/** Puts another provider than the best first for the rule's `explore` share of payments, evenly among the others. */
const explored = ({ explore, seed }: SuccessRateRule, chosen: Chosen, facts: Facts): Chosen => {
  const { candidates } = chosen
  const uniform = (avalanche(stickyHash(facts.draw, seed)) + 0.5) / 0x1_0000_0000
  const other =
    uniform < explore ? candidates[1 + Math.floor((uniform / explore) * (candidates.length - 1))] : undefined
  if (other === undefined) return chosen
  const rest = candidates.filter((candidate) => candidate !== other)
  return { reason: "explore", candidates: [{ provider: other.provider, reason: "explore" }, ...rest] }
}
