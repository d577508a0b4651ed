/**
 * Conditions in disjunctive normal form: alternatives, each a list of tests that must all hold. In this form they can
 * be indexed, and compared with those of another rule.
 */
import type { FactName } from "../Facts.ts"
import type { FactTest } from "./FactTest.ts"
import type { Condition } from "./Condition.ts"
import type { TimeWindow } from "./TimeOfDay.ts"

/** A test of a fact, or its negation. A negated test holds if the test fails, also because the fact is absent. */
export interface FactLiteral {
  readonly _tag: "Fact"
  readonly fact: FactName
  readonly test: FactTest
  readonly negated: boolean
}

export interface TimeLiteral {
  readonly _tag: "Time"
  readonly window: TimeWindow
  readonly negated: boolean
}

export type Literal = FactLiteral | TimeLiteral
export type Clause = ReadonlyArray<Literal>

/** The maximum number of tests in all alternatives together: more than in any rule that a person could read. */
const MOST_LITERALS = 10_000

/**
 * The alternatives of a condition; `null` if there are more than `limit`, or too many tests, since nested alternatives
 * multiply.
 */
export const clausesOf = (condition: Condition, limit: number): ReadonlyArray<Clause> | null =>
  expand(condition, false, limit)

/** Negates a literal: the result holds exactly if `literal` does not. */
export const negationOf = (literal: Literal): Literal => ({ ...literal, negated: !literal.negated })

const expand = (condition: Condition, negated: boolean, limit: number): ReadonlyArray<Clause> | null => {
  switch (condition._tag) {
    case "Fact":
      return [[{ _tag: "Fact", fact: condition.fact, test: condition.test, negated }]]
    case "Time":
      return [[{ _tag: "Time", window: condition.window, negated }]]
    case "Not":
      return expand(condition.of, !negated, limit)
    case "All":
      return negated ? either(condition.of, negated, limit) : both(condition.of, negated, limit)
    case "Any":
      return negated ? both(condition.of, negated, limit) : either(condition.of, negated, limit)
    default:
      return condition satisfies never
  }
}

const either = (of: ReadonlyArray<Condition>, negated: boolean, limit: number): ReadonlyArray<Clause> | null => {
  const alternatives: Array<Clause> = []
  for (const condition of of) {
    const clauses = expand(condition, negated, limit)
    if (clauses === null || alternatives.length + clauses.length > limit) return null
    alternatives.push(...clauses)
  }
  return alternatives
}

const both = (of: ReadonlyArray<Condition>, negated: boolean, limit: number): ReadonlyArray<Clause> | null => {
  let alternatives: Array<Array<Literal>> = [[]]
  for (const condition of of) {
    const clauses = expand(condition, negated, limit)
    if (clauses === null || alternatives.length * clauses.length > limit) return null
    const [only] = clauses
    // With a single alternative (the usual case), adds the tests to it in place, so that a long list of conditions is
    // not copied for each one.
    if (only === undefined || clauses.length > 1) {
      alternatives = alternatives.flatMap((left) => clauses.map((right) => [...left, ...right]))
    } else for (const left of alternatives) for (const literal of only) left.push(literal)
    if (alternatives.length * (alternatives[0]?.length ?? 0) > MOST_LITERALS) return null
  }
  return alternatives
}
