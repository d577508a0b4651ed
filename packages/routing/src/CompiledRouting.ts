/**
 * Compiles routing rules: validates them against the configured providers, indexes their conditions, and prepares
 * the data that choosing a provider needs.
 */
import { Effect, Result } from "effect"
import { capabilityFilter, rulesetHash } from "@paymux/core/routing"
import type { Candidate, CapabilityFilter, RoutableProvider } from "@paymux/core/routing"
import type { ExperimentAssignment } from "@paymux/core/store"
import type { Best, Choose, Split } from "./language/Choose.ts"
import { checkRouting } from "./check/checkRouting.ts"
import type { CheckedRouting } from "./check/checkRouting.ts"
import type { Condition } from "./match/Condition.ts"
import type { Contender } from "./choose/Contender.ts"
import { feeOf } from "./choose/Fees.ts"
import type { Fee } from "./choose/Fees.ts"
import { failoverSteps } from "./failoverPolicies.ts"
import type { PolicyOfRule } from "./failoverPolicies.ts"
import { reader } from "./Facts.ts"
import type { Facts, FactValue } from "./Facts.ts"
import type { Fees } from "./language/Fees.ts"
import type { RoutingConfig } from "./RoutingConfig.ts"
import type { RoutingInvalid } from "./check/RoutingInvalid.ts"
import { lensKey } from "./learn/Lens.ts"
import type { Lens } from "./learn/Lens.ts"
import type { Weights } from "./learn/Series.ts"
import type { FirstMatch } from "./match/RuleIndex.ts"
import { finish } from "./Steps.ts"
import type { Steps } from "./Steps.ts"
import { sharesOf } from "./choose/split.ts"
import type { Shares } from "./choose/split.ts"
import { stickyHash } from "./choose/stickyHash.ts"
import { withholding } from "./choose/withhold.ts"

export interface CompiledRouting {
  /** The identifier of the ruleset: `sha256:` and the hex digest of the rules. */
  readonly ruleset: string
  readonly failover: PolicyOfRule
  readonly rules: ReadonlyArray<CompiledRule>
  readonly firstMatch: FirstMatch
  /** The default rule, which decides if no other rule matches. */
  readonly fallback: CompiledRule
  /** The fees by provider and method, as configured in the rules. */
  readonly fees: Fees
  /**
   * The distinct lenses of all rules; a lens selects and groups the attempts that success rates are computed from.
   * Empty if no rule uses success rates.
   */
  readonly lenses: ReadonlyArray<Lens>
}

interface Named {
  readonly name: string
  readonly condition: Condition
}

interface Listed {
  /** The providers of a rule, in the order of its list. */
  readonly contenders: ReadonlyArray<Contender>
  /** The precomputed list of candidates for a payment that every provider of the rule can serve. */
  readonly candidates: ReadonlyArray<Candidate>
}

export interface PriorityRule extends Named, Listed {
  readonly by: "priority"
}

interface SplitRule extends Named, Shares {
  readonly by: "split"
  /**
   * Reads the fact of a payment that the setting `sticky_by` names. Payments with equal values get the same provider.
   * If the result is `null`, the split uses the payment's own `draw` instead.
   */
  readonly sticky: (facts: Facts) => FactValue
  /**
   * The seed of the split's hash. It is derived from `seed` and a name: that of the experiment, or of the rule if there
   * is no experiment. So two rules split the same payers differently.
   */
  readonly seed: number
  readonly experiment: Experiment | null
}

/** The experiment that a split belongs to. Its arms are the providers of the split. */
type Experiment = Omit<ExperimentAssignment, "arm">

/** The settings by which a rule learns success rates. */
export interface Learned {
  readonly lens: Lens
  readonly lensKey: string
  /** The name of the rule that decides. */
  readonly rule: string
  /** The providers of the rule, in the order of the rule. */
  readonly providers: ReadonlyArray<string>
  /**
   * The prior success rate that the rule gives to each provider, 0 to 1. Providers without one share a common prior.
   */
  readonly expected: ReadonlyMap<string, number>
  readonly weights: Weights
  /**
   * The weight, as a number of attempts, of a wider segment's success rate in the estimate of a narrower segment. It
   * applies if the rates of the two segments are similar.
   */
  readonly strength: number
}

