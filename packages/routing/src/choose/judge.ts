/** What is expected of each provider of a rule, and what is drawn for it. */
import type { Learned } from "../CompiledRouting.ts"
import type { Contender } from "./Contender.ts"
import { drawn } from "./draw.ts"
import type { Facts } from "../Facts.ts"
import type { Health } from "../Health.ts"
import { estimates } from "../learn/estimate.ts"
import { avalanche, stickyHash } from "./stickyHash.ts"

export interface Judged<C extends Contender> {
  readonly contender: C
  /** Expected, 0 to 1. */
  readonly rate: number
  /** Drawn for this payment. */
  readonly draw: number
  /** `success_rate 92.1% of 212, drawn 91.8%` */
  readonly text: string
}

/** As listed. `seed`: of the rule. */
export const judge = <C extends Contender>(
  { expected, strength, weights, windowMs }: Learned,
  seed: number,
  contenders: ReadonlyArray<C>,
  facts: Facts,
  health: Health
): ReadonlyArray<Judged<C>> => {
  const found = estimates(
    contenders.map(({ provider }) => health.evidence(provider, facts, windowMs)),
    contenders.map(({ provider }) => expected.get(provider) ?? null),
    weights,
    strength
  )
  const hash = stickyHash(facts.id, seed)
  return contenders.flatMap((contender, index) => {
    const estimate = found[index]
    if (estimate === undefined) return []
    const draw = drawn(estimate, strength, avalanche(hash ^ stickyHash(contender.provider, 0)))
    const { rate, samples } = estimate
    const text = `success_rate ${percentText(rate)} of ${Math.round(samples)}, drawn ${percentText(draw)}`
    return [{ contender, rate, draw, text }]
  })
}

export const percentText = (rate: number): string => `${(rate * 100).toFixed(1)}%`
