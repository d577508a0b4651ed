/** Warns about retired instances in rules, since they get no new payments. */
import type { RoutableProvider } from "@paymux/core/routing"
import type { Choose } from "../../language/Choose.ts"
import { candidatesOf, named, providerProblem } from "../chooseProblems.ts"
import type { Path, RoutingProblem } from "../RoutingInvalid.ts"

export const retiredWarnings = (
  written: unknown,
  path: Path,
  choose: Choose,
  providers: ReadonlyArray<RoutableProvider>
): ReadonlyArray<RoutingProblem> =>
  candidatesOf(choose).flatMap(({ inside, provider }) =>
    providers.find(({ id }) => id === provider)?.retired === true
      ? [providerProblem(written, [...path, ...inside], `${named(provider)} is retired and gets no new payments`)]
      : []
  )
