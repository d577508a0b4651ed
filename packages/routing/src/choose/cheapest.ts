/** Orders the providers of `best: cost` by their fees, and those of `best: value` by what is left of the margin. */
import type { Candidate } from "@paymux/core/routing"
import type { CostContender, CostRule, ValueRule } from "../CompiledRouting.ts"
import type { Facts } from "../Facts.ts"
import { feeText } from "./Fees.ts"
import type { Health } from "../Health.ts"
import type { Estimate } from "../learn/estimate.ts"
import { judge, percentText } from "./judge.ts"
import type { Judged } from "./judge.ts"
import type { Contender } from "./Contender.ts"

interface Ranked extends Candidate {
  /** The lowest is first. */
  readonly rank: number
}

/** Known ones by their fee, then the others; equals as listed. Those whose success rate is too low follow. */
export const cheapest = (
  { floor, learned, seed, within }: CostRule,
  contenders: ReadonlyArray<CostContender>,
  facts: Facts,
  health: Health
): ReadonlyArray<Candidate> => {
  if (learned === null) return inOrder(contenders.map((contender) => byCost(contender, facts)))
  const judged = judge(learned, seed, contenders, facts, health)
  return aboveFirst(
    judged.map(({ contender, draw, estimate, text }) => {
      const { provider, rank, reason } = byCost(contender, facts)
      const below = limitAbove(estimate, floor, within, judged)
      return { provider, rank, reason: `${reason}, ${text}`, draw, below }
    })
  )
}

/** The limit that the rate is probably below: the floor, or the rate of another provider less `within`; `null`: none. */
const limitAbove = (
  estimate: Estimate,
  floor: number,
  within: number,
  judged: ReadonlyArray<Judged<Contender>>
): number | null => {
  let limit = isProbablyBelow(estimate, floor, 0) ? floor : null
  for (const { estimate: other } of judged) {
    const lowest = other.rate - within
    if (lowest > (limit ?? 0) && isProbablyBelow(estimate, lowest, varianceOf(other))) limit = lowest
  }
  return limit
}

/** A few attempts more or less are no reason to pay a higher fee: of a normal distribution, 90 % lie below it. */
const PROBABLY = 1.2816

/** `variance`: of the limit. */
const isProbablyBelow = (estimate: Estimate, limit: number, variance: number): boolean =>
  limit - estimate.rate > PROBABLY * Math.sqrt(varianceOf(estimate) + variance)

const varianceOf = ({ known, rate }: Estimate): number => (rate * (1 - rate)) / (known + 1)

/**
 * First those with a value above 0, the highest first; then those whose fee is higher than the margin, then those whose fee is not
 * known, each by their success rates. Those whose success rate is too low follow.
 */
export const mostValuable = (
  { floor, learned, margin, seed }: ValueRule,
  contenders: ReadonlyArray<CostContender>,
  facts: Facts,
  health: Health
): ReadonlyArray<Candidate> =>
  aboveFirst(
    judge(learned, seed, contenders, facts, health).map(({ contender, draw, estimate, rate, text }) => {
      const { provider, rank: cost, reason } = byCost(contender, facts)
      const below = isProbablyBelow(estimate, floor, 0) ? floor : null
      if (cost === Number.POSITIVE_INFINITY)
        return { provider, rank: UNKNOWN - draw, reason: `${reason}, ${text}`, draw, below }
      const left = margin * facts.amount - cost
      // A payment that costs more than it earns is no better for failing.
      const value = left > 0 ? left * rate : left
      const said = `value ${feeText(value, facts.currency)}, ${reason}, ${text}`
      return { provider, rank: value > 0 ? -value : NOTHING - draw, reason: said, draw, below }
    })
  )

/** Ranks after every value, as a draw is about 1 at most. */
const NOTHING = 10
const UNKNOWN = 20

const byCost = ({ fee, provider }: CostContender, facts: Facts): Ranked => {
  const cost = fee(facts)
  return cost === null
    ? { provider, reason: "cost unknown", rank: Number.POSITIVE_INFINITY }
    : { provider, reason: `cost ${feeText(cost, facts.currency)}`, rank: cost }
}

interface Drawn extends Ranked {
  readonly draw: number
  /** The limit that the success rate is probably below; `null`: none. */
  readonly below: number | null
}

/** Of those below a limit, the highest success rate is first: else a provider that is down would be, for being cheap. */
const aboveFirst = (drawn: ReadonlyArray<Drawn>): ReadonlyArray<Candidate> => {
  const isAbove = ({ below }: Drawn): boolean => below === null
  // The usual case, on the path of every payment.
  if (drawn.every(isAbove)) return inOrder(drawn)
  const under = drawn.flatMap(({ below, draw, provider, reason }) =>
    below === null ? [] : [{ provider, rank: -draw, reason: `${reason}, below ${percentText(Math.min(1, below))}` }]
  )
  return [...inOrder(drawn.filter(isAbove)), ...inOrder(under)]
}

const inOrder = (ranked: ReadonlyArray<Ranked>): ReadonlyArray<Candidate> =>
  ranked
    // Two with unknown fees are equal: their difference is not a number.
    .toSorted((a, b) => (a.rank === b.rank ? 0 : a.rank - b.rank))
    .map(({ provider, reason }) => ({ provider, reason }))
