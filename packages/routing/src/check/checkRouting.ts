/**
 * Validates a routing configuration and reports all problems: wrong types, unknown names, wrong sums, and unreachable
 * rules.
 */
import { Result, Schema } from "effect"
import type { RoutableProvider } from "@paymux/core/routing"
import { Calendars } from "../language/Days.ts"
import { Choose } from "../language/Choose.ts"
import { chooseProblems, feeProblems } from "./chooseProblems.ts"
import { contradictions } from "./contradictions.ts"
import { conditionOf } from "../match/Condition.ts"
import type { Condition } from "../match/Condition.ts"
import { experimentProblems } from "./experimentProblems.ts"
import { failoverProblems } from "./failoverProblems.ts"
import { holidayProblems, namedCalendars } from "./holidayProblems.ts"
import { reachOf } from "./Reach.ts"
import type { Reach } from "./Reach.ts"
import { RoutingConfig } from "../RoutingConfig.ts"
import { problemAt, problemIn, RoutingInvalid, ruleText, valueAt } from "./RoutingInvalid.ts"
import type { Path, RoutingProblem } from "./RoutingInvalid.ts"
import { firstMatch } from "../match/RuleIndex.ts"
import type { FirstMatch } from "../match/RuleIndex.ts"
import { withheldProblems } from "./outageProblems.ts"
import { shapeProblems } from "./shapeProblems.ts"
import { servableByProvider, unableProblems } from "./unableProblems.ts"
import type { ServableByProvider } from "./unableProblems.ts"
import { When } from "../language/When.ts"

/** A valid configuration with its compiled conditions and their index. */
export interface CheckedRouting {
  readonly config: RoutingConfig
  /** The condition of each rule, in order. */
  readonly conditions: ReadonlyArray<Condition>
  readonly firstMatch: FirstMatch
}

export const checkRouting = (
  config: unknown,
  providers: ReadonlyArray<RoutableProvider>
): Result.Result<CheckedRouting, RoutingInvalid> => {
  const decoded = Schema.decodeUnknownResult(RoutingConfig, strict)(config)
  const [calendars = {}] = readable(Calendars, valueAt(config, ["holidays"]))
  const rules = Result.isSuccess(decoded) ? wholeRules(decoded.success, calendars) : readableRules(config, calendars)
  const conditions = rules.flatMap(({ condition }) => condition ?? [])
  const index = firstMatch(conditions)
  const able = servableByProvider(providers)
  const problems = [
    ...(Result.isFailure(decoded) ? shapeProblems(config, decoded.failure.issue) : []),
    ...rules.flatMap((rule) => ruleProblems(config, rule, providers, able)),
    ...reachProblems(config, rules, reachOf(conditions, index)),
    ...nameProblems(config),
    ...readable(Choose, valueAt(config, ["default"])).flatMap((choose) =>
      chooseProblems(config, ["default"], choose, providers)
    ),
    ...feeProblems(config, providers),
    ...withheldProblems(config, providers),
    ...failoverProblems(config, rules.length),
    ...experimentProblems(config, rules.length)
  ]
  return Result.isFailure(decoded) || problems.length > 0
    ? Result.fail(new RoutingInvalid({ problems }))
    : Result.succeed({ config: decoded.success, conditions, firstMatch: index })
}

const strict = { errors: "all", onExcessProperty: "error" } as const

/** The valid parts of a rule. They are checked further even if other parts of the rule are invalid. */
interface ReadRule {
  readonly path: Path
  readonly when: When | null
  readonly condition: Condition | null
  readonly choose: Choose | null
}

const wholeRules = ({ rules = [] }: RoutingConfig, calendars: Calendars): ReadonlyArray<ReadRule> =>
  rules.map(({ choose, when }, index) => ({
    path: ["rules", index],
    when,
    condition: readCondition(when, calendars),
    choose
  }))

/**
 * Compiles the condition of a rule. The result is `null` if the condition names an undefined holiday calendar;
 * otherwise the calendar would count as one without days.
 */
const readCondition = (when: When, calendars: Calendars): Condition | null =>
  namedCalendars(when).every(({ name }) => Object.hasOwn(calendars, name)) ? conditionOf(when, calendars) : null

const readableRules = (config: unknown, calendars: Calendars): ReadonlyArray<ReadRule> =>
  rulesOf(config).map((rule, index) => {
    const [when = null] = readable(When, valueAt(rule, ["when"]))
    const [choose = null] = readable(Choose, valueAt(rule, ["choose"]))
    return { path: ["rules", index], when, condition: when === null ? null : readCondition(when, calendars), choose }
  })

