/** Says why a payment goes where it goes: every rule that was looked at, condition by condition, and the plan. */
import type { NewPayment } from "../domain/Payment.ts"
import type { CompiledRouting, CompiledRule } from "./CompiledRouting.ts"
import { predicateOf } from "./match/Condition.ts"
import type { Condition } from "./match/Condition.ts"
import { reader } from "./Facts.ts"
import type { Facts, FactValue } from "./Facts.ts"
import type { FactTest } from "./match/FactTest.ts"
import type { Health } from "./Health.ts"
import type { NoRoute, Plan } from "./Plan.ts"
import { plan } from "./Router.ts"
import { minuteOfDay, textOfMinute } from "./match/TimeOfDay.ts"

export interface Explanation {
  readonly ruleset: string
  /** From the first to the one that decided; that is `default` where none matches. */
  readonly rules: ReadonlyArray<ExplainedRule>
  readonly answer: Plan | NoRoute
}

export interface ExplainedRule {
  readonly name: string
  readonly matches: boolean
  readonly conditions: ReadonlyArray<ExplainedCondition>
}

export interface ExplainedCondition {
  /** What is asked, such as `amount gte 500000`; `all`, `any` or `not` of the conditions in `of`. */
  readonly asked: string
  readonly holds: boolean
  /** What the payment has; `null`: nothing. */
  readonly actual: FactValue
  readonly of: ReadonlyArray<ExplainedCondition>
}

/** Slower than `plan`, whose decision it tells: for people who ask, not for every payment. */
export const explain = (routing: CompiledRouting, payment: NewPayment, facts: Facts, health: Health): Explanation => {
  const { fallback, firstMatch, rules, ruleset } = routing
  const matching = firstMatch(facts, 0)
  const looked: ReadonlyArray<CompiledRule> = matching < 0 ? [...rules, fallback] : rules.slice(0, matching + 1)
  return {
    ruleset,
    rules: looked.map(({ condition, name }) => ({
      name,
      matches: predicateOf(condition)(facts),
      conditions: membersOf(condition).map((member) => explained(member, facts))
    })),
    answer: plan(routing, payment, facts, health)
  }
}

const explained = (condition: Condition, facts: Facts): ExplainedCondition => ({
  asked: asked(condition),
  holds: predicateOf(condition)(facts),
  actual: actual(condition, facts),
  of: isPlain(condition) ? [] : membersOf(condition).map((member) => explained(alone(member), facts))
})

/** A mapping with one condition in it, as branches of `any` mostly are, is that condition. */
const alone = (condition: Condition): Condition => {
  const [only, ...others] = condition._tag === "All" ? condition.of : []
  return only !== undefined && others.length === 0 ? only : condition
}

const asked = (condition: Condition): string => {
  switch (condition._tag) {
    case "Fact":
      return `${condition.fact} ${testText(condition.test, String(condition.path.at(-1)))}`
    case "Time": {
      const { from, to, zone } = condition.window
      return `time between ${textOfMinute(from)} and ${textOfMinute(to)} ${zone}`
    }
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

/** In the words of the rule: `operator` is the key it stands under. */
const testText = (test: FactTest, operator: string): string => {
  switch (test.op) {
    case "in":
      return [...test.values].join(" or ")
    case "range":
      return operator === "between" ? `between ${test.from} and ${test.to}` : `${operator} ${limit(operator, test)}`
    case "starts_with":
      return `${operator} ${test.prefixes.join(" or ")}`
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
    case "Time": {
      const { zone } = condition.window
      return `${textOfMinute(minuteOfDay(zone)(facts.time))} ${zone}`
    }
    case "Not":
      return condition.of._tag === "Fact" ? reader(condition.of.fact)(facts) : null
    case "All":
    case "Any":
      return null
    default:
      return condition satisfies never
  }
}

/** `exists: false` reads as one condition. */
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
