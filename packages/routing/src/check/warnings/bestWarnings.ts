/** Warns about `best` choices whose comparison cannot distinguish the providers. */
import type { Rail } from "@paymux/core"
import type { Best, Choose } from "../../language/Choose.ts"
import { NEWEST } from "../../learn/Series.ts"
import { candidatesOf, named, providerProblem } from "../chooseProblems.ts"
import type { Admits } from "../Reach.ts"
import { problemAt, valueAt } from "../RoutingInvalid.ts"
import type { Path, RoutingProblem } from "../RoutingInvalid.ts"

/**
 * Warns about `best` choices that cannot distinguish the providers. `methods` are the methods of the payments that the
 * rule gets.
 */
export const bestWarnings = (
  written: unknown,
  path: Path,
  choose: Choose,
  methods: ReadonlyArray<Rail>,
  admits: Admits
): ReadonlyArray<RoutingProblem> => {
  if (!("best" in choose)) return []
  if (choose.among.length === 1) {
    return [problemAt(written, [...path, "among"], "has one provider, so nothing is compared: use `priority`")]
  }
  const costs = choose.best === "success_rate" ? [] : costWarnings(written, path, choose, methods, admits)
  return [...costs, ...learningWarnings(written, path, choose)]
}

const learningWarnings = (
  written: unknown,
  path: Path,
  { explore, margin, min_samples: samples = 0 }: Best
): ReadonlyArray<RoutingProblem> => [
  ...(margin === 0
    ? [
        problemAt(
          written,
          [...path, "margin"],
          "is 0%: no fee leaves anything, so success rates decide, as in `best: success_rate`"
        )
      ]
    : []),
  ...(explore === 1 ? [problemAt(written, [...path, "explore"], "is 100%: the best provider is never first")] : []),
  ...(samples >= NEWEST
    ? [
        problemAt(
          written,
          [...path, "min_samples"],
          `is as many as count at most (${NEWEST}): no provider's own record outweighs what is expected of it`
        )
      ]
    : [])
]

const costWarnings = (
  written: unknown,
  path: Path,
  choose: Choose,
  methods: ReadonlyArray<Rail>,
  admits: Admits
): ReadonlyArray<RoutingProblem> => {
  const unknown = candidatesOf(choose).flatMap((candidate) => {
    const found = feesOf(written, candidate.provider, methods, admits)
    return found === "known" ? [] : [{ ...candidate, currencies: found }]
  })
  const all = candidatesOf(choose).length
  if (unknown.length === all) {
    const currencies = [...new Set(unknown.flatMap((each) => each.currencies))]
    const what = `\`fees\` for ${methods.join(" or ")}${currencies.length === 0 ? "" : " in a currency of its payments"}`
    const only = currencies.length === 0 ? "" : ` (only in ${currencies.join(", ")})`
    return [
      problemAt(
        written,
        [...path, "best"],
        `has no cost to compare: no provider has ${what}${only}, so the listed order applies`
      )
    ]
  }
  return unknown.map(({ currencies, inside, provider }) => {
    const what =
      currencies.length === 0 ? `no fees for ${methods.join(" or ")}` : `fees in ${currencies.join(", ")} only`
    return providerProblem(
      written,
      [...path, ...inside],
      `${named(provider)} has ${what}: its cost is unknown, so it comes after every known cost, even 90 %`
    )
  })
}

/**
 * Returns `known` if the provider's fee is known for some payment that the rule gets; otherwise the currencies in which
 * it has fees.
 */
const feesOf = (
  written: unknown,
  provider: string,
  methods: ReadonlyArray<Rail>,
  admits: Admits
): "known" | ReadonlyArray<string> => {
  const currencies: Array<string> = []
  for (const rail of methods) {
    const fee = valueAt(written, ["fees", provider, rail])
    if (typeof fee !== "object" || fee === null) continue
    // Only fixed amounts depend on the currency. So a fee with other parts than `percent` and `fixed` is treated as
    // known in every currency.
    if (Object.keys(fee).some((key) => key !== "percent" && key !== "fixed")) return "known"
    const fixed = valueAt(fee, ["fixed"])
    if (typeof fixed !== "object" || fixed === null) return "known"
    const own = Object.keys(fixed)
    const test = { op: "in", values: new Set(own) } as const
    if (admits(rail, [{ _tag: "Fact", fact: "currency", test, negated: false }])) return "known"
    currencies.push(...own)
  }
  return currencies
}
