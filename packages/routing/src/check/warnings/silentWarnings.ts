/**
 * Warns about parts of rules without a visible effect, which are probably mistakes: disabled failover, rules that
 * choose like the default, past outages.
 */
import { Currency } from "@paymux/core"
import type { Rail } from "@paymux/core"
import type { RoutableProvider } from "@paymux/core/routing"
import { DateTime } from "effect"
import type { Choose } from "../../language/Choose.ts"
import type { RoutingConfig, Rule } from "../../RoutingConfig.ts"
import { candidatesOf, named, providerProblem } from "../chooseProblems.ts"
import type { Admits } from "../Reach.ts"
import { problemAt, problemIn } from "../RoutingInvalid.ts"
import type { Path, RoutingProblem } from "../RoutingInvalid.ts"

/** Warns about `on: []`, which disables failover, although it may look like the default. */
export const emptyFailoverWarnings = (
  written: unknown,
  { failover, rules = [] }: RoutingConfig
): ReadonlyArray<RoutingProblem> =>
  [
    { path: [], failover },
    ...rules.map((rule, index) => ({ path: ["rules", index], failover: rule.failover }))
  ].flatMap(({ failover: own, path }) =>
    own?.on?.length === 0
      ? [problemAt(written, [...path, "failover", "on"], "is empty: no other provider is ever tried")]
      : []
  )

/**
 * Warns about the last rules in the list if they choose like `default`. An earlier one may be needed as an exception to
 * the rules after it.
 */
export const sameAsDefaultWarnings = (
  written: unknown,
  { default: fallback, rules = [] }: RoutingConfig
): ReadonlyArray<RoutingProblem> => {
  const same = JSON.stringify(fallback)
  const others = rules.findLastIndex(
    ({ choose, failover }) => failover !== undefined || "split" in choose || JSON.stringify(choose) !== same
  )
  return rules
    .slice(others + 1)
    .map((_, index) =>
      problemIn(written, ["rules", others + 1 + index, "choose"], "it chooses as `default` does, so it changes nothing")
    )
}

export const pastOutageWarnings = (
  written: unknown,
  { outages = [] }: RoutingConfig,
  now: number
): ReadonlyArray<RoutingProblem> =>
  outages.flatMap(({ to }, index) =>
    to === undefined || to > now ? [] : [problemAt(written, ["outages", index], `ended at ${textOf(to)}: remove it`)]
  )

const textOf = (time: number): string => DateTime.formatIso(DateTime.makeUnsafe(time)).replace(".000Z", "Z")

/** Warns about rules with `failover` but only one provider. One provider without `failover` is probably intended. */
export const aloneWarnings = (
  written: unknown,
  rule: Path,
  { choose, failover }: Pick<Rule, "choose" | "failover">,
  able: () => ReadonlyArray<string>
): ReadonlyArray<RoutingProblem> => {
  const [only, second] = candidatesOf(choose)
  if (failover === undefined || failover.max_attempts === 1 || second !== undefined) return []
  const others = able().filter((id) => id !== only?.provider)
  if (others.length === 0) return []
  const path = [...rule, "failover"]
  return [
    problemAt(
      written,
      path,
      `has no effect: the rule names one provider, and ${others.join(", ")} would take its payments`
    )
  ]
}

/**
 * Warns about a provider of a split that supports less than half of the currencies in the rule's payments. Most of the
 * share of such a provider goes to the other providers of the split.
 */
export const splitWarnings = (
  written: unknown,
  path: Path,
  choose: Choose,
  methods: ReadonlyArray<Rail>,
  admits: Admits,
  providers: ReadonlyArray<RoutableProvider>
): ReadonlyArray<RoutingProblem> => {
  if (!("split" in choose)) return []
  const partners = candidatesOf(choose).flatMap(({ inside, provider }) => {
    const declared = providers.find(({ id }) => id === provider)
    return declared === undefined || (choose.split[provider] ?? 0) === 0 ? [] : [{ inside, declared }]
  })
  return methods.flatMap((rail) => {
    const own = partners.flatMap(({ declared, inside }) => {
      const method = declared.capabilities.methods[rail]
      return method === undefined ? [] : [{ inside, provider: declared.id, currencies: method.currencies }]
    })
    if (own.every(({ currencies }) => currencies === own[0]?.currencies)) return []
    const taken = own.some(({ currencies }) => currencies === "any")
      ? Currency.currencyCodes
      : [...new Set(own.flatMap(({ currencies }) => currencies))]
    const asked = taken.filter((code) => admits(rail, [currencyIs(code)]))
    return own.flatMap(({ currencies, inside, provider }) => {
      const count = currencies === "any" ? asked.length : asked.filter((code) => currencies.includes(code)).length
      return count * 2 >= asked.length
        ? []
        : [
            providerProblem(
              written,
              [...path, ...inside],
              `${named(provider)} takes ${count} of the ${asked.length} currencies of these ${rail} payments: the others of the split get the rest of its share`
            )
          ]
    })
  })
}

const currencyIs = (code: string) =>
  ({ _tag: "Fact", fact: "currency", test: { op: "in", values: new Set([code]) }, negated: false }) as const