export interface SuccessRateRule extends Named {
  readonly by: "success_rate"
  /** The providers of a rule, in the order of its list. */
  readonly contenders: ReadonlyArray<Contender>
  readonly learned: Learned
  /**
   * The share of payments, 0 to 1, for which another provider than the best is tried first. Random draws (see
   * `draw.ts`) explore further payments.
   */
  readonly explore: number
  readonly seed: number
}

export interface CostContender extends Contender {
  readonly fee: Fee
}

export interface CostRule extends Named {
  readonly by: "cost"
  /** The providers of a rule, in the order of its list, which breaks ties. */
  readonly contenders: ReadonlyArray<CostContender>
  /** The settings for success rates; `null` if the choice does not use them. */
  readonly learned: Learned | null
  /** The minimum success rate, 0 to 1, or no limit. Providers that are probably below it are tried last. */
  readonly floor: number
  /**
   * The maximum by which a success rate may be below that of another provider, as a difference of rates from 0 to 1, or
   * no limit. Providers that probably exceed it are tried last.
   */
  readonly within: number
  readonly seed: number
}

export interface ValueRule extends Named {
  readonly by: "value"
  /** The providers of a rule, in the order of its list, which breaks ties. */
  readonly contenders: ReadonlyArray<CostContender>
  readonly learned: Learned
  readonly floor: number
  /** The merchant's margin on a paid payment before the provider's fee, as a share of the amount. */
  readonly margin: number
  readonly seed: number
}

export type CompiledRule = PriorityRule | SplitRule | SuccessRateRule | CostRule | ValueRule

/**
 * Validates `config`, which may come from a file, and compiles it. Fails with all its problems.
 *
 * @example
 * ```ts
 * const routing = yield* compile(defaultRouting(providers), providers)
 * plan(routing, payment, facts(payment, tenant, id, now), unknownHealth) // => { _tag: "Plan", decision, candidates } or { _tag: "NoRoute", … }
 * ```
 */
export const compile = Effect.fnUntraced(function* (
  config: unknown,
  providers: ReadonlyArray<RoutableProvider>
): Effect.fn.Return<CompiledRouting, RoutingInvalid> {
  const checked = checkRouting(config, providers)
  if (Result.isFailure(checked)) return yield* checked.failure
  return assemble(checked.success, yield* rulesetHash(config), providers)
})

/** Compiles rules that have already been validated, and identifies them by their hash. */
export const assemble = (...given: Parameters<typeof assembleSteps>): CompiledRouting => finish(assembleSteps(...given))

/** Does the same as `assemble`, in short steps, so that a server can answer requests between the steps. */
export function* assembleSteps(
  { conditions, config, firstMatch }: CheckedRouting,
  ruleset: string,
  providers: ReadonlyArray<RoutableProvider>
): Steps<CompiledRouting> {
  const { fees = {}, rules: written = [], ...rest } = config
  const contender = contenders(providers, rest)
  const lenses = new Map<string, Lens>()
  const compileOne = (named: Named, choose: Choose): CompiledRule => {
    const rule = compileRule(named, choose, contender, fees)
    if ("learned" in rule && rule.learned !== null) lenses.set(rule.learned.lensKey, rule.learned.lens)
    return rule
  }
  const rules: Array<CompiledRule> = []
  for (const [index, { choose, name }] of written.entries()) {
    rules.push(compileOne({ name, condition: conditions[index] ?? always }, choose))
    yield
  }
  const fallback = compileOne({ name: "default", condition: always }, rest.default)
  return {
    ruleset,
    failover: yield* failoverSteps(config),
    rules,
    firstMatch,
    fallback,
    fees,
    lenses: [...lenses.values()]
  }
}

const always: Condition = { _tag: "All", path: [], of: [] }

/**
 * A capability filter that rejects every payment. It stands for a provider that is not configured, which validated
 * rules cannot contain.
 */
const never: CapabilityFilter = () => "method_not_supported"

interface Contenders {
  readonly of: (provider: string) => Contender
  readonly listed: (providers: ReadonlyArray<string>) => Listed
  readonly shares: (split: Split["split"]) => Shares
}

