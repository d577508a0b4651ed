/** Orders the providers of `best: cost` by their fees, and those of `best: value` by what is left of the margin. */
import type { Candidate } from "@paymux/core/routing"
import type { CostContender, CostRule, ValueRule } from "../CompiledRouting.ts"
import type { Facts } from "../Facts.ts"
import { feeText } from "./Fees.ts"
import type { Health } from "../Health.ts"
import { judge, percentText } from "./judge.ts"

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
  const lowest = Math.max(floor, ...judged.map(({ rate }) => rate - within))
  return aboveFirst(
    judged.map(({ contender, draw, rate, text }) => {
      const { provider, rank, reason } = byCost(contender, facts)
      return { provider, rank, reason: `${reason}, ${text}`, draw, rate }
    }),
    lowest
  )
}

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
    judge(learned, seed, contenders, facts, health).map(({ contender, draw, rate, text }) => {
      const { provider, rank: cost, reason } = byCost(contender, facts)
      if (cost === Number.POSITIVE_INFINITY)
        return { provider, rank: UNKNOWN - draw, reason: `${reason}, ${text}`, draw, rate }
      const left = margin * facts.amount - cost
      // A payment that costs more than it earns is no better for failing.
      const value = left > 0 ? left * rate : left
      const said = `value ${feeText(value, facts.currency)}, ${reason}, ${text}`
      return { provider, rank: value > 0 ? -value : NOTHING - draw, reason: said, draw, rate }
    }),
    floor
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
  readonly rate: number
}

/** Below the lowest rate, the highest is first: else a provider that is down would be, for being cheap. */
const aboveFirst = (drawn: ReadonlyArray<Drawn>, lowest: number): ReadonlyArray<Candidate> => {
  const below = drawn.filter(({ rate }) => rate < lowest)
  if (below.length === 0) return inOrder(drawn)
  const limit = percentText(Math.min(1, lowest))
  return [
    ...inOrder(drawn.filter(({ rate }) => rate >= lowest)),
    ...inOrder(
      below.map(({ draw, provider, reason }) => ({ provider, rank: -draw, reason: `${reason}, below ${limit}` }))
    )
  ]
}

const inOrder = (ranked: ReadonlyArray<Ranked>): ReadonlyArray<Candidate> =>
  ranked
    // Two that are not known are equal: their difference is not a number.
    .toSorted((a, b) => (a.rank === b.rank ? 0 : a.rank - b.rank))
    .map(({ provider, reason }) => ({ provider, reason }))
