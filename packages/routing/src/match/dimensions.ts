/**
 * Divides the values of one fact into classes, see `RuleIndex`. Each class has the set of index rows (alternatives of
 * rules) that its values do not exclude.
 *
 * The row set of a class is derived from that of another class. Only those rows are evaluated that mention a value by
 * which the two classes differ.
 */
import { changed, everyBit } from "./BitSet.ts"
import type { BitSet } from "./BitSet.ts"
import type { FactLiteral } from "./Clause.ts"
import { reader } from "../Facts.ts"
import type { Facts, FactValue } from "../Facts.ts"
import { passes } from "./FactTest.ts"
import type { FactTest } from "./FactTest.ts"
import type { Steps } from "../Steps.ts"

/** Finds the class of a payment's value, and returns the set of index rows that this value does not exclude. */
export type ClassOf = (facts: Facts) => BitSet

/** The tests of one index row in one dimension; all of them must hold. */
export interface RowLiterals {
  readonly row: number
  readonly literals: ReadonlyArray<FactLiteral>
}

type Kind = "value" | "range" | "prefix" | "suffix"

/**
 * The name of a dimension. A dimension has all tests of one fact that use the same kind of index, for example all tests of
 * the currency for equality.
 */
export const dimensionOf = ({ fact, test }: FactLiteral): string => `${kindOf(test)} ${fact}`

const kindOf = ({ op }: FactTest): Kind => {
  switch (op) {
    case "in":
    case "exists":
      return "value"
    case "range":
      return "range"
    case "starts_with":
      return "prefix"
    case "ends_with":
      return "suffix"
    default:
      return op satisfies never
  }
}

/** Builds the lookup of a dimension from the tests of its rows, in short steps of one row or one class. */
export function* dimension(asking: ReadonlyArray<RowLiterals>, rows: number): Steps<ClassOf> {
  const [first] = asking
  const [literal] = first?.literals ?? []
  if (literal === undefined) return () => everyBit(rows)
  const read = reader(literal.fact)
  const classes = classesFor(asking, rows)
  switch (kindOf(literal.test)) {
    case "value":
      return yield* byValue(classes, read)
    case "range":
      return yield* byRange(classes, read)
    case "prefix":
      return yield* byAffix(classes, read, (value, length) => value.slice(0, length))
    case "suffix":
      return yield* byAffix(classes, read, (value, length) => value.slice(-length))
  }
}

type Read = (facts: Facts) => FactValue

interface Classes {
  /** Collects the values that `mentions` returns for tests, with the rows that mention each value. */
  readonly rowsOf: (mentions: (test: FactTest) => Iterable<FactValue>) => Steps<Map<FactValue, Array<RowLiterals>>>
  /**
   * Builds the row set for the class of `value`. It starts with the set `base` and evaluates only the given rows, since
   * no other row differs.
   */
  readonly from: (base: BitSet, value: FactValue, rows: ReadonlyArray<RowLiterals>) => BitSet
  /** Builds the class of a value by evaluating all rows. */
  readonly of: (value: FactValue) => Steps<BitSet>
}

const classesFor = (asking: ReadonlyArray<RowLiterals>, length: number): Classes => {
  const every = everyBit(length)
  return {
    rowsOf: function* (mentions): Steps<Map<FactValue, Array<RowLiterals>>> {
      const found = new Map<FactValue, Array<RowLiterals>>()
      for (const row of asking) {
        for (const value of new Set(row.literals.flatMap(({ test }) => [...mentions(test)]))) {
          const rows = found.get(value)
          if (rows === undefined) found.set(value, [row])
          else rows.push(row)
        }
        yield
      }
      return found
    },
    from: (base, value, rows) =>
      changed(
        base,
        length,
        rows.map((row) => changeOf(row, value))
      ),
    of: function* (value): Steps<BitSet> {
      const changes: Array<Change> = []
      for (const row of asking) {
        changes.push(changeOf(row, value))
        yield
      }
      return changed(every, length, changes)
    }
  }
}

type Change = readonly [row: number, isIn: boolean]

const changeOf = ({ literals, row }: RowLiterals, value: FactValue): Change => [
  row,
  literals.every(({ negated, test }) => passes(test, value) !== negated)
]

function* byValue(classes: Classes, read: Read): Steps<ClassOf> {
  const mentioned = yield* classes.rowsOf((test) => (test.op === "in" ? test.values : []))
  const absent = yield* classes.of(null)
  const other = yield* classes.of(unmentioned(mentioned))
  const sets = new Map<FactValue, BitSet>()
  for (const [value, rows] of mentioned) {
    sets.set(value, classes.from(other, value, rows))
    yield
  }
  return (facts) => {
    const value = read(facts)
    return value === null ? absent : (sets.get(value) ?? other)
  }
}

/** Creates a value that no rule mentions. Its class is the class of all values that no rule mentions. */
const unmentioned = (mentioned: ReadonlyMap<FactValue, unknown>): string => {
  let value = "?"
  while (mentioned.has(value)) value += "?"
  return value
}

function* byRange(classes: Classes, read: Read): Steps<ClassOf> {
  const mentioned = yield* classes.rowsOf((test) => (test.op === "range" ? [test.from, test.to + 1] : []))
  const begins = Float64Array.from([...mentioned.keys()].filter((value) => typeof value === "number")).sort()
  const absent = yield* classes.of(null)
  const sets = [yield* classes.of(-1)]
  for (const begin of begins) {
    sets.push(classes.from(sets.at(-1) ?? absent, begin, mentioned.get(begin) ?? []))
    yield
  }
  return (facts) => {
    const value = read(facts)
    return typeof value === "number" ? (sets[countUpTo(begins, value)] ?? absent) : absent
  }
}

/** Counts the sorted numbers that are at most `value`. */
const countUpTo = (sorted: Float64Array, value: number): number => {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Builds a lookup by affix (prefix or suffix). A value belongs to the class of its longest affix that a rule mentions,
 * since its shorter affixes are also affixes of that one.
 */
function* byAffix(classes: Classes, read: Read, cut: (value: string, length: number) => string): Steps<ClassOf> {
  const mentioned = new Map<string, ReadonlyArray<RowLiterals>>()
  for (const [value, rows] of yield* classes.rowsOf(affixes)) if (typeof value === "string") mentioned.set(value, rows)
  const lengths = [...new Set([...mentioned.keys()].map(({ length }) => length))].sort((a, b) => a - b)
  const absent = yield* classes.of(null)
  const none = yield* classes.of("")
  const sets = new Map<string, BitSet>()
  const longest = (value: string, shorterThan: number): BitSet => {
    for (let i = lengths.length - 1; i >= 0; i--) {
      const length = lengths[i] ?? 0
      if (length > value.length || length >= shorterThan) continue
      const set = sets.get(cut(value, length))
      if (set !== undefined) return set
    }
    return none
  }
  for (const affix of [...mentioned.keys()].sort((a, b) => a.length - b.length)) {
    sets.set(affix, classes.from(longest(affix, affix.length), affix, mentioned.get(affix) ?? []))
    yield
  }
  return (facts) => {
    const value = read(facts)
    return typeof value === "string" ? longest(value, Number.POSITIVE_INFINITY) : absent
  }
}

const affixes = (test: FactTest): Iterable<string> => {
  switch (test.op) {
    case "starts_with":
      return test.prefixes.texts
    case "ends_with":
      return [test.suffix]
    case "in":
    case "range":
    case "exists":
      return []
    default:
      return test satisfies never
  }
}
