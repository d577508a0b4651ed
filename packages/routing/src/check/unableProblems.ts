/** Refuses a provider that can take no payment that its rule matches, and says which of its capabilities is in the way. */
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
import { takable } from "./takable.ts"
import type { Step, Takable, Way } from "./takable.ts"

/** By provider: made once for all rules. */
export type TakableBy = ReadonlyMap<string, Takable>

export const takableBy = (providers: ReadonlyArray<RoutableProvider>): TakableBy =>
  // A retired provider takes no payment at all, which is a warning.
  new Map(providers.filter(isActive).map((provider) => [provider.id, takable(provider)]))

/** A rule names only providers that can take some payment that matches it. `path` is that of its `choose`. */
export const unableProblems = (
  config: unknown,
  path: Path,
  condition: Condition,
  choose: Choose,
  providers: TakableBy
): ReadonlyArray<RoutingProblem> => {
  const admits = admitting(condition)
  const methods = rails.filter((rail) => admits(rail))
  // What can never hold is said once, of the condition.
  if (methods.length === 0) return []
  return candidatesOf(choose).flatMap(({ inside, provider }) => {
    const declared = providers.get(provider)
    const what = declared === undefined ? null : refusedPart(config, path, methods, declared, admits)
    return what === null
      ? []
      : [providerProblem(config, [...path, ...inside], `${named(provider)} does not take ${what}`)]
  })
}

export const takesSome = (declared: Takable | undefined, methods: ReadonlyArray<Rail>, admits: Admits): boolean =>
  methods.some((rail) => declared?.get(rail)?.some((way) => together(way).some((wanted) => admits(rail, wanted))))

/** What the provider does not take; `null`: it can take some of the payments. */
const refusedPart = (
  config: unknown,
  choose: Path,
  methods: ReadonlyArray<Rail>,
  declared: Takable,
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
  /** How many steps can be met before it. */
  readonly passed: number
  /** Of the ways that come so far. */
  readonly steps: ReadonlyArray<Step>
}

/** The first step that no way gets past; `null`: one gets past all. */
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

/** Clauses of which one must hold: one alternative of each step. */
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

/** `EUR or USD`, where the rule says so in plain words. */
const askedFor = (config: unknown, choose: Path, fact: string): string | null => {
  const asked = valueAt(config, [...choose.slice(0, -1), "when", fact])
  const words: ReadonlyArray<unknown> = Array.isArray(asked) ? asked : [asked]
  const shown = words
    .filter((word) => typeof word === "string")
    .filter((word) => isCallingCode(word) || looksLikeName(word))
  return shown.length === words.length ? shown.join(" or ") : null
}

const isCallingCode = (word: string): boolean => /^\+\d{1,3}$/.test(word)
