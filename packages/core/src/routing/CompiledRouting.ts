/** Routing rules made ready to run: checked against the providers, each condition a closure. */
import { Effect, Result } from "effect"
import { capabilityFilter } from "./capabilityFilter.ts"
import type { CapabilityFilter, RoutableProvider } from "./capabilityFilter.ts"
import { checkRouting } from "./checkRouting.ts"
import { conditionsOf } from "./conditions.ts"
import { reader } from "./Facts.ts"
import type { Facts, FactValue } from "./Facts.ts"
import { defaultFailover } from "./RoutingConfig.ts"
import type { Choose, FailoverPolicy, RoutingConfig, When } from "./RoutingConfig.ts"
import type { RoutingInvalid } from "./RoutingInvalid.ts"
import { rulesetHash } from "./rulesetHash.ts"
import { stickyHash } from "./stickyHash.ts"

export interface CompiledRouting {
  /** `sha256:` and the hex digest of the rules. */
  readonly ruleset: string
  readonly failover: FailoverPolicy
  readonly rules: ReadonlyArray<CompiledRule>
  /** Where no rule matches. */
  readonly fallback: CompiledRule
}

/** A provider in a rule. */
export interface Contender {
  readonly provider: string
  readonly filter: CapabilityFilter
  /** Of a split, else 0. */
  readonly weight: number
  /** Sets its draws apart from those of the others. */
  readonly salt: number
}

interface Matching {
  readonly name: string
  readonly matches: (facts: Facts) => boolean
  /** In the order in which they follow each other. */
  readonly contenders: ReadonlyArray<Contender>
}

export interface PriorityRule extends Matching {
  readonly reason: "priority"
}

export interface SplitRule extends Matching {
  readonly reason: "split"
  /** The fact that a split sticks to, or `null`: then the payment's id. */
  readonly sticky: (facts: Facts) => FactValue
  /** From the rule's name and `seed`, so that two rules split the same payers differently. */
  readonly seed: number
}

export type CompiledRule = PriorityRule | SplitRule

/**
 * Checks `config` (anything: it may come from a file) and compiles it. Fails with every problem there is.
 *
 * @example
 * ```ts
 * const routing = yield* compile(defaultRouting(providers), providers)
 * plan(routing, payment, facts(payment, tenant, id)) // => { _tag: "Plan", decision, candidates } or { _tag: "NoRoute", … }
 * ```
 */
export const compile = Effect.fnUntraced(function* (
  config: unknown,
  providers: ReadonlyArray<RoutableProvider>
): Effect.fn.Return<CompiledRouting, RoutingInvalid> {
  const checked = checkRouting(config, providers)
  if (Result.isFailure(checked)) return yield* checked.failure
  const ruleset = yield* rulesetHash(config)
  const { rules = [], ...rest } = checked.success
  const filters = new Map(providers.map((provider) => [provider.id, capabilityFilter(provider)]))
  return {
    ruleset,
    failover: failoverPolicy(rest),
    rules: rules.map(({ choose, name, when }) => compileRule(name, matcher(when), choose, filters)),
    fallback: compileRule("default", () => true, rest.default, filters)
  }
})

const failoverPolicy = ({ failover = {} }: Pick<RoutingConfig, "failover">): FailoverPolicy => ({
  maxAttempts: failover.max_attempts ?? defaultFailover.maxAttempts,
  deadlineMs: failover.deadline ?? defaultFailover.deadlineMs,
  on: failover.on ?? defaultFailover.on
})

const matcher = (when: When): ((facts: Facts) => boolean) => {
  const tests = conditionsOf(when).map(({ name, values }) => test(reader(name), values))
  return (facts) => {
    for (const holds of tests) if (!holds(facts)) return false
    return true
  }
}

/** No value is `null`, so an absent fact is equal to none. */
const test = (read: (facts: Facts) => FactValue, values: ReadonlyArray<FactValue>): ((facts: Facts) => boolean) => {
  const [only] = values
  if (values.length === 1) return (facts) => read(facts) === only
  const any = new Set(values)
  return (facts) => any.has(read(facts))
}

type Filters = ReadonlyMap<string, CapabilityFilter>

const compileRule = (name: string, matches: Matching["matches"], choose: Choose, filters: Filters): CompiledRule => {
  if ("priority" in choose) {
    const contenders = choose.priority.flatMap((provider) => contender(provider, 0, filters))
    return { name, matches, reason: "priority", contenders }
  }
  return "split" in choose ? compileSplit(name, matches, choose, filters) : refusedByCheck(choose)
}

const compileSplit = (
  name: string,
  matches: Matching["matches"],
  choose: Extract<Choose, { readonly split: unknown }>,
  filters: Filters
): SplitRule => ({
  name,
  matches,
  reason: "split",
  // By weight, then by name: the order of the keys in the file means nothing.
  contenders: Object.entries(choose.split)
    .sort(([a, weightA], [b, weightB]) => weightB - weightA || (a < b ? -1 : 1))
    .flatMap(([provider, weight]) => contender(provider, weight, filters)),
  sticky: choose.sticky_by === undefined ? () => null : reader(choose.sticky_by),
  seed: stickyHash(JSON.stringify([name, choose.seed ?? null]), 0)
})

const contender = (provider: string, weight: number, filters: Filters): ReadonlyArray<Contender> => {
  const filter = filters.get(provider)
  return filter === undefined ? [] : [{ provider, filter, weight, salt: stickyHash(provider, 0) }]
}

const refusedByCheck = ({ best }: Extract<Choose, { readonly best: unknown }>): never => {
  throw new Error(`\`best: ${best}\` passed the check without being supported`)
}
