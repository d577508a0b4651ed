/** Orders the providers of `best:` by what they have done, or by what they take. */
import type { Candidate } from "@paymux/core/routing"
import type { RoutingDecision } from "@paymux/core/store"
import type { CostContender, SuccessRateRule } from "../CompiledRouting.ts"
import type { Contender } from "./Contender.ts"
import type { Facts } from "../Facts.ts"
import { feeText } from "./Fees.ts"
import type { Health } from "../Health.ts"
import { drawn } from "./draw.ts"
import { estimates } from "../learn/estimate.ts"
import type { Estimate } from "../learn/estimate.ts"
import { avalanche, stickyHash } from "./stickyHash.ts"

type Chosen = Pick<RoutingDecision, "reason" | "candidates">

export const best = (
  rule: SuccessRateRule,
  contenders: ReadonlyArray<Contender>,
  facts: Facts,
  health: Health
): Chosen => {
  const judged = judge(rule, contenders, facts, health)
  const ranked = judged.toSorted((a, b) => b.draw - a.draw)
  const candidates = ranked.map(({ provider, reason }) => ({ provider, reason }))
  // Where one breaker is open they all are: open ones are otherwise not among the first.
  const isDown = contenders.some(({ provider }) => health.isOpen(provider))
  if (isDown) return { reason: "success_rate", candidates }
  const [first] = ranked
  const isBest = first === undefined || judged.every(({ rate }) => rate <= first.rate)
  return explored(rule, { reason: isBest ? "success_rate" : "explore", candidates }, facts)
}

interface Judged extends Candidate {
  /** 0 to 1. */
  readonly rate: number
  readonly draw: number
}

/** As listed. */
const judge = (
  { expected, seed, strength, weights, windowMs }: SuccessRateRule,
  contenders: ReadonlyArray<Contender>,
  facts: Facts,
  health: Health
): ReadonlyArray<Judged> => {
  const found = estimates(
    contenders.map(({ provider }) => health.evidence(provider, facts, windowMs)),
    contenders.map(({ provider }) => expected.get(provider) ?? null),
    weights,
    strength
  )
  const hash = stickyHash(facts.id, seed)
  return found.map((estimate, index) => {
    const provider = contenders[index]?.provider ?? ""
    const draw = drawn(estimate, strength, avalanche(hash ^ stickyHash(provider, 0)))
    return { provider, reason: rateText(estimate, draw), rate: estimate.rate, draw }
  })
}

const rateText = ({ rate, samples }: Estimate, draw: number): string =>
  `success_rate ${percentText(rate)} of ${Math.round(samples)}, drawn ${percentText(draw)}`

const percentText = (rate: number): string => `${(rate * 100).toFixed(1)}%`

/** A share that goes to the others, evenly, where the rule asks for it. */
const explored = ({ explore, seed }: SuccessRateRule, chosen: Chosen, facts: Facts): Chosen => {
  const { candidates } = chosen
  const uniform = (avalanche(stickyHash(facts.id, seed)) + 0.5) / 0x1_0000_0000
  const other =
    uniform < explore ? candidates[1 + Math.floor((uniform / explore) * (candidates.length - 1))] : undefined
  if (other === undefined) return chosen
  const rest = candidates.filter((candidate) => candidate !== other)
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
