/** Reports providers that cannot serve any payment of their rule, and the capability that is missing. */
import { rails } from "@paymux/core"
import type { Rail } from "@paymux/core"
import type { RoutableProvider } from "@paymux/core/routing"
import type { Choose } from "../language/Choose.ts"
import type { Condition } from "../match/Condition.ts"
import type { Clause } from "../match/Clause.ts"
import { candidatesOf, isActive, named, providerProblem } from "./chooseProblems.ts"
import { admitting } from "./Reach.ts"
import type { Admits } from "./Reach.ts"
import { valueAt } from "./RoutingInvalid.ts"
import type { Path, RoutingProblem } from "./RoutingInvalid.ts"
import { looksLikeName } from "./suggestion.ts"
import { servablePayments } from "./servablePayments.ts"
import type { Step, ServablePayments, Way } from "./servablePayments.ts"

/** Servable payments by provider, computed once for all rules. */
export type ServableByProvider = ReadonlyMap<string, ServablePayments>

export const servableByProvider = (providers: ReadonlyArray<RoutableProvider>): ServableByProvider =>
  // Retired providers are left out, since they get a warning instead.
  new Map(providers.filter(isActive).map((provider) => [provider.id, servablePayments(provider)]))

/**
 * Requires that each provider of a rule can serve some payment that matches the rule. `path` is the path of the rule's
 * `choose`.
 */
export const unableProblems = (
  config: unknown,
  path: Path,
  condition: Condition,
  choose: Choose,
  providers: ServableByProvider
): ReadonlyArray<RoutingProblem> => {
  const admits = admitting(condition)
  const methods = rails.filter((rail) => admits(rail))
  // Skips a rule whose condition never holds, since another check reports it.
  if (methods.length === 0) return []
  return candidatesOf(choose).flatMap(({ inside, provider }) => {
    const declared = providers.get(provider)
    const what = declared === undefined ? null : refusedPart(config, path, methods, declared, admits)
    return what === null
      ? []
      : [providerProblem(config, [...path, ...inside], `${named(provider)} does not take ${what}`)]
  })
}

export const takesSome = (
  declared: ServablePayments | undefined,
  methods: ReadonlyArray<Rail>,
  admits: Admits
): boolean =>
  methods.some((rail) => declared?.get(rail)?.some((way) => together(way).some((wanted) => admits(rail, wanted))))

/** The problem of a provider that can serve no payment of the rule; `null` if it can serve some. */
const refusedPart = (
  config: unknown,
  choose: Path,
  methods: ReadonlyArray<Rail>,
  declared: ServablePayments,
  admits: Admits
): string | null => {
  const taken = methods.flatMap((rail) => {
    const ways = declared.get(rail)
    return ways === undefined ? [] : [{ rail, ways }]
  })
  if (taken.length === 0) return methods.join(" or ")
  let furthest: Obstacle | null = null
  for (const { rail, ways } of taken) {
    const found = obstacle(ways, (wanted) => admits(rail, wanted))
    if (found === null) return null
    if (furthest === null || found.passed > furthest.passed) furthest = found
  }
  return furthest === null ? null : obstacleText(config, choose, furthest)
}

interface Obstacle {
  /**
   * The number of a provider's requirements, in order, that payments of the rule can meet before the first one that
   * they cannot meet.
   */
  readonly passed: number
  /**
   * The first requirements that cannot be met, one for each kind of payment (`Way`) that meets `passed` requirements.
   */
  readonly steps: ReadonlyArray<Step>
}

/** The first requirement that no way to serve a payment can meet; `null` if some way meets all requirements. */
const obstacle = (ways: ReadonlyArray<Way>, admits: (wanted: Clause) => boolean): Obstacle | null => {
  const isPassable = (way: Way, steps: number) => together(way.slice(0, steps)).some(admits)
  if (ways.some((way) => isPassable(way, way.length))) return null
  let left = ways
  for (let passed = 0; ; passed++) {
    const further = left.filter((way) => way.length > passed && isPassable(way, passed + 1))
    if (further.length === 0) return { passed, steps: left.flatMap((way) => way[passed] ?? []) }
    left = further
  }
}

/** Combines requirements into clauses, each with one alternative of every requirement (a Cartesian product). */
export const together = (steps: ReadonlyArray<Step>): ReadonlyArray<Clause> =>
  steps.reduce<ReadonlyArray<Clause>>(
    (clauses, { alternatives }) => clauses.flatMap((clause) => alternatives.map((one) => [...clause, ...one])),
    [[]]
  )

const obstacleText = (config: unknown, choose: Path, { steps }: Obstacle): string => {
  const [step] = steps
  if (step === undefined) return "any payment: it declares nothing that it takes"
  const { fact } = step
  const asked = askedFor(config, choose, fact)
  if (fact === "currency") return asked ?? "a currency of this rule"
  const takes = [...new Set(steps.flatMap((one) => one.takes))].join(", ")
  return `${asked === null ? `the ${fact} of this rule` : `${fact} ${asked}`}${takes === "" ? "" : `; it takes ${takes}`}`
}

/** The values that a rule's condition requires, such as `EUR or USD`; `null` if the condition is more complex. */
const askedFor = (config: unknown, choose: Path, fact: string): string | null => {
  const asked = valueAt(config, [...choose.slice(0, -1), "when", fact])
  const words: ReadonlyArray<unknown> = Array.isArray(asked) ? asked : [asked]
  const shown = words
    .filter((word) => typeof word === "string")
    .filter((word) => isCallingCode(word) || looksLikeName(word))
  return shown.length === words.length ? shown.join(" or ") : null
}

const isCallingCode = (word: string): boolean => /^\+\d{1,3}$/.test(word)
