/**
 * Finds the first rule that matches without evaluating every rule.
 *
 * The values that rules mention divide the values of each fact into classes, so that within a class every rule has the
 * same result. A class has a bit set of the rules that its values do not exclude. A payment belongs to one class of
 * each fact. The rules that match are the intersection of the bit sets, and the first of them decides. The cost is
 * linear in the number of facts that rules use, and in the number of rules, 32 at a time.
 *
 * Source: the bit vector scheme of packet filters (Lakshman and Stiliadis, SIGCOMM 1998).
 */
import { everyBit } from "./BitSet.ts"
import { clausesOf } from "./Clause.ts"
import type { FactLiteral, Literal } from "./Clause.ts"
import { predicateOf } from "./Condition.ts"
import type { Condition, Predicate } from "./Condition.ts"
import { dimension, dimensionOf } from "./dimensions.ts"
import type { ClassOf } from "./dimensions.ts"
import type { Facts } from "../Facts.ts"
import { reader } from "../Facts.ts"
import { passes } from "./FactTest.ts"
import { isWithin } from "./TimeOfDay.ts"
import { finish } from "../Steps.ts"
import type { Steps } from "../Steps.ts"

/** Returns the index of the first rule that matches, starting at the rule `from`; -1 if none matches. */
export type FirstMatch = (facts: Facts, from: number) => number

export const firstMatch = (conditions: ReadonlyArray<Condition>): FirstMatch => finish(firstMatchSteps(conditions))

/** Builds the rule index in short steps, so that a server can answer requests in between. */
export function* firstMatchSteps(conditions: ReadonlyArray<Condition>): Steps<FirstMatch> {
  const all: Array<Alternative> = []
  for (const [rule, condition] of conditions.entries()) {
    all.push(...alternatives(condition, rule))
    yield
  }
  const made: Array<FirstMatch> = []
  for (const group of yield* groups(all)) made.push(yield* firstOf(group, conditions.length))
  return firstAmong(made)
}

const firstAmong = ([only, ...others]: ReadonlyArray<FirstMatch>): FirstMatch => {
  if (only === undefined) return () => -1
  if (others.length === 0) return only
  return (facts, from) => {
    let first = only(facts, from)
    for (const group of others) {
      const rule = group(facts, from)
      if (rule >= 0 && (first < 0 || rule < first)) first = rule
    }
    return first
  }
}

/**
 * Divides thousands of rules into groups by the facts that their conditions use. Each group gets its own index: in one
 * index of all rules, a rule would have set bits for every fact that it does not use. Each group costs look-ups, so
 * there are few groups. The last one has all other rules.
 */
function* groups(all: ReadonlyArray<Alternative>): Steps<ReadonlyArray<ReadonlyArray<Alternative>>> {
  if (all.length <= ROWS_IN_ONE) return [all]
  const byFacts = new Map<string, Array<Alternative>>()
  const groupOfRow: Array<ReadonlyArray<Alternative>> = []
  for (const alternative of all) {
    const asked = alternative.literals.flatMap((literal) => (literal._tag === "Fact" ? [dimensionOf(literal)] : []))
    const key = [...new Set(asked)].sort().join()
    const group = byFacts.get(key) ?? []
    if (group.length === 0) byFacts.set(key, group)
    group.push(alternative)
    groupOfRow.push(group)
    yield
  }
  const largest = [...byFacts.values()].sort((a, b) => b.length - a.length).slice(0, MOST_GROUPS - 1)
  if (byFacts.size === largest.length) return largest
  const apart = new Set<ReadonlyArray<Alternative> | undefined>(largest)
  return [...largest, all.filter((_, row) => !apart.has(groupOfRow[row]))]
}

const ROWS_IN_ONE = 1024
const MOST_GROUPS = 6

function* firstOf(group: ReadonlyArray<Alternative>, rules: number): Steps<FirstMatch> {
  const { dimensions, rows } = yield* indexed(group)
  const ruleOfRow = Int32Array.from(rows, ({ rule }) => rule)
  const rests = rows.map(({ rest }) => rest)
  const firstRow = firstRows(ruleOfRow, rules)
  const every = everyBit(rows.length)
  // Buffers that all look-ups of the index reuse. A look-up is synchronous, so two never use them at the same time.
  const words = dimensions.map(() => every.words)
  const offsets = dimensions.map(() => 0)
  return (facts, from) => {
    const start = firstRow[from] ?? rows.length
    let word = start >>> 5
    let end = every.words.length
    let sets = 0
    for (let i = 0; i < dimensions.length; i++) {
      const set = dimensions[i]?.(facts) ?? every
      if (set.size === rows.length) continue
      words[sets] = set.words
      offsets[sets] = set.from
      sets++
      if (set.from > word) word = set.from
      if (set.from + set.words.length < end) end = set.from + set.words.length
    }
    const first = words[0] ?? every.words
    const offset = offsets[0] ?? 0
    for (; word < end; word++) {
      let bits = (sets === 0 ? every.words[word] : first[word - offset]) ?? 0
      for (let i = 1; i < sets && bits !== 0; i++) bits &= words[i]?.[word - (offsets[i] ?? 0)] ?? 0
      if (word === start >>> 5) bits &= -1 << (start & 31)
      for (; bits !== 0; bits &= bits - 1) {
        const row = (word << 5) + 31 - Math.clz32(bits & -bits)
        const rest = rests[row]
        if (rest === undefined || rest === null || rest(facts)) return ruleOfRow[row] ?? -1
      }
    }
    return -1
  }
}

