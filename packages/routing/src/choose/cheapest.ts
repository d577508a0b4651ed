/** Orders the providers of `best: cost` by their fees, and those of `best: value` by the margin after fees. */
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
  /** The sort key: the provider with the lowest rank is tried first. */
  readonly rank: number
}

/**
 * Orders providers by their fee, lowest first, then those with an unknown fee. Ties are broken by the order of the
 * list. Providers whose success rate is too low are last.
 */
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

/**
 * Returns the limit that a provider's success rate is probably below. There are two limits: the configured `floor`, and
 * the rate of another provider minus `within`. `null` if the rate is probably above both limits.
 */
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

/**
 * The 90 % quantile of the standard normal distribution. A rate must be below a limit with this probability, so that a
 * few failed attempts do not lead to a higher fee.
 */
const PROBABLY = 1.2816

/** Whether a success rate is probably below a limit. `variance` is the variance of the limit itself. */
const isProbablyBelow = (estimate: Estimate, limit: number, variance: number): boolean =>
  limit - estimate.rate > PROBABLY * Math.sqrt(varianceOf(estimate) + variance)

const varianceOf = ({ known, rate }: Estimate): number => (rate * (1 - rate)) / (known + 1)

/**
 * Orders providers by their expected value (margin minus fee, times success rate), highest first, as long as it is
 * above 0. Then come providers whose fee exceeds the margin, and those with an unknown fee, each by success rate.
 * Providers whose success rate is too low are last.
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
      // A loss is not multiplied by the success rate, since a lower success rate would then look better.
      const value = left > 0 ? left * rate : left
      const said = `value ${feeText(value, facts.currency)}, ${reason}, ${text}`
      return { provider, rank: value > 0 ? -value : NOTHING - draw, reason: said, draw, below }
    })
  )

/**
 * Rank offsets that sort two groups of providers behind all others: those without a positive expected value
 * (`NOTHING`), then those with an unknown fee (`UNKNOWN`). A drawn success rate of at most about 1 is subtracted from
 * each offset.
 */
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
  /** The limit that the success rate is probably below; `null` if it is above all limits. */
  readonly below: number | null
}

/**
 * Moves providers that are below a limit to the end, ordered by their success rate: by fee, a cheap provider that is
 * down would be first among them.
 */
const aboveFirst = (drawn: ReadonlyArray<Drawn>): ReadonlyArray<Candidate> => {
  const isAbove = ({ below }: Drawn): boolean => below === null
  // A fast path for the usual case: no provider is below a limit.
  if (drawn.every(isAbove)) return inOrder(drawn)
  const under = drawn.flatMap(({ below, draw, provider, reason }) =>
    below === null ? [] : [{ provider, rank: -draw, reason: `${reason}, below ${percentText(Math.min(1, below))}` }]
  )
  return [...inOrder(drawn.filter(isAbove)), ...inOrder(under)]
}

const inOrder = (ranked: ReadonlyArray<Ranked>): ReadonlyArray<Candidate> =>
  ranked
    // Compares for equality first: equal ranks may be infinite, and their difference would be NaN.
    .toSorted((a, b) => (a.rank === b.rank ? 0 : a.rank - b.rank))
    .map(({ provider, reason }) => ({ provider, reason }))
