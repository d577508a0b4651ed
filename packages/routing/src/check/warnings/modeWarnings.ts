/**
 * Warns about test providers in rules for live payments, and vice versa. Both may be intended if servers of both modes
 * share one rules file.
 */
import type { Rail } from "@paymux/core"
import type { RoutableProvider } from "@paymux/core/routing"
import type { Choose } from "../../language/Choose.ts"
import { candidatesOf, named, providerProblem } from "../chooseProblems.ts"
import type { Admits } from "../Reach.ts"
import type { Path, RoutingProblem } from "../RoutingInvalid.ts"

export const modeWarnings = (
  written: unknown,
  path: Path,
  choose: Choose,
  methods: ReadonlyArray<Rail>,
  admits: Admits,
  providers: ReadonlyArray<RoutableProvider>
): ReadonlyArray<RoutingProblem> => {
  const matches = (livemode: boolean) => {
    const test = { op: "in", values: new Set([livemode]) } as const
    return methods.some((rail) => admits(rail, [{ _tag: "Fact", fact: "livemode", test, negated: false }]))
  }
  const matched = { live: matches(true), test: matches(false) }
  return candidatesOf(choose).flatMap(({ inside, provider }) => {
    const mode = providers.find(({ id }) => id === provider)?.mode
    return mode === undefined || matched[mode]
      ? []
      : [
          providerProblem(
            written,
            [...path, ...inside],
            `${named(provider)} is a ${mode} provider, and this rule matches no ${mode} payment`
          )
        ]
  })
}