/** One alternative of a rule's condition, which becomes a row of the index. */
interface Alternative {
  readonly rule: number
  readonly literals: ReadonlyArray<Literal>
  /** The part of the condition that `literals` does not cover; `null` if `literals` covers the whole condition. */
  readonly rest: Predicate | null
}

/**
 * The maximum number of alternatives that get their own index rows. A condition with more is evaluated as a whole,
 * which costs less.
 */
const MOST_ALTERNATIVES = 16

const alternatives = (condition: Condition, rule: number): ReadonlyArray<Alternative> => {
  const clauses = clausesOf(condition, MOST_ALTERNATIVES)
  return clauses === null
    ? [{ rule, literals: [], rest: predicateOf(condition) }]
    : clauses.map((literals) => ({ rule, literals, rest: null }))
}

interface Row {
  readonly rule: number
  /** The part of the condition that the index does not cover; `null` if the index covers all of it. */
  readonly rest: Predicate | null
}

interface Index {
  readonly dimensions: ReadonlyArray<ClassOf>
  readonly rows: ReadonlyArray<Row>
}

function* indexed(all: ReadonlyArray<Alternative>): Steps<Index> {
  const byDimension = new Map<string, Array<Asking>>()
  for (const [row, { literals }] of all.entries()) {
    for (const literal of literals) if (literal._tag === "Fact") addLiteral(byDimension, row, literal)
    yield
  }
  // Builds no look-up for facts that few rules test: it would cost every payment more than it saves.
  const worth = [...byDimension].filter(([, { length }]) => length > 1 && length >= all.length / 64)
  const names = new Set(worth.map(([name]) => name))
  const dimensions: Array<ClassOf> = []
  for (const [, literals] of worth) dimensions.push(yield* dimension(literals, all.length))
  const rows: Array<Row> = []
  for (const { literals, rest, rule } of all) {
    const left = literals.filter((literal) => literal._tag === "Time" || !names.has(dimensionOf(literal)))
    const predicates = [...left.map(literalPredicate), ...(rest === null ? [] : [rest])]
    rows.push({ rule, rest: predicates.length === 0 ? null : every(predicates) })
    yield
  }
  return { dimensions, rows }
}

/** A `RowLiterals` (the tests of one row) while it is being collected. */
interface Asking {
  readonly row: number
  readonly literals: Array<FactLiteral>
}

const addLiteral = (byDimension: Map<string, Array<Asking>>, row: number, literal: FactLiteral): void => {
  const name = dimensionOf(literal)
  const rows = byDimension.get(name)
  const last = rows?.at(-1)
  if (last?.row === row) last.literals.push(literal)
  else if (rows === undefined) byDimension.set(name, [{ row, literals: [literal] }])
  else rows.push({ row, literals: [literal] })
}

const every = (predicates: ReadonlyArray<Predicate>): Predicate => {
  const [only] = predicates
  return only !== undefined && predicates.length === 1 ? only : (facts) => predicates.every((holds) => holds(facts))
}

const literalPredicate = (literal: Literal): Predicate => {
  const { negated } = literal
  if (literal._tag === "Time") {
    const within = isWithin(literal.window)
    return ({ time }) => within(time) !== negated
  }
  const { test } = literal
  const read = reader(literal.fact)
  return (facts) => passes(test, read(facts)) !== negated
}

/** The index of each rule's first row in the rule index, followed by the total number of rows. */
const firstRows = (ruleOfRow: Int32Array, rules: number): Int32Array => {
  const first = new Int32Array(rules).fill(ruleOfRow.length)
  for (let row = ruleOfRow.length - 1; row >= 0; row--) first[ruleOfRow[row] ?? 0] = row
  for (let rule = rules - 2; rule >= 0; rule--) first[rule] = Math.min(first[rule] ?? 0, first[rule + 1] ?? 0)
  return first
}