const readable = <A, E>(schema: Schema.Codec<A, E>, part: unknown): ReadonlyArray<A> => {
  const decoded = Schema.decodeUnknownResult(schema, strict)(part)
  return Result.isSuccess(decoded) ? [decoded.success] : []
}

const rulesOf = (config: unknown): ReadonlyArray<unknown> => {
  const rules = valueAt(config, ["rules"])
  return Array.isArray(rules) ? rules : []
}

const ruleProblems = (
  config: unknown,
  { choose, condition, path, when }: ReadRule,
  providers: ReadonlyArray<RoutableProvider>,
  able: ServableByProvider
): ReadonlyArray<RoutingProblem> => [
  ...(when === null ? [] : amountProblems(config, [...path, "when"], when)),
  ...(when === null ? [] : holidayProblems(config, [...path, "when"], when)),
  ...(choose === null ? [] : chooseProblems(config, [...path, "choose"], choose, providers)),
  ...(condition === null || choose === null ? [] : unableProblems(config, [...path, "choose"], condition, choose, able))
]

/**
 * Requires that a condition on amounts is combined with a condition on the currency, since 500000 is 5,000 rupees, but
 * 500,000 yen.
 */
const amountProblems = (config: unknown, path: Path, when: When): ReadonlyArray<RoutingProblem> => {
  if (impliesCurrency(when)) return []
  const inside = (key: "all" | "any") =>
    (when[key] ?? []).flatMap((each, index) => amountProblems(config, [...path, key, index], each))
  return [
    ...(when.amount === undefined
      ? []
      : [problemAt(config, [...path, "amount"], "needs a `currency` beside it, or a method that implies one (upi)")]),
    ...inside("all"),
    ...inside("any"),
    ...(when.not === undefined ? [] : amountProblems(config, [...path, "not"], when.not))
  ]
}

/** Whether the conditions determine the currency. UPI implies INR. In `any`, each alternative must determine one. */
const impliesCurrency = ({ all = [], any, currency, payment_method }: When): boolean =>
  isNamed(currency) ||
  (isNamed(payment_method) && [payment_method].flat().every((method) => method === "upi")) ||
  all.some(impliesCurrency) ||
  (any !== undefined && any.every(impliesCurrency))

/** Whether a fact is compared with a value or a list of values, without an operator. */
const isNamed = <A>(asked: A | undefined): asked is Extract<A, string | ReadonlyArray<string>> =>
  typeof asked === "string" || Array.isArray(asked)

/** Reports unreachable rules. `reach` has the reachability of the rules with valid conditions, in order. */
const reachProblems = (
  config: unknown,
  rules: ReadonlyArray<ReadRule>,
  reach: ReadonlyArray<Reach>
): ReadonlyArray<RoutingProblem> => {
  const asked = rules.filter(({ condition }) => condition !== null)
  const nameOf = (index: number): string => {
    const [, place] = asked[index]?.path ?? []
    return ruleText(config, Number(place))
  }
  return asked.flatMap(({ condition, path }, index) => {
    const place = [...path, "when"]
    const found = reach[index]
    switch (found?._tag) {
      case "Never":
        return neverProblems(config, place, condition)
      case "Shadowed":
        return [problemIn(config, place, `it is never reached: ${taking(found.by.map(nameOf))}`)]
      case "Reachable":
      case undefined:
        return []
    }
  })
}

/**
 * The problem of a rule whose `when` is never true. Its location is the condition that is impossible on its own,
 * otherwise the whole `when`.
 */
const neverProblems = (config: unknown, when: Path, condition: Condition | null): ReadonlyArray<RoutingProblem> => {
  const found = condition === null ? [] : contradictions(condition).filter(({ isNegated }) => !isNegated)
  return found.length === 0
    ? [problemAt(config, when, "can never hold: its conditions exclude each other")]
    : found.map(({ path, predicate }) => problemAt(config, [...when, ...path], predicate))
}

const taking = (names: ReadonlyArray<string>): string => {
  const [last] = names.slice(-1)
  return names.length === 1
    ? `rule ${last} comes first and takes all of its payments`
    : `rules ${names.slice(0, -1).join(", ")} and ${last} come first and take all of its payments`
}

const nameProblems = (config: unknown): ReadonlyArray<RoutingProblem> => {
  const seen = new Set<unknown>()
  return rulesOf(config).flatMap((rule, index) => {
    const path = ["rules", index, "name"]
    const name = valueAt(rule, ["name"])
    if (typeof name !== "string") return []
    if (name === "default") return [problemAt(config, path, "is kept for the rule that holds where no other does")]
    if (seen.has(name)) return [problemAt(config, path, "is that of an earlier rule")]
    seen.add(name)
    return []
  })
}
