/** Explains the routing of a payment: each evaluated rule with its conditions, and the plan. */
import { Result, Schema } from "effect"
import type { NewPayment } from "@paymux/core"
import type { RoutingResult } from "@paymux/core/routing"
import type { RoutingDecision } from "@paymux/core/store"
import type { CompiledRouting } from "./CompiledRouting.ts"
import { Calendars } from "./language/Days.ts"
import { When } from "./language/When.ts"
import { conditionOf, predicateOf } from "./match/Condition.ts"
import type { Condition } from "./match/Condition.ts"
import { reader } from "./Facts.ts"
import type { Facts, FactValue } from "./Facts.ts"
import type { FactTest } from "./match/FactTest.ts"
import type { Health } from "./Health.ts"
import { plan } from "./choose/plan.ts"
import { limitsOf, writtenLimits } from "./summary/Limits.ts"
import { summaryOf } from "./summary/summary.ts"
import { clockText, windowText } from "./match/timeText.ts"

export interface Explanation {
  readonly ruleset: string
  /** The decision in two to five sentences, with the numbers that it stores. Text for people, which may change. */
  readonly summary: string
  /** The evaluated rules, from the first to the one that decided, which is `default` if none matches. */
  readonly rules: ReadonlyArray<ExplainedRule>
  readonly answer: RoutingResult
}

export interface ExplainedRule {
  readonly name: string
  readonly matches: boolean
  readonly conditions: ReadonlyArray<ExplainedCondition>
}

export interface ExplainedCondition {
  /**
   * The condition as text, such as `amount gte 500000`; or `all`, `any` or `not` for a combination of the conditions in
   * `of`.
   */
  readonly asked: string
  readonly holds: boolean
  /** The payment's value of the fact; `null` if the fact is absent. */
  readonly actual: FactValue
  readonly of: ReadonlyArray<ExplainedCondition>
}

/**
 * Explains the decision of `plan`. It is slower than `plan`, so it is meant for an operator's requests, not for every
 * payment.
 *
 * @example
 * ```ts
 * explain(routing, payment, facts(payment, tenant, id, now), unknownHealth).summary
 * // => 'No rule matched, so the default decided. stripe is the first available provider in the list. …'
 * ```
 */
export const explain = (routing: CompiledRouting, payment: NewPayment, facts: Facts, health: Health): Explanation => {
  const { fallback, firstMatch, rules, ruleset } = routing
  const matching = firstMatch(facts, 0)
  const looked = matching < 0 ? [...rules, fallback] : rules.slice(0, matching + 1)
  const answer = plan(routing, payment, facts, health)
  const decided = rules[matching]
  const condition = decided?.condition ?? null
  const limits = limitsOf(decided ?? fallback)
  return {
    ruleset,
    summary: summaryOf({ answer, condition, passedOver: looked.length - 1, limits, facts }),
    rules: looked.map(({ condition, name }) => explainedRule(name, condition, facts)),
    answer
  }
}

/**
 * Explains a stored decision by the rules that made it. The rules are decoded and matched, but not validated: their
 * providers may have been removed since, and only an earlier release may accept them.
 *
 * Returns `null` if the conditions of the deciding rule, or of a rule before it, cannot be decoded.
 *
 * @example
 * ```ts
 * const { createdAt, id, routing } = payment
 * explainDecided(config, routing, facts(payment, tenant, id, createdAt))?.answer // => the decision in `routing`
 * ```
 */