/**
 * Prepares the providers of a rule for decisions. Rules with the same providers share one object, so that thousands of
 * rules fit in the CPU cache.
 */
const contenders = (
  providers: ReadonlyArray<RoutableProvider>,
  withheld: Pick<RoutingConfig, "exclude" | "outages">
): Contenders => {
  const known = new Map(
    providers.map((provider) => [
      provider.id,
      contenderOf(provider.id, withholding(withheld, provider.id, capabilityFilter(provider)))
    ])
  )
  const of = (provider: string): Contender => known.get(provider) ?? contenderOf(provider, never)
  return {
    of,
    listed: once((names) => listedOf(names.map(of))),
    shares: once((split) => sharesOf(split, of))
  }
}

const contenderOf = (provider: string, filter: Contender["filter"]): Contender => ({
  provider,
  filter,
  inOrder: { provider, reason: "priority" },
  salt: stickyHash(provider, 0)
})

const listedOf = (contenders: ReadonlyArray<Contender>): Listed => ({
  contenders,
  candidates: contenders.map(({ inOrder }) => inOrder)
})

/** Memoizes a function by the JSON of its argument. */
const once = <A, B>(make: (given: A) => B): ((given: A) => B) => {
  const made = new Map<string, B>()
  return (given) => {
    const key = JSON.stringify(given)
    const found = made.get(key) ?? make(given)
    made.set(key, found)
    return found
  }
}

const compileRule = (named: Named, choose: Choose, contenders: Contenders, fees: Fees): CompiledRule => {
  if ("priority" in choose) return { ...named, by: "priority", ...contenders.listed(choose.priority) }
  return "split" in choose ? compileSplit(named, choose, contenders) : compileBest(named, choose, contenders.of, fees)
}

const compileSplit = (
  named: Named,
  { experiment, seed, split, sticky_by }: Split,
  contenders: Contenders
): SplitRule => ({
  ...named,
  by: "split",
  ...contenders.shares(split),
  sticky: sticky_by === undefined ? () => null : reader(sticky_by),
  // The seed of an experiment's split comes from the experiment's name, since the rule may be renamed while the
  // experiment runs.
  seed: seedOf(experiment ?? named.name, seed),
  experiment:
    experiment === undefined
      ? null
      : { name: experiment, split, ...(sticky_by !== undefined && { stickyBy: sticky_by }) }
})

const compileBest = (
  named: Named,
  choose: Best,
  contender: Contenders["of"],
  fees: Fees
): SuccessRateRule | CostRule | ValueRule => {
  const { among, best, explore = 0, floor = Number.NEGATIVE_INFINITY, margin = 0, within } = choose
  const seed = seedOf(named.name, undefined)
  const learned = learnedBy(named.name, choose)
  if (best === "success_rate") {
    return { ...named, by: best, contenders: among.map(contender), learned, explore, seed }
  }
  const contenders = among.map((provider) => ({ ...contender(provider), fee: feeOf(fees[provider] ?? {}) }))
  if (best === "value") return { ...named, by: best, contenders, learned, floor, margin, seed }
  const isLearned = choose.floor !== undefined || within !== undefined
  return {
    ...named,
    by: best,
    contenders,
    learned: isLearned ? learned : null,
    floor,
    within: within ?? Number.POSITIVE_INFINITY,
    seed
  }
}

const learnedBy = (
  rule: string,
  { among, learn_from, min_samples, prior, segments, weights, window }: Best
): Learned => {
  const lens: Lens = { windowMs: window ?? null, learnFrom: learn_from ?? "all", segments: segments ?? [] }
  return {
    lens,
    lensKey: lensKey(lens),
    rule,
    providers: among,
    expected: new Map(Object.entries(prior ?? {})),
    weights: {
      expired: weights?.expired ?? 1,
      authenticationFailed: weights?.authentication_failed ?? 1
    },
    strength: min_samples ?? 40
  }
}

const seedOf = (rule: string, seed: string | undefined): number => stickyHash(JSON.stringify([rule, seed ?? null]), 0)

/** Finds the first rule that matches the payment, otherwise the default rule. */
export const ruleFor = ({ fallback, firstMatch, rules }: CompiledRouting, facts: Facts): CompiledRule =>
  rules[firstMatch(facts, 0)] ?? fallback
