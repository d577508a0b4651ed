/**
 * Checks whether a rule is reachable: whether some payment matches it and none of the rules before it.
 *
 * The search ends with such a payment, which the real index confirms, or with a proof that none exists, because
 * excluding the earlier rules always leads to a contradiction. If it finds neither, the rule counts as reachable: a
 * rule is never rejected without a proof.
 */
import { rails } from "@paymux/core"
import type { Rail } from "@paymux/core"
import { clausesOf, negationOf } from "../match/Clause.ts"
import type { Clause, Literal } from "../match/Clause.ts"
import type { Condition } from "../match/Condition.ts"
import type { Facts, FactName, FactValue } from "../Facts.ts"
import { rangesOf } from "../match/DayTest.ts"
import { reader } from "../Facts.ts"
import { passes } from "../match/FactTest.ts"
import type { FirstMatch } from "../match/RuleIndex.ts"
import { literalsByFact, satisfy, satisfyTime } from "./satisfy.ts"
import type { Edge } from "./satisfy.ts"
import { DAY, isWithin, timeAt } from "../match/TimeOfDay.ts"

export type Reach =
  | { readonly _tag: "Reachable" }
  /** The rule's own conditions contradict each other. */
  | { readonly _tag: "Never" }
  /** The rule is shadowed: earlier rules, given by index, match all of its payments. */
  | { readonly _tag: "Shadowed"; readonly by: ReadonlyArray<number> }

const reachable: Reach = { _tag: "Reachable" }

/**
 * The maximum number of search steps for a rule, and the cost limit for all rules together, which they share equally.
 */
const MOST_STEPS = 400
const MOST_COST = 1_000_000
const MOST_ALTERNATIVES = 64

/** Computes the reachability of each rule, in the order of the rules. */
export const reachOf = (conditions: ReadonlyArray<Condition>, firstMatch: FirstMatch): ReadonlyArray<Reach> => {
  const clauses = conditions.map((condition) => clausesOf(condition, MOST_ALTERNATIVES))
  const part = MOST_COST / conditions.length
  return clauses.map((own, rule) => (own === null ? reachable : reachOfOne(own, rule, clauses, firstMatch, part)))
}

/**
 * Whether some payment that meets the clause `wanted` matches none of the rules. Also `true` if the search cannot
 * decide it.
 */
export const isReached = (conditions: ReadonlyArray<Condition>, firstMatch: FirstMatch, wanted: Condition): boolean => {
  const clauses = [...conditions, wanted].map((condition) => clausesOf(condition, MOST_ALTERNATIVES))
  const own = clauses.at(-1) ?? null
  // A payment that matches none of the rules counts as a match of an imaginary rule after the last one, whose condition
  // is `wanted`.
  const first: FirstMatch = (facts, from) => {
    const rule = firstMatch(facts, from)
    return rule < 0 ? conditions.length : rule
  }
  return own === null || reachOfOne(own, conditions.length, clauses, first, MOST_COST)._tag === "Reachable"
}

const reachOfOne = (
  own: ReadonlyArray<Clause>,
  rule: number,
  clauses: ReadonlyArray<ReadonlyArray<Clause> | null>,
  firstMatch: FirstMatch,
  mostCost: number
): Reach => {
  // The search first tries two payments for each alternative of the condition: one with the lowest and one with the
  // highest values. One of them is usually a payment that reaches the rule.
  const ends = own.flatMap((clause) => edges.map((edge) => solve(clause, edge)))
  if (ends.every((found) => found === "impossible")) return { _tag: "Never" }
  /** The index of the earlier rule that matches a payment; -1 if none does. */
  const earlierMatch = (found: Facts) => {
    const first = firstMatch(found, 0)
    return first < rule ? first : -1
  }
  if (ends.some((found) => found === "unknown" || (typeof found === "object" && earlierMatch(found) < 0)))
    return reachable

  const by = new Set<number>()
  let steps = 0
  let cost = 0
  const escapes = (clause: Clause): boolean => {
    cost += costOf(clause)
    if (steps++ >= MOST_STEPS || cost > mostCost) return true
    const found = solve(clause, "low")
    if (found === "impossible") return false
    if (found === "unknown") return true
    const first = earlierMatch(found)
    const taking = clauses[first]?.find((other) => holdsAll(other, found))
    if (taking === undefined) return true
    by.add(first)
    // A payment avoids the earlier rule if at least one test of that rule fails. There is one branch for each test, in
    // which this test fails and all tests before it hold. So the branches are disjoint, and no payment is searched
    // twice.
    return taking.some((literal, index) => escapes([...clause, ...taking.slice(0, index), negationOf(literal)]))
  }
  if (own.some(escapes)) return reachable
  const alone = [...by].find((earlier) => takesAll(clauses[earlier] ?? [], own))
  return { _tag: "Shadowed", by: alone === undefined ? [...by].sort((a, b) => a - b) : [alone] }
}

/**
 * Whether an earlier rule matches all payments of a rule. This is the case if each clause of the rule (`own`) implies a
 * clause of the earlier rule.
 */
const takesAll = (earlier: ReadonlyArray<Clause>, own: ReadonlyArray<Clause>): boolean =>
  own.every((clause) =>
    earlier.some((other) => other.every((literal) => solve([...clause, negationOf(literal)], "low") === "impossible"))
  )

