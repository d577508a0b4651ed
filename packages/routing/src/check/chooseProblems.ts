/** Reports problems with the providers in a configuration: unknown or duplicate ids, and shares that do not add up. */
import { rails } from "@paymux/core"
import type { Rail } from "@paymux/core"
import type { RoutableProvider } from "@paymux/core/routing"
import type { Best, Choose, Split } from "../language/Choose.ts"
import { atKey, problemAt, problemIn, valueAt } from "./RoutingInvalid.ts"
import type { Path, RoutingProblem } from "./RoutingInvalid.ts"
import { looksLikeName, suggestion } from "./suggestion.ts"

export const chooseProblems = (
  config: unknown,
  path: Path,
  choose: Choose,
  providers: ReadonlyArray<RoutableProvider>
): ReadonlyArray<RoutingProblem> => {
  const seen = new Set<string>()
  const names = candidatesOf(choose).flatMap(({ inside, provider }) => {
    const place = [...path, ...inside]
    const twice = seen.has(provider)
    seen.add(provider)
    return twice
      ? [providerProblem(config, place, `${named(provider)} is named twice`)]
      : unknownProvider(config, place, provider, providers)
  })
  if ("split" in choose) return [...names, ...splitProblems(config, path, choose)]
  return "best" in choose
    ? [
        ...names,
        ...optionProblems(config, path, choose),
        ...segmentProblems(config, path, choose),
        ...priorProblems(config, path, choose)
      ]
    : names
}

/** Creates a problem about a provider id, which is a value in a list, but a key in a mapping. */
export const providerProblem = (config: unknown, path: Path, sentence: string): RoutingProblem => {
  const problem = problemIn(config, path, sentence)
  return typeof path.at(-1) === "string" ? atKey(problem) : problem
}

export const named = (provider: string): string =>
  looksLikeName(provider) ? `provider "${provider}"` : "this provider"

const unknownProvider = (
  config: unknown,
  path: Path,
  provider: string,
  providers: ReadonlyArray<RoutableProvider>
): ReadonlyArray<RoutingProblem> => {
  const sentence = unknownSentence(provider, providers)
  return sentence === null ? [] : [providerProblem(config, path, sentence)]
}

/** The sentence about an unknown provider id; `null` if the provider is configured. */
export const unknownSentence = (provider: string, providers: ReadonlyArray<RoutableProvider>): string | null => {
  const ids = providers.map(({ id }) => id)
  if (ids.includes(provider)) return null
  const renamed = providers.find(({ formerly = [] }) => formerly.includes(provider))
  return renamed === undefined
    ? `${named(provider)} is not configured${suggestion(provider, ids)}`
    : `${named(provider)} was renamed: use "${renamed.id}"`
}

/** Whether an instance takes new payments: it is not retired. */
export const isActive = ({ retired }: RoutableProvider): boolean => retired !== true

/**
 * Whether a provider supports a payment method. A retired instance without credentials has no capabilities to compare
 * with.
 */
export const takesMethod = (declared: RoutableProvider | undefined, rail: Rail): boolean =>
  declared === undefined || declared.retired === true || declared.capabilities.methods[rail] !== undefined

/** Allows a rounding error in the sum, since 33.3 + 33.3 + 33.4 is not exactly 100 in binary. */
const splitProblems = (
  config: unknown,
  path: Path,
  { experiment, split, sticky_by }: Split
): ReadonlyArray<RoutingProblem> => {
  const shares = Object.values(split)
  const sum = shares.reduce((total, weight) => total + weight, 0)
  const arms = shares.filter((weight) => weight > 0).length
  return [
    ...(Math.abs(sum - 100) < 1e-6
      ? []
      : [problemAt(config, [...path, "split"], `must add up to 100, not ${Math.round(sum * 1000) / 1000}`)]),
    ...(experiment === undefined || arms > 1
      ? []
      : [problemAt(config, [...path, "experiment"], "needs two or more providers with a share: they are its arms")]),
    ...(experiment === undefined || sticky_by === undefined || isPayer(sticky_by)
      ? []
      : [
          problemAt(
            config,
            [...path, "sticky_by"],
            "must be customer.email or metadata.<key> in an experiment: otherwise its arms get different kinds of payments"
          )
        ])
  ]
}

