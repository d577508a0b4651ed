/** Splits payments by weight. The same payment always gets the same provider. */
import type { Contender } from "./Contender.ts"
import type { Facts, FactValue } from "../Facts.ts"
import type { Candidate } from "@paymux/core/routing"
import { avalanche, stickyHash } from "./stickyHash.ts"

export interface SplitContender extends Contender {
  readonly weight: number
  /**
   * A hash of the provider's name. It makes the random draws of this provider independent of those of the other
   * providers.
   */
  readonly salt: number
}

/** The precomputed data of a split. Rules with the same shares have one object in common. */
export interface Shares {
  /** The providers by weight, largest first. They follow the drawn provider in this order. */
  readonly contenders: ReadonlyArray<SplitContender>
  /** The precomputed plans if no provider is dropped, by the index of the drawn provider. */
  readonly orders: ReadonlyArray<ReadonlyArray<Candidate>>
}

export const sharesOf = (
  split: { readonly [provider: string]: number },
  contender: (provider: string) => Contender
): Shares => {
  // Sorts by weight, then by name, since the order of keys in a file has no meaning.
  const contenders = Object.entries(split)
    .sort(([a, weightA], [b, weightB]) => weightB - weightA || (a < b ? -1 : 1))
    .map(([provider, weight]) => ({ ...contender(provider), weight, salt: stickyHash(provider, 0) }))
  return { contenders, orders: contenders.map((winner) => inOrder(winner, contenders)) }
}

interface Sharing extends Shares {
  /**
   * Reads the value of the `sticky_by` fact of a payment; `null` if there is no such value, so that the split uses the
   * payment's own `draw`.
   */
  readonly sticky: (facts: Facts) => FactValue
  readonly seed: number
}

/** Draws a provider for the payment. Returns it first, then the others by weight. */
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

/** The arm of an experiment that a payment belongs to: the provider it gets if no provider is demoted. */
export const armOf = ({ contenders, seed, sticky }: Sharing, facts: Facts): string | null =>
  drawn(contenders, stickyHash(String(sticky(facts) ?? facts.draw), seed))?.provider ?? null

/**
 * Builds the plan with the reason `split 70/100`: the weight of a provider, and the total weight of those that can
 * serve the payment.
 */
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
 * Draws a provider by weighted rendezvous hashing: each draws -ln(u) / weight for the key of the payer or payment, and
 * the lowest draw wins. If a provider cannot serve a payment, or is removed from the rule, only its own payments move
 * to others.
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
