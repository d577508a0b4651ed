/** Orders the providers of `best: cost` by what they take, and those of `best: value` by what they leave. */
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

/** Known ones by their fee, then the others; equals as listed. Those that take too few payments follow. */
export const cheapest = (
  { floor, learned, seed, within }: CostRule,
  contenders: ReadonlyArray<CostContender>,
  facts: Facts,
  health: Health
): ReadonlyArray<Candidate> => {
  if (learned === null) return inOrder(contenders.map((contender) => byCost(contender, facts)))
  const judged = judge(learned, seed, contenders, facts, health)
  const lowest = Math.max(floor, ...judged.map(({ draw }) => draw - within))
  return aboveFirst(
    judged.map(({ contender, draw, text }) => {
      const cost = byCost(contender, facts)
      return { ...cost, reason: `${cost.reason}, ${text}`, draw }
    }),
    lowest
  )
}

/** Known ones by what a payment probably leaves, then the others. Those that take too few payments follow. */
export const mostValuable = (
  { floor, learned, margin, seed }: ValueRule,
  contenders: ReadonlyArray<CostContender>,
  facts: Facts,
  health: Health
): ReadonlyArray<Candidate> =>
  aboveFirst(
    judge(learned, seed, contenders, facts, health).map(({ contender, draw, text }) => {
      const { provider, rank: cost, reason } = byCost(contender, facts)
      if (cost === Number.POSITIVE_INFINITY) return { provider, rank: cost, reason: `${reason}, ${text}`, draw }
      const left = margin * facts.amount - cost
      // A payment that costs more than it earns is not better for being taken less often.
      const value = left > 0 ? left * draw : left
      return { provider, rank: -value, reason: `value ${feeText(value, facts.currency)}, ${reason}, ${text}`, draw }
    }),
    floor
  )

const byCost = ({ fee, provider }: CostContender, facts: Facts): Ranked => {
  const cost = fee(facts)
  return cost === null
    ? { provider, reason: "cost unknown", rank: Number.POSITIVE_INFINITY }
    : { provider, reason: `cost ${feeText(cost, facts.currency)}`, rank: cost }
}

interface Drawn extends Ranked {
  readonly draw: number
}

const aboveFirst = (drawn: ReadonlyArray<Drawn>, lowest: number): ReadonlyArray<Candidate> => [
  ...inOrder(drawn.filter(({ draw }) => draw >= lowest)),
  ...inOrder(
    drawn
      .filter(({ draw }) => draw < lowest)
      .map((each) => ({ ...each, reason: `${each.reason}, below ${percentText(lowest)}` }))
  )
]

const inOrder = (ranked: ReadonlyArray<Ranked>): ReadonlyArray<Candidate> =>
  ranked
    // Two that are not known are equal: their difference is not a number.
    .toSorted((a, b) => (a.rank === b.rank ? 0 : a.rank - b.rank))
    .map(({ provider, reason }) => ({ provider, reason }))