export const explainDecided = (config: unknown, decision: RoutingDecision, facts: Facts): Explanation | null => {
  const written = Schema.decodeUnknownResult(Conditional)(config)
  if (Result.isFailure(written)) return null
  const { default: fallback, holidays = {}, rules = [] } = written.success
  const deciding = rules.findIndex(({ name }) => name === decision.rule)
  const looked: Array<{ readonly name: string; readonly condition: Condition }> = []
  for (const { name, when } of deciding < 0 ? rules : rules.slice(0, deciding + 1)) {
    const read = Schema.decodeUnknownResult(When, { onExcessProperty: "error" })(when)
    if (Result.isFailure(read)) return null
    looked.push({ name, condition: conditionOf(read.success, holidays) })
  }
  const explained = looked.map(({ condition, name }) => explainedRule(name, condition, facts))
  const answer: RoutingResult = { _tag: "Plan", decision, candidates: decision.candidates }
  const condition = deciding < 0 ? null : (looked.at(-1)?.condition ?? null)
  const passedOver = deciding < 0 ? looked.length : deciding
  const limits = writtenLimits(decision.rule === "default" ? fallback : rules[deciding]?.choose)
  return {
    ruleset: decision.ruleset,
    summary: summaryOf({ answer, condition, passedOver, limits, facts }),
    rules: deciding < 0 ? [...explained, { name: decision.rule, matches: true, conditions: [] }] : explained,
    answer
  }
}

/**
 * The Schema of a ruleset's conditions. Choices are decoded separately, so that an invalid choice does not prevent an
 * explanation.
 */
const Conditional = Schema.Struct({
  holidays: Schema.optionalKey(Calendars),
  rules: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({ name: Schema.String, when: Schema.Unknown, choose: Schema.optionalKey(Schema.Unknown) })
    )
  ),
  default: Schema.optionalKey(Schema.Unknown)
})

const explainedRule = (name: string, condition: Condition, facts: Facts): ExplainedRule => ({
  name,
  matches: predicateOf(condition)(facts),
  conditions: membersOf(condition).map((member) => explained(member, facts))
})

const explained = (condition: Condition, facts: Facts): ExplainedCondition => ({
  asked: asked(condition),
  holds: predicateOf(condition)(facts),
  actual: actual(condition, facts),
  of: isPlain(condition) ? [] : membersOf(condition).map((member) => explained(alone(member), facts))
})

/** Unwraps a mapping with a single condition; most branches of `any` have only one. */
const alone = (condition: Condition): Condition => {
  const [only, ...others] = condition._tag === "All" ? condition.of : []
  return only !== undefined && others.length === 0 ? only : condition
}

const asked = (condition: Condition): string => {
  switch (condition._tag) {
    case "Fact":
      return `${condition.fact} ${testText(condition.test, String(condition.path.at(-1)))}`
    case "Time":
      return windowText(condition.window)
    case "All":
      return "all"
    case "Any":
      return "any"
    case "Not":
      return condition.of._tag === "Fact" ? `${condition.of.fact} exists false` : "not"
    default:
      return condition satisfies never
  }
}

/** Formats a test as in the rules. `operator` is its key there. */
const testText = (test: FactTest, operator: string): string => {
  switch (test.op) {
    case "in":
      return [...test.values].join(" or ")
    case "range":
      return operator === "between" ? `between ${test.from} and ${test.to}` : `${operator} ${limit(operator, test)}`
    case "starts_with":
      return `${operator} ${[...test.prefixes.texts].join(" or ")}`
    case "ends_with":
      return `ends_with ${test.suffix}`
    case "exists":
      return "exists true"
    default:
      return test satisfies never
  }
}

const limit = (operator: string, { from, to }: Extract<FactTest, { readonly op: "range" }>): number => {
  switch (operator) {
    case "gt":
      return from - 1
    case "lt":
      return to + 1
    case "lte":
      return to
    default:
      return from
  }
}

const actual = (condition: Condition, facts: Facts): FactValue => {
  switch (condition._tag) {
    case "Fact":
      return reader(condition.fact)(facts)
    case "Time":
      return clockText(condition.window, facts.time)
    case "Not":
      return condition.of._tag === "Fact" ? reader(condition.of.fact)(facts) : null
    case "All":
    case "Any":
      return null
    default:
      return condition satisfies never
  }
}

/** Whether a negated condition is `exists: false`, which is shown as one condition. */
const isPlain = (condition: Condition): boolean => condition._tag === "Not" && condition.of._tag === "Fact"

const membersOf = (condition: Condition): ReadonlyArray<Condition> => {
  switch (condition._tag) {
    case "All":
    case "Any":
      return condition.of
    case "Not":
      return membersOf(condition.of)
    case "Fact":
    case "Time":
      return []
    default:
      return condition satisfies never
  }
}
