/** Everything that is wrong with a routing configuration, at once: its shape, its names, its sums, what is not built yet. */
import { Result, Schema } from "effect"
import type { RoutableProvider } from "./capabilityFilter.ts"
import { rails } from "../domain/PaymentMethod.ts"
import { notBuilt, valuesOf } from "./conditions.ts"
import { Choose, RoutingConfig, When } from "./RoutingConfig.ts"
import { problemAt, problemIn, RoutingInvalid, valueAt } from "./RoutingInvalid.ts"
import type { Path, RoutingProblem } from "./RoutingInvalid.ts"
import { shapeProblems } from "./shapeProblems.ts"
import { shown, suggestion } from "./suggestion.ts"

export const checkRouting = (
  config: unknown,
  providers: ReadonlyArray<RoutableProvider>
): Result.Result<RoutingConfig, RoutingInvalid> => {
  const decoded = Schema.decodeUnknownResult(RoutingConfig, strict)(config)
  const problems = [
    ...(Result.isFailure(decoded) ? shapeProblems(config, decoded.failure.issue) : []),
    ...rulesOf(config).flatMap((_, index) => ruleProblems(config, index, providers)),
    ...nameProblems(config),
    ...readable(Choose, valueAt(config, ["default"])).flatMap((choose) =>
      chooseProblems(config, ["default"], choose, providers)
    ),
    ...(valueAt(config, ["fees"]) === undefined ? [] : [problemAt(config, ["fees"], "is not supported yet")])
  ]
  return Result.isFailure(decoded) || problems.length > 0
    ? Result.fail(new RoutingInvalid({ problems }))
    : Result.succeed(decoded.success)
}

const strict = { errors: "all", onExcessProperty: "error" } as const

/** A part whose own shape is right is checked further, whatever is wrong elsewhere. */
const readable = <A, E>(schema: Schema.Codec<A, E>, part: unknown): ReadonlyArray<A> => {
  const decoded = Schema.decodeUnknownResult(schema, strict)(part)
  return Result.isSuccess(decoded) ? [decoded.success] : []
}

const rulesOf = (config: unknown): ReadonlyArray<unknown> => {
  const rules = valueAt(config, ["rules"])
  return Array.isArray(rules) ? rules : []
}

const ruleProblems = (
  config: unknown,
  index: number,
  providers: ReadonlyArray<RoutableProvider>
): ReadonlyArray<RoutingProblem> => {
  const path = ["rules", index]
  const whens = readable(When, valueAt(config, [...path, "when"]))
  const chooses = readable(Choose, valueAt(config, [...path, "choose"]))
  return [
    ...whens.flatMap((when) => whenProblems(config, [...path, "when"], when)),
    ...chooses.flatMap((choose) => chooseProblems(config, [...path, "choose"], choose, providers)),
    ...whens.flatMap((when) =>
      chooses.flatMap((choose) => unableProblems(config, [...path, "choose"], when, choose, providers))
    )
  ]
}

const whenProblems = (config: unknown, path: Path, when: When): ReadonlyArray<RoutingProblem> => [
  ...notBuilt(when).map(({ path: inside, what }) =>
    problemIn(config, [...path, ...inside], `${what} is not supported yet`)
  ),
  ...(when.amount !== undefined && !impliesCurrency(when)
    ? [problemAt(config, [...path, "amount"], "needs a `currency` beside it, or a method that implies one (upi)")]
    : [])
]

/** 500000 is 5,000 rupees and 500,000 yen. UPI is in INR only. */
const impliesCurrency = (when: When): boolean =>
  valuesOf(when, "currency") !== null ||
  (valuesOf(when, "payment_method")?.every((method) => method === "upi") ?? false)

const chooseProblems = (
  config: unknown,
  path: Path,
  choose: Choose,
  providers: ReadonlyArray<RoutableProvider>
): ReadonlyArray<RoutingProblem> => {
  const ids = new Set(providers.map(({ id }) => id))
  const seen = new Set<string>()
  const names = candidatesOf(choose).flatMap(({ inside, provider }) => {
    const twice = seen.has(provider)
    seen.add(provider)
    if (twice) return [problemIn(config, [...path, ...inside], `provider ${shown(provider)} is named twice`)]
    return ids.has(provider)
      ? []
      : [
          problemIn(
            config,
            [...path, ...inside],
            `provider ${shown(provider)} is not configured${suggestion(provider, ids)}`
          )
        ]
  })
  if ("best" in choose) return [...names, problemIn(config, [...path, "best"], "`best` is not supported yet")]
  return "split" in choose ? [...names, ...splitProblems(config, path, choose.split)] : names
}

/** A little less or more than 100 is how 33.3 + 33.3 + 33.4 adds up in binary. */
const splitProblems = (
  config: unknown,
  path: Path,
  split: { readonly [provider: string]: number }
): ReadonlyArray<RoutingProblem> => {
  const sum = Object.values(split).reduce((total, weight) => total + weight, 0)
  return Math.abs(sum - 100) < 1e-6
    ? []
    : [problemAt(config, [...path, "split"], `must add up to 100, not ${Math.round(sum * 1000) / 1000}`)]
}

/** A rule that names its methods and currencies names only providers that take one of them. */
const unableProblems = (
  config: unknown,
  path: Path,
  when: When,
  choose: Choose,
  providers: ReadonlyArray<RoutableProvider>
): ReadonlyArray<RoutingProblem> => {
  const wanted = valuesOf(when, "payment_method")
  const methods = rails.filter((rail) => wanted === null || wanted.includes(rail))
  const currencies: ReadonlyArray<unknown> | null = valuesOf(when, "currency")
  return candidatesOf(choose).flatMap(({ inside, provider }) => {
    const declared = providers.find(({ id }) => id === provider)
    if (declared === undefined) return []
    const taken = methods.flatMap((rail) => declared.capabilities.methods[rail] ?? [])
    const refuse = (what: string) => [
      problemIn(config, [...path, ...inside], `provider ${shown(provider)} does not take ${what}`)
    ]
    if (taken.length === 0) return refuse(methods.join(" or "))
    const takesOne = taken.some(
      (method) =>
        currencies === null || method.currencies === "any" || method.currencies.some((c) => currencies.includes(c))
    )
    return takesOne || currencies === null ? [] : refuse(currencies.join(" or "))
  })
}

interface Named {
  readonly provider: string
  readonly inside: Path
}

const candidatesOf = (choose: Choose): ReadonlyArray<Named> => {
  if ("priority" in choose) return listed("priority", choose.priority)
  if ("best" in choose) return listed("among", choose.among)
  return Object.keys(choose.split).map((provider) => ({ provider, inside: ["split", provider] }))
}

const listed = (key: string, providers: ReadonlyArray<string>): ReadonlyArray<Named> =>
  providers.map((provider, index) => ({ provider, inside: [key, index] }))

const nameProblems = (config: unknown): ReadonlyArray<RoutingProblem> => {
  const seen = new Set<unknown>()
  return rulesOf(config).flatMap((rule, index) => {
    const path = ["rules", index, "name"]
    const name = valueAt(rule, ["name"])
    if (typeof name !== "string") return []
    if (name === "default") return [problemAt(config, path, "is kept for the rule that holds where no other does")]
    if (seen.has(name)) return [problemAt(config, path, "is that of an earlier rule")]
    seen.add(name)
    return []
  })
}
