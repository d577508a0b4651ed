/**
 * Decides whom to try for a payment. Pure: the same rules and the same payment always give the same plan.
 *
 * Whether a provider is healthy is not asked here: admission comes after, and says so in its own words.
 */
import type { NewPayment } from "../domain/Payment.ts"
import type { CompiledRouting, CompiledRule, Contender, SplitRule } from "./CompiledRouting.ts"
import type { Facts } from "./Facts.ts"
import type { Candidate, Dropped, NoRoute, Plan } from "./Plan.ts"
import { avalanche, stickyHash } from "./stickyHash.ts"

/** The first rule that matches is used; of its providers those that can take the payment, in its order. */
export const plan = (routing: CompiledRouting, payment: NewPayment, facts: Facts): Plan | NoRoute => {
  const rule = firstMatch(routing, facts)
  const taken: Array<Contender> = []
  const dropped: Array<Dropped> = []
  for (const contender of rule.contenders) {
    const reason = contender.filter(payment, facts)
    if (reason === null) taken.push(contender)
    else dropped.push({ provider: contender.provider, reason })
  }
  const { name } = rule
  const { ruleset } = routing
  if (!isNotEmpty(taken)) return { _tag: "NoRoute", rule: name, ruleset, candidates: dropped }
  const candidates = ordered(rule, taken, facts)
  return { _tag: "Plan", decision: { rule: name, ruleset, reason: rule.reason, candidates, dropped }, candidates }
}

type Taken = readonly [Contender, ...ReadonlyArray<Contender>]

const isNotEmpty = (taken: ReadonlyArray<Contender>): taken is Taken => taken.length > 0

const firstMatch = ({ fallback, rules }: CompiledRouting, facts: Facts): CompiledRule => {
  for (const rule of rules) if (rule.matches(facts)) return rule
  return fallback
}

const ordered = (rule: CompiledRule, taken: Taken, facts: Facts): ReadonlyArray<Candidate> => {
  switch (rule.reason) {
    case "priority":
      return taken.map(({ provider }) => ({ provider, reason: "priority" }))
    case "split":
      return shared(rule, taken, facts)
  }
}

/** The one drawn, then the others by weight. `split 70/100`: its weight, and that of all who can take the payment. */
const shared = (rule: SplitRule, taken: Taken, facts: Facts): ReadonlyArray<Candidate> => {
  let total = 0
  for (const { weight } of taken) total += weight
  const winner = drawn(taken, stickyHash(String(rule.sticky(facts) ?? facts.id), rule.seed))
  const candidates: Array<Candidate> = [share(winner, total)]
  for (const contender of taken) if (contender !== winner) candidates.push(share(contender, total))
  return candidates
}

const share = ({ provider, weight }: Contender, total: number): Candidate => ({
  provider,
  reason: `split ${rounded(weight)}/${rounded(total)}`
})

/** Fractions of a percent may be summed: 33.3 + 33.3 + 33.4. */
const rounded = (weight: number): number => Math.round(weight * 1000) / 1000

/**
 * Weighted rendezvous: each contender draws -ln(u) / weight for the key, and the lowest wins. One who cannot take a
 * payment, or is taken out of the rule, gives up only its own payments; nobody else's customers move.
 */
const drawn = (taken: Taken, key: number): Contender => {
  let [winner] = taken
  let lowest = Number.POSITIVE_INFINITY
  for (const contender of taken) {
    const uniform = (avalanche(key ^ contender.salt) + 0.5) / 0x1_0000_0000
    const draw = -Math.log(uniform) / contender.weight
    if (draw < lowest) {
      lowest = draw
      winner = contender
    }
  }
  return winner
}