/** The cost of a search step. It grows linearly with the number of values in the clause's tests. */
export const costOf = (clause: Clause): number => clause.reduce((cost, literal) => cost + sizeOf(literal), 20)

const sizeOf = (literal: Literal): number => {
  if (literal._tag === "Time") {
    const { days } = literal.window
    return days === null ? 1 : 1 + rangesOf(days).length
  }
  const { test } = literal
  if (test.op === "in") return test.values.size
  return test.op === "starts_with" ? test.prefixes.texts.size : 1
}

/**
 * Whether a payment by `rail` that also meets the clause `wanted` can match a rule. Also `true` if the search cannot
 * decide it.
 */
export type Admits = (rail: Rail, wanted?: Clause) => boolean

export const admitting = (condition: Condition): Admits => {
  const clauses = clausesOf(condition, MOST_ALTERNATIVES)
  if (clauses === null) return () => true
  const atSomeTime = clauses.filter((clause) => timeOf(clause) !== "impossible")
  return (rail, wanted = []) =>
    atSomeTime.some((clause) => solveFor(rail, [...clause, ...wanted], "low", 0) !== "impossible")
}

const edges: ReadonlyArray<Edge> = ["low", "high"]

/** Finds the facts of a payment that matches a clause. */
const solve = (clause: Clause, edge: Edge): Facts | "impossible" | "unknown" => {
  const time = timeOf(clause)
  if (time === "impossible") return time
  let undecided = time === "unknown"
  for (const rail of rails) {
    const found = solveFor(rail, clause, edge, time === "unknown" ? 0 : time)
    if (typeof found === "object" && time !== "unknown") return found
    undecided ||= found === "unknown"
  }
  return undecided ? "unknown" : "impossible"
}

export const solveFor = (rail: Rail, clause: Clause, edge: Edge, time: number): Facts | "impossible" | "unknown" => {
  const values = new Map<FactName, FactValue>()
  let undecided = false
  for (const [fact, literals] of literalsByFact(clause)) {
    const found = satisfy(fact, rail, literals, edge)
    if (found._tag === "Impossible") return "impossible"
    if (found._tag === "Unknown") undecided = true
    else values.set(fact, found.value)
  }
  return undecided ? "unknown" : factsFrom(rail, values, time)
}

/**
 * Finds a time (ms UTC) that meets the conditions of a clause. Each time zone is solved separately, so conditions in
 * several zones may be undecided.
 */
const timeOf = (clause: Clause): number | "impossible" | "unknown" => {
  const literals = clause.flatMap((literal) => (literal._tag === "Time" ? [literal] : []))
  const zones = [...new Set(literals.map(({ window }) => window.zone))]
  let time = timeAt("UTC", SOME_DAY * DAY)
  for (const zone of zones) {
    const shown = satisfyTime(
      literals.filter(({ window }) => window.zone === zone),
      SOME_DAY
    )
    if (shown === null) return "impossible"
    if (shown === "unknown") return shown
    time = timeAt(zone, shown)
  }
  return literals.every(({ negated, window }) => isWithin(window)(time) !== negated) ? time : "unknown"
}

/** An arbitrary day for conditions without one: 2026-01-15, in days since 1970-01-01. */
const SOME_DAY = 20_468

/** Builds the facts of a payment from some values. All other facts are absent, or have a default. */
const factsFrom = (rail: Rail, values: ReadonlyMap<FactName, FactValue>, time: number): Facts => {
  const text = (fact: FactName) => {
    const value = values.get(fact)
    return typeof value === "string" ? value : null
  }
  const amount = values.get("amount")
  // Uses `fromEntries` instead of assignments, since a metadata key may be `__proto__`.
  const metadata = Object.fromEntries(
    [...values].flatMap(([fact, value]) =>
      fact.startsWith(METADATA) && typeof value === "string" ? [[fact.slice(METADATA.length), value]] : []
    )
  )
  return {
    payment_method: rail,
    flow: flowOf(rail, text("flow")),
    currency: text("currency") ?? (rail === "upi" ? "INR" : "USD"),
    amount: typeof amount === "number" ? amount : 1,
    capture_method: text("capture_method") === "manual" ? "manual" : "automatic",
    "customer.email": text("customer.email"),
    "customer.phone_country": text("customer.phone_country"),
    "card.bin": text("card.bin"),
    "card.network": text("card.network"),
    "card.country": text("card.country"),
    "card.funding": text("card.funding"),
    "stablecoin.asset": text("stablecoin.asset"),
    "stablecoin.network": text("stablecoin.network"),
    livemode: values.get("livemode") === true,
    account: text("account") ?? "~",
    time,
    metadata,
    // Values of required facts that no condition can test.
    draw: "",
    issuer: null
  }
}

const METADATA = "metadata."

const flowOf = (rail: Rail, flow: string | null): Facts["flow"] => {
  switch (rail) {
    case "upi":
      return flow === "qr" || flow === "collect" ? flow : "intent"
    case "card":
      return flow === "token" ? flow : "hosted"
    case "stablecoin":
      return "transfer"
    default:
      return rail satisfies never
  }
}

export const holdsAll = (clause: Clause, facts: Facts): boolean => clause.every((literal) => holds(literal, facts))

const holds = (literal: Literal, facts: Facts): boolean =>
  (literal._tag === "Time"
    ? isWithin(literal.window)(facts.time)
    : passes(literal.test, reader(literal.fact)(facts))) !== literal.negated
