/** Computes the success rate estimate of each provider of a rule, and draws a rate from its distribution. */
import type { Learned } from "../CompiledRouting.ts"
import type { Contender } from "./Contender.ts"
import { drawn } from "./draw.ts"
import type { Facts } from "../Facts.ts"
import type { Health } from "../Health.ts"
import type { Estimate } from "../learn/estimate.ts"
import { avalanche, stickyHash } from "./stickyHash.ts"

export interface Judged<C extends Contender> {
  readonly contender: C
  readonly estimate: Estimate
  /** The drawn number that orders the providers. It may be below 0 or above 1. */
  readonly draw: number
  /** The drawn success rate, limited to the range 0 to 1. */
  readonly rate: number
  /** The reason that the decision stores: `success_rate 92.1% of 212 visa cards, none from DE, drawn 91.8%`. */
  readonly text: string
}

/** Judges the providers in the order of the list. `seed` is the seed of the rule's draws. */
export const judge = <C extends Contender>(
  learned: Learned,
  seed: number,
  contenders: ReadonlyArray<C>,
  facts: Facts,
  health: Health
): Array<Judged<C>> => {
  const found = health.estimates(learned, facts)
  const hash = stickyHash(facts.draw, seed)
  return contenders.map((contender) => {
    const estimate = found.get(contender.provider) ?? noEstimate
    const draw = drawn(estimate, avalanche(hash ^ contender.salt))
    const rate = Math.min(1, Math.max(0, draw))
    const text = `success_rate ${percentText(estimate.rate)} of ${estimate.basis}, drawn ${percentText(rate)}`
    return { contender, estimate, draw, rate, text }
  })
}

const noEstimate = { rate: 0, known: 0, basis: "0 attempts" }

/** Formats a rate as `92.1%`. Computed from tenths, since `toFixed` would take longer than the rest. */
export const percentText = (rate: number): string => {
  const tenths = Math.round(rate * 1_000)
  return `${Math.floor(tenths / 10)}.${tenths % 10}%`
}
