/** Shares payments out by weight, the same payment always the same way. */
import type { Contender } from "./Contender.ts"
import type { Facts, FactValue } from "../Facts.ts"
import type { Candidate } from "@paymux/core/routing"
import { avalanche, stickyHash } from "./stickyHash.ts"

export interface SplitContender extends Contender {
  readonly weight: number
  /** Sets its draws apart from those of the others. */
  readonly salt: number
}

/** What rules with the same shares have in common. */
export interface Shares {
  /** By weight: in the order in which they follow the one that is drawn. */
  readonly contenders: ReadonlyArray<SplitContender>
  /** The plan where all of them can be tried, by the place of the one that is drawn. */
  readonly orders: ReadonlyArray<ReadonlyArray<Candidate>>
}

export const sharesOf = (
  split: { readonly [provider: string]: number },
  contender: (provider: string) => Contender
): Shares => {
  // By weight, then by name: the order of the keys in the file means nothing.
  const contenders = Object.entries(split)
    .sort(([a, weightA], [b, weightB]) => weightB - weightA || (a < b ? -1 : 1))
    .map(([provider, weight]) => ({ ...contender(provider), weight, salt: stickyHash(provider, 0) }))
  return { contenders, orders: contenders.map((winner) => inOrder(winner, contenders)) }
}

interface Sharing extends Shares {
  /** The fact that a split sticks to, or `null`: then the payment's own draw. */
  readonly sticky: (facts: Facts) => FactValue
  readonly seed: number
}

/** The one drawn, then the others by weight. */
export const shared = (
  { contenders, orders, seed, sticky }: Sharing,
  takable: ReadonlyArray<SplitContender>,
  facts: Facts
): ReadonlyArray<Candidate> => {
  const winner = drawn(takable, stickyHash(String(sticky(facts) ?? facts.draw), seed))
  if (winner === undefined) return []
  const known = takable === contenders ? orders[contenders.indexOf(winner)] : undefined
  return known ?? inOrder(winner, takable)
}

/** The arm of an experiment: the provider of a payment if no provider is demoted. */
export const armOf = ({ contenders, seed, sticky }: Sharing, facts: Facts): string | null =>
  drawn(contenders, stickyHash(String(sticky(facts) ?? facts.draw), seed))?.provider ?? null

/** `split 70/100`: its weight, and that of all who can take the payment. */
const inOrder = (winner: SplitContender, contenders: ReadonlyArray<SplitContender>): ReadonlyArray<Candidate> => {
  const total = contenders.reduce((sum, { weight }) => sum + weight, 0)
  return [winner, ...contenders.filter((contender) => contender !== winner)].map(({ provider, weight }) => ({
    provider,
    reason: `split ${rounded(weight)}/${rounded(total)}`
  }))
}

/** Fractions of a percent may be summed: 33.3 + 33.3 + 33.4. */
const rounded = (weight: number): number => Math.round(weight * 1000) / 1000

/**
 * Weighted rendezvous: each contender draws -ln(u) / weight for the key, and the lowest wins. One who cannot take a
 * payment, or is taken out of the rule, gives up only its own payments; the customers of other providers stay.
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