/**
 * Whether a fact identifies a payer. For other facts, such as the card network, one arm of an experiment could get all
 * cards of a network, and its result would be that of the network.
 */
const isPayer = (fact: string): boolean => fact === "customer.email" || fact.startsWith("metadata.")

/** Reports options of `choose` that its kind of comparison does not use. */
const optionProblems = (config: unknown, path: Path, choose: Best): ReadonlyArray<RoutingProblem> => {
  const misplaced = options
    .filter((key) => choose[key] !== undefined)
    .flatMap((key) => {
      const goesWith = placeOf(key, choose)
      return goesWith === null ? [] : [atKey(problemAt(config, [...path, key], `goes with ${goesWith} only`))]
    })
  return choose.best === "value" && choose.margin === undefined
    ? [
        ...misplaced,
        problemAt(config, [...path, "best"], "needs `margin`, which is what a paid payment earns, such as `margin: 8%`")
      ]
    : misplaced
}

type Option = Exclude<keyof Best, "best" | "among">

const options: ReadonlyArray<Option> = [
  "window",
  "segments",
  "learn_from",
  "min_samples",
  "prior",
  "weights",
  "explore",
  "margin",
  "floor",
  "within"
]

/** The setting of `choose` that an option requires; `null` if the option is valid here. */
const placeOf = (option: Option, { best, floor, within }: Best): string | null => {
  switch (option) {
    case "explore":
      return best === "success_rate" ? null : "`best: success_rate`"
    case "margin":
      return best === "value" ? null : "`best: value`"
    case "floor":
      return best === "success_rate" ? "`best: cost` or `best: value`" : null
    case "within":
      return best === "cost" ? null : "`best: cost`"
    case "window":
    case "segments":
    case "learn_from":
    case "min_samples":
    case "prior":
    case "weights":
      return best === "cost" && floor === undefined && within === undefined
        ? "`best: success_rate`, `best: value`, `floor` or `within`"
        : null
    default:
      return option satisfies never
  }
}

/** Reports invalid combinations of `segments` that the Schema cannot express. */
const segmentProblems = (
  config: unknown,
  path: Path,
  { learn_from, segments = [] }: Best
): ReadonlyArray<RoutingProblem> =>
  segments.flatMap((segment, index) => {
    const at = (predicate: string) => [problemAt(config, [...path, "segments", index], predicate)]
    const first = segments.indexOf(segment)
    if (first < index) return at(`repeats \`segments[${first}]\``)
    return segment === "account" && learn_from === "account"
      ? at("is redundant: with `learn_from: account`, accounts are always distinguished")
      : []
  })

const priorProblems = (config: unknown, path: Path, { among, prior = {} }: Best): ReadonlyArray<RoutingProblem> =>
  Object.keys(prior)
    .filter((provider) => !among.includes(provider))
    .map((provider) =>
      providerProblem(
        config,
        [...path, "prior", provider],
        `${named(provider)} is not in \`among\`${suggestion(provider, among)}`
      )
    )

interface Named {
  readonly provider: string
  readonly inside: Path
}

export const candidatesOf = (choose: Choose): ReadonlyArray<Named> => {
  if ("priority" in choose) return listed("priority", choose.priority)
  if ("best" in choose) return listed("among", choose.among)
  return Object.keys(choose.split).map((provider) => ({ provider, inside: ["split", provider] }))
}

const listed = (key: string, providers: ReadonlyArray<string>): ReadonlyArray<Named> =>
  providers.map((provider, index) => ({ provider, inside: [key, index] }))

/**
 * Reports fees for unknown providers, or for methods that a provider does not support: they are misspelt or outdated.
 */
export const feeProblems = (
  config: unknown,
  providers: ReadonlyArray<RoutableProvider>
): ReadonlyArray<RoutingProblem> => {
  const fees = valueAt(config, ["fees"])
  if (typeof fees !== "object" || fees === null) return []
  return Object.keys(fees).flatMap((provider) => {
    const unknown = unknownProvider(config, ["fees", provider], provider, providers)
    if (unknown.length > 0) return unknown
    const declared = providers.find(({ id }) => id === provider)
    return rails
      .filter((rail) => valueAt(fees, [provider, rail]) !== undefined)
      .filter((rail) => !takesMethod(declared, rail))
      .map((rail) => providerProblem(config, ["fees", provider, rail], `${named(provider)} does not take ${rail}`))
  })
}
