/** Finds conditions on one fact that contradict each other, such as `{ gte: 500, lte: 100 }`. */
import { rails } from "@paymux/core"
import type { FactName } from "../Facts.ts"
import type { Condition } from "../match/Condition.ts"
import type { FactLiteral } from "../match/Clause.ts"
import type { Path } from "./RoutingInvalid.ts"
import { satisfy } from "./satisfy.ts"

export interface Contradiction {
  /** The location of the contradiction in the rule: the keys from `when` on, as in the path of a `Condition`. */
  readonly path: Path
  /** The description of the contradiction. It continues a sentence that begins with the location. */
  readonly predicate: string
  /**
   * Whether the contradiction is inside of `not`. Then the condition under `not` never holds, and its negation always
   * holds.
   */
  readonly isNegated: boolean
}

export const contradictions = (condition: Condition, isNegated = false): ReadonlyArray<Contradiction> => {
  switch (condition._tag) {
    case "Fact":
    case "Time":
      return []
    case "Any":
      return condition.of.flatMap((each) => contradictions(each, isNegated))
    case "Not":
      return contradictions(condition.of, !isNegated)
    case "All": {
      const inside = condition.of.flatMap((each) => (isAsked(each) ? [] : contradictions(each, isNegated)))
      return [...askedByFact(condition.of).flatMap((asked) => contradiction(asked, isNegated)), ...inside]
    }
    default:
      return condition satisfies never
  }
}

/** The tests of one fact in one mapping of conditions. */
interface Asked {
  readonly path: Path
  readonly fact: FactName
  readonly literals: ReadonlyArray<FactLiteral>
  /** The operator of each test; `null` for a plain value or list of values. */
  readonly operators: ReadonlyArray<string | null>
}

/** Whether the condition is a test of a fact, or `exists: false`, which is a negated test. */
const isAsked = (condition: Condition): boolean =>
  condition._tag === "Fact" || (condition._tag === "Not" && condition.of._tag === "Fact")

const askedByFact = (conditions: ReadonlyArray<Condition>): ReadonlyArray<Asked> => {
  const byFact = new Map<FactName, Asked>()
  for (const condition of conditions) {
    const negated = condition._tag === "Not"
    const test = negated ? condition.of : condition
    if (test._tag !== "Fact") continue
    const last = test.path.at(-1)
    const operator = typeof last === "string" && last !== test.fact ? last : null
    const { literals = [], operators = [] } = byFact.get(test.fact) ?? {}
    byFact.set(test.fact, {
      path: operator === null ? test.path : test.path.slice(0, -1),
      fact: test.fact,
      literals: [...literals, { _tag: "Fact", fact: test.fact, test: test.test, negated }],
      operators: [...operators, operator]
    })
  }
  return [...byFact.values()]
}

const contradiction = (asked: Asked, isNegated: boolean): ReadonlyArray<Contradiction> => {
  const { fact, literals, operators, path } = asked
  const isImpossible = (some: ReadonlyArray<FactLiteral>) =>
    rails.every((rail) => satisfy(fact, rail, some, "low")._tag === "Impossible")
  if (!isImpossible(literals)) return []
  const alone = literals.findIndex((literal) => isImpossible([literal]))
  const reason = alone < 0 ? together(asked, isImpossible) : whyAlone(operators[alone] ?? null)
  const place = operators[alone] ?? null
  return [{ path: place === null ? path : [...path, place], predicate: `can never hold: ${reason}`, isNegated }]
}

const whyAlone = (operator: string | null): string => {
  if (operator === "between") return "its first amount is above its second"
  return operator === "exists" ? "every payment has it" : "no payment has such a value"
}

/** The first two tests that exclude each other, or all tests if only their combination is impossible. */
const together = (
  { literals, operators }: Asked,
  isImpossible: (some: ReadonlyArray<FactLiteral>) => boolean
): string => {
  for (const [first, one] of literals.entries()) {
    const second = literals.findIndex((other, index) => index > first && isImpossible([one, other]))
    if (second > first) return `\`${operators[first] ?? ""}\` and \`${operators[second] ?? ""}\` exclude each other`
  }
  return "its operators exclude each other"
}
