/**
 * Which row, event or line of the one side is which of the other. They have no order that could be relied on, and most have
 * ids that nothing has shown yet: those that are unique by what is known are matched first, and the ids in them distinguish others.
 */
import type { Pairs } from "./Pairs.ts"
import type { Observed } from "./Recording.ts"

type Match = readonly [before: Observed | null, after: Observed | null]

export const matchSets = (
  pairs: Pairs,
  before: ReadonlyArray<Observed>,
  after: ReadonlyArray<Observed>
): ReadonlyArray<Match> => {
  const open = [new Set(before), new Set(after)] as const
  const match = (one: Observed, other: Observed): boolean => {
    if (!pairs.same(textOf(one), textOf(other))) return false
    open[0].delete(one)
    open[1].delete(other)
    return true
  }
  const matchAny = (one: Observed, others: ReadonlyArray<Observed>): boolean =>
    others.some((other) => open[1].has(other) && match(one, other))
  for (;;) {
    const alike = byForm(pairs, open)
    let found = 0
    for (const { form, ones, others } of alike) {
      const isCertain = (ones.length === 1 && others.length === 1) || !form.includes(unknown)
      if (isCertain) found += ones.filter((one) => matchAny(one, others)).length
    }
    if (found > 0) continue
    // Alike in all that is known: which is which makes no difference, but from then on it has to stay so.
    if (!alike.some(({ ones, others }) => ones.some((one) => matchAny(one, others)))) break
  }
  return leftOver(pairs, [...open[0]], [...open[1]])
}

/** How an id is shown that has no partner yet. */
const unknown = " ?>"

const byForm = (pairs: Pairs, [before, after]: readonly [Iterable<Observed>, Iterable<Observed>]) => {
  const ones = Map.groupBy(before, (each) => pairs.shown(0, textOf(each), "hidden"))
  const others = Map.groupBy(after, (each) => pairs.shown(1, textOf(each), "hidden"))
  return [...ones].map(([form, each]) => ({ form, ones: each, others: others.get(form) ?? [] }))
}

/** What differs, with what is most like it under the same route. */
const leftOver = (
  pairs: Pairs,
  before: ReadonlyArray<Observed>,
  after: ReadonlyArray<Observed>
): ReadonlyArray<Match> => {
  const rest = new Set(after)
  const likeness = (one: Observed, other: Observed): number =>
    Object.entries(one.fields).filter(
      ([name, text]) => pairs.shown(0, text, "hidden") === pairs.shown(1, other.fields[name] ?? "", "hidden")
    ).length
  const matches = before.map((one): Match => {
    const closest = [...rest]
      .filter(({ kind, route }) => kind === one.kind && route === one.route)
      .toSorted((left, right) => likeness(one, right) - likeness(one, left))[0]
    if (closest === undefined) return [one, null]
    rest.delete(closest)
    return [one, closest]
  })
  return [...matches, ...[...rest].map((other): Match => [null, other])]
}

const textOf = ({ fields, kind, route }: Observed): string => JSON.stringify([kind, route, fields])
