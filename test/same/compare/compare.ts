/** The differences between two recordings. Pure. */
import { Pairs } from "./Pairs.ts"
import { isOrdered } from "./Recording.ts"
import type { Observed, Recording } from "./Recording.ts"
import { matchSets } from "./matchSets.ts"
import { partsOf } from "./partsOf.ts"

export interface Difference {
  readonly route: string
  readonly field: string
  /** `null`: it is not there. */
  readonly before: string | null
  readonly after: string | null
}

export const compare = (before: Recording, after: Recording): ReadonlyArray<Difference> => {
  const pairs = new Pairs(before.startedAt, after.startedAt)
  const differences: Array<Difference> = []
  const inOrder = after.observed.filter(isOrdered)
  const later = new Map(inOrder.map((each) => [each.name, each]))
  const earlier = before.observed.filter(isOrdered)
  for (const one of earlier) differences.push(...compareOne(pairs, one, later.get(one.name) ?? null))
  differences.push(...unmet(earlier), ...unmet(inOrder))
  const known = new Set(earlier.map(({ name }) => name))
  for (const other of inOrder) if (!known.has(other.name)) differences.push(...compareOne(pairs, null, other))
  const sets = [before, after].map(({ observed }) => observed.filter((each) => !isOrdered(each)))
  for (const [one, other] of matchSets(pairs, sets[0] ?? [], sets[1] ?? [])) {
    differences.push(...compareOne(pairs, one, other))
  }
  return differences
}

/** An event that did not come is lost, on whichever side. */
const unmet = (observed: ReadonlyArray<Observed>): ReadonlyArray<Difference> =>
  observed.flatMap(({ fields, route }) =>
    fields["came"] === "false" ? [{ route, field: "came", before: "true", after: "false" }] : []
  )

const compareOne = (pairs: Pairs, one: Observed | null, other: Observed | null): ReadonlyArray<Difference> => {
  if (one === null || other === null) return missing(pairs, one, other)
  const names = [...new Set([...Object.keys(one.fields), ...Object.keys(other.fields)])]
  return names.flatMap((name) => compareField(pairs, one.route, name, one.fields[name], other.fields[name]))
}

const missing = (pairs: Pairs, one: Observed | null, other: Observed | null): ReadonlyArray<Difference> => {
  const { fields, kind, name, route } = one ?? other ?? nothing
  const content = isOrdered({ kind, name, route, fields }) ? name : JSON.stringify(fields)
  return [
    {
      route,
      field: kind,
      before: one === null ? null : pairs.shown(0, content),
      after: other === null ? null : pairs.shown(1, content)
    }
  ]
}

const nothing: Observed = { kind: "row", name: "", route: "", fields: {} }

/** The whole first: bytes that are alike need no parts. What differs is named as closely as its form allows. */
const compareField = (
  pairs: Pairs,
  route: string,
  field: string,
  before: string | undefined,
  after: string | undefined
): ReadonlyArray<Difference> => {
  if (before === undefined || after === undefined) {
    const show = (side: 0 | 1, text: string | undefined) => (text === undefined ? null : pairs.shown(side, text))
    return [{ route, field, before: show(0, before), after: show(1, after) }]
  }
  if (pairs.same(before, after)) return []
  const [left, right] = [partsOf(before), partsOf(after)]
  const names = left === null || right === null ? [] : [...new Set([...left.keys(), ...right.keys()])]
  const found = names.flatMap((name) => {
    const [one, other] = [left?.get(name), right?.get(name)]
    if (one !== undefined && other !== undefined && pairs.same(one, other)) return []
    const show = (side: 0 | 1, text: string | undefined) => (text === undefined ? null : pairs.shown(side, text))
    return [{ route, field: `${field} ${name}`, before: show(0, one), after: show(1, other) }]
  })
  if (found.length > 0) return found
  // Same values in other bytes: the order of fields, or spaces.
  const name = names.length > 0 ? `${field} bytes` : field
  return [{ route, field: name, before: pairs.shown(0, before), after: pairs.shown(1, after) }]
}
