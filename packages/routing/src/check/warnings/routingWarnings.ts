/**
 * Warns about parts of a routing configuration that are valid, but have no effect or an unexpected one. Rules with
 * warnings can be activated.
 */
import { rails } from "@paymux/core"
import type { Rail } from "@paymux/core"
import type { RoutableProvider } from "@paymux/core/routing"
import { Clock, Effect, Result } from "effect"
import { rulesetHash } from "@paymux/core/routing"
import { assemble } from "../../CompiledRouting.ts"
import type { CompiledRouting } from "../../CompiledRouting.ts"
import { durationMs } from "../../language/words.ts"
import type { Condition } from "../../match/Condition.ts"
import { candidatesOf, isActive } from "../chooseProblems.ts"
import { checkRouting } from "../checkRouting.ts"
import type { CheckedRouting } from "../checkRouting.ts"
import { noRouteProblems } from "../noRouteProblems.ts"
import type { Choose } from "../../language/Choose.ts"
import { admitting, isReached } from "../Reach.ts"
import type { Admits } from "../Reach.ts"
import { problemAt, valueAt } from "../RoutingInvalid.ts"
import type { RoutingInvalid, RoutingProblem } from "../RoutingInvalid.ts"
import { bestWarnings } from "./bestWarnings.ts"
import { holidayWarnings } from "./holidayWarnings.ts"
import { modeWarnings } from "./modeWarnings.ts"
import { retiredWarnings } from "./retiredWarnings.ts"
import { segmentWarnings } from "./segmentWarnings.ts"
import { conditionWarnings } from "./conditionWarnings.ts"
import { servableByProvider, takesSome } from "../unableProblems.ts"
import {
  aloneWarnings,
  emptyFailoverWarnings,
  pastOutageWarnings,
  sameAsDefaultWarnings,
  splitWarnings
} from "./silentWarnings.ts"

export interface RoutingWithWarnings {
  readonly routing: CompiledRouting
  /** The warnings, in the order of the rules. */
  readonly warnings: ReadonlyArray<RoutingProblem>
  /**
   * Payments that get no provider now because of `exclude` and `outages`. New rules with such payments are rejected
   * unless the author confirms them; rules that are already active stay active.
   */
  readonly noRoute: ReadonlyArray<RoutingProblem>
}

/** Compiles rules like `compile`, and also returns warnings about them. */
export const compileWithWarnings = Effect.fnUntraced(function* (
  config: unknown,
  providers: ReadonlyArray<RoutableProvider>
): Effect.fn.Return<RoutingWithWarnings, RoutingInvalid> {
  const checked = checkRouting(config, providers)
  if (Result.isFailure(checked)) return yield* checked.failure
  const now = yield* Clock.currentTimeMillis
  const { problems, warnings } = noRouteProblems(config, checked.success, providers, now)
  return {
    routing: assemble(checked.success, yield* rulesetHash(config), providers),
    warnings: [...routingWarnings(config, checked.success, providers, now), ...warnings],
    noRoute: problems
  }
})

/** Collects all warnings. Changes to daylight saving time are checked for the year that begins at `now`. */
const routingWarnings = (
  written: unknown,
  checked: CheckedRouting,
  providers: ReadonlyArray<RoutableProvider>,
  now: number
): ReadonlyArray<RoutingProblem> => {
  const { conditions, config } = checked
  const ofConditions = conditionWarnings(written, providers, now)
  const able = servableByProvider(providers)
  /**
   * Returns the active providers that support some of the rule's payments and have the same mode as the provider that
   * the rule chooses. Failover could continue with these providers.
   */
  const following = (choose: Choose, methods: ReadonlyArray<Rail>, admits: Admits): ReadonlyArray<string> => {
    const [only] = candidatesOf(choose)
    const mode = providers.find(({ id }) => id === only?.provider)?.mode
    return providers
      .filter(
        (provider) => isActive(provider) && provider.mode === mode && !(config.exclude ?? []).includes(provider.id)
      )
      .filter(({ id }) => takesSome(able.get(id), methods, admits))
      .map(({ id }) => id)
  }
  const rules = (config.rules ?? []).flatMap((rule, index) => {
    const { choose, when } = rule
    const condition = conditions[index]
    if (condition === undefined) return []
    const path = ["rules", index]
    const admits = admitting(condition)
    const methods = rails.filter((rail) => admits(rail))
    return [
      ...ofConditions(path, when, condition),
      ...bestWarnings(written, [...path, "choose"], choose, methods, admits),
      ...segmentWarnings(written, [...path, "choose"], choose, condition, methods, admits),
      ...modeWarnings(written, [...path, "choose"], choose, methods, admits, providers.filter(isActive)),
      ...splitWarnings(written, [...path, "choose"], choose, methods, admits, providers.filter(isActive)),
      ...aloneWarnings(written, path, rule, () => following(choose, methods, admits)),
      ...retiredWarnings(written, [...path, "choose"], choose, providers)
    ]
  })
  return [
    ...rules,
    ...bestWarnings(written, ["default"], config.default, rails, () => true),
    ...splitWarnings(written, ["default"], config.default, rails, () => true, providers.filter(isActive)),
    ...retiredWarnings(written, ["default"], config.default, providers),
    ...defaultWarnings(written, checked, providers.filter(isActive)),
    ...deadlineWarnings(written),
    ...emptyFailoverWarnings(written, config),
    ...sameAsDefaultWarnings(written, config),
    ...pastOutageWarnings(written, config, now),
    ...holidayWarnings(written, config)
  ]
}

/**
 * Warns if payments that no rule matches have a method that some provider supports, but none of the providers in
 * `default`.
 */
const defaultWarnings = (
  written: unknown,
  { conditions, config, firstMatch }: CheckedRouting,
  providers: ReadonlyArray<RoutableProvider>
): ReadonlyArray<RoutingProblem> => {
  const listed = new Set(candidatesOf(config.default).map(({ provider }) => provider))
  return rails.flatMap((rail) => {
    const able = providers.filter(({ capabilities }) => capabilities.methods[rail] !== undefined)
    if (able.length === 0 || able.some(({ id }) => listed.has(id))) return []
    if (!isReached(conditions, firstMatch, byMethod(rail))) return []
    const names = able.map(({ id }) => id).join(", ")
    return [
      problemAt(
        written,
        ["default"],
        `has no provider that takes ${rail}: such a payment is rejected if no rule matches (${names} would take it)`
      )
    ]
  })
}

const byMethod = (rail: Rail): Condition => ({
  _tag: "Fact",
  path: [],
  fact: "payment_method",
  test: { op: "in", values: new Set([rail]) }
})

/** The shortest plausible duration of an attempt, ms: no provider responds faster over a network. */
const SHORTEST_ATTEMPT = 100

const deadlineWarnings = (written: unknown): ReadonlyArray<RoutingProblem> => {
  const path = ["failover", "deadline"]
  const text = valueAt(written, path)
  const deadline = typeof text === "string" ? durationMs(text) : null
  return deadline === null || deadline >= SHORTEST_ATTEMPT
    ? []
    : [problemAt(written, path, "is shorter than any attempt takes: no other provider is tried")]
}
