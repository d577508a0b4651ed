/** Splits payments by weight. The same payment always gets the same provider. */
import type { Contender } from "./Contender.ts"
import type { Facts, FactValue } from "../Facts.ts"
import type { Candidate } from "@paymux/core/routing"
import { avalanche, stickyHash } from "./stickyHash.ts"

export interface SplitContender extends Contender {
  readonly weight: number
  /** The salt that makes the draws of this contender independent of the draws of the others. */
  readonly salt: number
}

/** The data that rules with the same shares have in common. */
export interface Shares {
  /** The contenders by weight, in which order they follow the drawn one. */
  readonly contenders: ReadonlyArray<SplitContender>
  /** The plans if all contenders can be tried, by the index of the drawn one. */
  readonly orders: ReadonlyArray<ReadonlyArray<Candidate>>
}

export const sharesOf = (
  split: { readonly [provider: string]: number },
  contender: (provider: string) => Contender
): Shares => {
  // By weight, then by name, since the order of keys in a file has no meaning.
  const contenders = Object.entries(split)
    .sort(([a, weightA], [b, weightB]) => weightB - weightA || (a < b ? -1 : 1))
    .map(([provider, weight]) => ({ ...contender(provider), weight, salt: stickyHash(provider, 0) }))
  return { contenders, orders: contenders.map((winner) => inOrder(winner, contenders)) }
}

interface Sharing extends Shares {
  /** The value of the `sticky_by` fact; `null`: the split uses the payment's own `draw`. */
  readonly sticky: (facts: Facts) => FactValue
  readonly seed: number
}

/** The drawn provider, then the others by weight. */
export const shared = (
  { contenders, orders, seed, sticky }: Sharing,
  available: ReadonlyArray<SplitContender>,
  facts: Facts
): ReadonlyArray<Candidate> => {
  const winner = drawn(available, stickyHash(String(sticky(facts) ?? facts.draw), seed))
  if (winner === undefined) return []
  const known = available === contenders ? orders[contenders.indexOf(winner)] : undefined
  return known ?? inOrder(winner, available)
}

/** The arm of an experiment: the provider of a payment if no provider is demoted. */
export const armOf = ({ contenders, seed, sticky }: Sharing, facts: Facts): string | null =>
  drawn(contenders, stickyHash(String(sticky(facts) ?? facts.draw), seed))?.provider ?? null

/** The reason `split 70/100`: the weight of the provider, and the total weight of the providers that can serve the payment. */
const inOrder = (winner: SplitContender, contenders: ReadonlyArray<SplitContender>): ReadonlyArray<Candidate> => {
  const total = contenders.reduce((sum, { weight }) => sum + weight, 0)
  return [winner, ...contenders.filter((contender) => contender !== winner)].map(({ provider, weight }) => ({
    provider,
    reason: `split ${rounded(weight)}/${rounded(total)}`
  }))
}

/** Removes rounding errors of sums such as 33.3 + 33.3 + 33.4. */
const rounded = (weight: number): number => Math.round(weight * 1000) / 1000

/**
 * Weighted rendezvous hashing: each contender draws -ln(u) / weight for the key of the payer or payment, and the lowest draw
 * wins. If a contender cannot serve a payment, or is removed from the rule, only its own payments move; the customers of other
 * providers stay.
 */
const drawn = (contenders: ReadonlyArray<SplitContender>, key: number): SplitContender | undefined => {
  let [winner] = contenders
  let lowest = Number.POSITIVE_INFINITY
  for (const contender of contenders) {
    const uniform = (avalanche(key ^ contender.salt) + 0.5) / 0x1_0000_0000
    const draw = -Math.log(uniform) / contender.weight
    if (draw < lowest) {
      lowest = draw
      winner = contender
    }
  }
  return winner
}
