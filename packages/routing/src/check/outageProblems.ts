/** Reports problems with `exclude` and `outages`: unknown or duplicate providers, and reversed or overlapping times. */
import { rails } from "@paymux/core"
import type { Rail } from "@paymux/core"
import type { RoutableProvider } from "@paymux/core/routing"
import { Result, Schema } from "effect"
import { Outage } from "../language/Outage.ts"
import { named, takesMethod, unknownSentence } from "./chooseProblems.ts"
import { problemAt, problemIn, valueAt } from "./RoutingInvalid.ts"
import type { RoutingProblem } from "./RoutingInvalid.ts"

type Providers = ReadonlyArray<RoutableProvider>

export const withheldProblems = (config: unknown, providers: Providers): ReadonlyArray<RoutingProblem> => [
  ...excludeProblems(config, providers),
  ...outageProblems(config, providers)
]

const excludeProblems = (config: unknown, providers: Providers): ReadonlyArray<RoutingProblem> => {
  const seen = new Set<unknown>()
  return listAt(config, "exclude").flatMap((provider, index) => {
    if (typeof provider !== "string") return []
    const sentence = seen.has(provider) ? `${named(provider)} is named twice` : unknownSentence(provider, providers)
    seen.add(provider)
    return sentence === null ? [] : [problemIn(config, ["exclude", index], sentence)]
  })
}

interface ReadOutage extends Outage {
  readonly index: number
}

const outageProblems = (config: unknown, providers: Providers): ReadonlyArray<RoutingProblem> => {
  const outages = listAt(config, "outages").flatMap((written, index): ReadonlyArray<ReadOutage> => {
    const read = decodeOutage(written)
    return Result.isSuccess(read) ? [{ ...read.success, index }] : []
  })
  return [
    ...outages.flatMap((outage) => ownProblems(config, outage, providers)),
    ...[...Map.groupBy(outages.filter(hasTime), ({ provider }) => provider).values()].flatMap((own) =>
      overlapProblems(config, own)
    )
  ]
}

const decodeOutage = Schema.decodeUnknownResult(Outage, { onExcessProperty: "error" })

const ownProblems = (
  config: unknown,
  { from, index, methods = [], provider, to }: ReadOutage,
  providers: Providers
): ReadonlyArray<RoutingProblem> => {
  const path = ["outages", index]
  const unknown = unknownSentence(provider, providers)
  const declared = providers.find(({ id }) => id === provider)
  return [
    ...(unknown === null ? [] : [problemIn(config, [...path, "provider"], unknown)]),
    ...(to === undefined || to > from ? [] : [problemAt(config, [...path, "to"], "must be later than `from`")]),
    ...methods.flatMap((method, place) =>
      takesMethod(declared, method)
        ? []
        : [problemIn(config, [...path, "methods", place], `${named(provider)} does not take ${method}`)]
    )
  ]
}

/** Reports overlapping outages of a provider and method, since the note to use for a payment would be ambiguous. */
const overlapProblems = (config: unknown, outages: ReadonlyArray<ReadOutage>): ReadonlyArray<RoutingProblem> => {
  /** By payment method: the outage that ends last, of those that have begun. */
  const latest = new Map<Rail, ReadOutage>()
  return outages
    .toSorted((a, b) => a.from - b.from)
    .flatMap((outage) => {
      const methods = outage.methods ?? rails
      const other = methods.flatMap((method) => latest.get(method) ?? []).find((before) => endOf(before) > outage.from)
      for (const method of methods) {
        const before = latest.get(method)
        if (before === undefined || endOf(before) < endOf(outage)) latest.set(method, outage)
      }
      if (other === undefined) return []
      const [first, second] = [other.index, outage.index].toSorted((a, b) => a - b)
      return [
        problemAt(config, ["outages", second ?? 0], `overlaps \`outages[${first}]\`, of the same provider and method`)
      ]
    })
}

const hasTime = (outage: Outage): boolean => outage.from < endOf(outage)

const endOf = ({ to = Number.POSITIVE_INFINITY }: Outage): number => to

const listAt = (config: unknown, key: string): ReadonlyArray<unknown> => {
  const written = valueAt(config, [key])
  return Array.isArray(written) ? written : []
}
