/** What the check refuses is truly out of reach: no payment, out of all that could tell rules apart, ever comes there. */
import { assert } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { checkRouting } from "../../src/check/checkRouting.ts"
import type { RoutingConfigInput } from "../../src/RoutingConfig.ts"
import { drawn } from "./arbitrary.ts"
import { language, whenHolds } from "./conditions.ts"
import type { Asking } from "./conditions.ts"
import { everyPayment } from "./everyPayment.ts"
import { overlapping, taker } from "./overlaps.ts"

/** How many rules there were, how many no payment reaches, and how many of those the check refused. */
export interface Found {
  readonly rules: number
  readonly dead: number
  readonly refused: number
}

/** Fails where a refused rule is reached, or where a payment of a shadowed rule is not of those that are named. */
export const noFalseRefusal = (rulesets: number, seed: number): Found => {
  const found = { rules: 0, dead: 0, refused: 0 }
  const check = fc.property(drawn(overlapping), (config) => {
    const refused = refusedRules(config)
    const reached = reachedRules(config, refused)
    assert.deepStrictEqual(
      [...refused.keys()].filter((rule) => reached.has(rule)),
      []
    )
    const rules = config.rules?.length ?? 0
    found.rules += rules
    found.dead += rules - reached.size
    found.refused += refused.size
  })
  fc.assert(check, { numRuns: rulesets, seed })
  return found
}

/** By their numbers: the sentence that refuses them. */
const refusedRules = (config: RoutingConfigInput): ReadonlyMap<number, string> => {
  const checked = checkRouting(config, [taker])
  const problems = Result.isFailure(checked) ? checked.failure.problems : []
  // What a provider cannot take is held against payments in `noFalseInability.ts`.
  const ofConditions = problems.filter(({ path }) => path[2] !== "choose")
  return new Map(
    ofConditions.map(({ message, path }) => {
      const [top, rule, part] = path
      assert.deepStrictEqual([top, part], ["rules", "when"], message)
      assert.match(message, /^rule "rule \d": .*(?:can never hold|is never reached)/)
      return [Number(rule), message]
    })
  )
}

/** By their numbers. On the way, what is said of the refused ones is held against every payment. */
const reachedRules = (config: RoutingConfigInput, refused: ReadonlyMap<number, string>): ReadonlySet<number> => {
  const rules = config.rules ?? []
  const reached = new Set<number>()
  everyPayment(config, (asking) => {
    const first = rules.findIndex((_, rule) => holds(config, rule, asking))
    if (first >= 0) reached.add(first)
    for (const [rule, message] of refused) {
      if (!holds(config, rule, asking)) continue
      const named = [...message.matchAll(/"rule (\d)"/g)].map(([, digit]) => Number(digit)).slice(1)
      assert.isTrue(
        named.some((other) => other < rule && holds(config, other, asking)),
        message
      )
    }
    return reached.size === rules.length
  })
  return reached
}

const holds = ({ rules = [] }: RoutingConfigInput, rule: number, asking: Asking): boolean =>
  whenHolds(rules[rule]?.when ?? {}, asking, language, () => {})
