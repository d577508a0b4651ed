/**
 * Whether a rule can ever be reached: some payment matches it, and none of the rules before it.
 *
 * The answer is such a payment, looked for and then put to the very index that payments are put to; or the proof that
 * there is none, because every way to escape the earlier rules ends in a contradiction. Where neither is found the rule is
 * let through: nothing is refused on a suspicion.
 */
import type { PaymentId } from "../../domain/Ids.ts"
import { rails } from "../../domain/PaymentMethod.ts"
import type { Rail } from "../../domain/PaymentMethod.ts"
import { clausesOf, negationOf } from "../match/Clause.ts"
import type { Clause, Literal } from "../match/Clause.ts"
import type { Condition } from "../match/Condition.ts"
import type { Facts, FactName, FactValue } from "../Facts.ts"
import { reader } from "../Facts.ts"
import { passes } from "../match/FactTest.ts"
import type { FirstMatch } from "../match/RuleIndex.ts"
import { literalsByFact, satisfy, satisfyTime } from "./satisfy.ts"
import { isWithin, minuteOfDay } from "../match/TimeOfDay.ts"

export type Reach =
  | { readonly _tag: "Reachable" }
  /** Its own conditions exclude each other. */
  | { readonly _tag: "Never" }
  /** Earlier rules, by their numbers, take all of its payments. */
  | { readonly _tag: "Shadowed"; readonly by: ReadonlyArray<number> }

const reachable: Reach = { _tag: "Reachable" }

/** Looks that one rule is worth, and all of them together. Real rules need a handful each. */
const MOST_LOOKS = 400
const MOST_LOOKS_IN_ALL = 100_000
const MOST_ALTERNATIVES = 64

/** By rule, in order. */
export const reachOf = (conditions: ReadonlyArray<Condition>, firstMatch: FirstMatch): ReadonlyArray<Reach> => {
  const clauses = conditions.map((condition) => clausesOf(condition, MOST_ALTERNATIVES))
  let left = MOST_LOOKS_IN_ALL
  return clauses.map((own, rule) => {
    if (own === null) return reachable
    const { looks, reach } = reachOfOne(own, rule, clauses, firstMatch, Math.min(left, MOST_LOOKS))
    left -= looks
    return reach
  })
}

const reachOfOne = (
  own: ReadonlyArray<Clause>,
  rule: number,
  clauses: ReadonlyArray<ReadonlyArray<Clause> | null>,
  firstMatch: FirstMatch,
  mostLooks: number
): { readonly reach: Reach; readonly looks: number } => {
  const by = new Set<number>()
  let looks = 0
  const escapes = (clause: Clause): boolean => {
    if (looks++ >= mostLooks) return true
    const found = solve(clause)
    if (found === "impossible") return false
    if (found === "unknown") return true
    const first = firstMatch(found, 0)
    const taking = first >= 0 && first < rule ? clauses[first]?.find((other) => holdsAll(other, found)) : undefined
    if (taking === undefined) return true
    by.add(first)
    // Outside of that rule is where one of its tests fails; the ways are kept apart, so that none is gone twice.
    return taking.some((literal, index) => escapes([...clause, ...taking.slice(0, index), negationOf(literal)]))
  }
  if (own.some(escapes)) return { looks, reach: reachable }
  const dead: Reach = by.size === 0 ? { _tag: "Never" } : { _tag: "Shadowed", by: [...by].sort((a, b) => a - b) }
  return { looks, reach: dead }
}

/** Whether payments by `rail`, in one of `currencies` (`null`: any), can match a rule. */
export const admits = (condition: Condition, rail: Rail, currencies: ReadonlyArray<string> | null): boolean => {
  const clauses = clausesOf(condition, MOST_ALTERNATIVES)
  const wanted: Clause = [
    oneOf("payment_method", [rail]),
    ...(currencies === null ? [] : [oneOf("currency", currencies)])
  ]
  return clauses === null || clauses.some((clause) => solve([...clause, ...wanted]) !== "impossible")
}

const oneOf = (fact: FactName, values: ReadonlyArray<FactValue>): Literal => ({
  _tag: "Fact",
  fact,
  test: { op: "in", values: new Set(values) },
  negated: false
})

/** The facts of a payment that a clause holds for. */
const solve = (clause: Clause): Facts | "impossible" | "unknown" => {
  const time = timeOf(clause)
  if (time === "impossible") return time
  let undecided = time === "unknown"
  for (const rail of rails) {
    const found = solveFor(rail, clause, time === "unknown" ? 0 : time)
    if (typeof found === "object" && time !== "unknown") return found
    undecided ||= found === "unknown"
  }
  return undecided ? "unknown" : "impossible"
}

const solveFor = (rail: Rail, clause: Clause, time: number): Facts | "impossible" | "unknown" => {
  const values = new Map<FactName, FactValue>()
  let undecided = false
  for (const [fact, literals] of literalsByFact(clause)) {
    const found = satisfy(fact, rail, literals)
    if (found._tag === "Impossible") return "impossible"
    if (found._tag === "Unknown") undecided = true
    else values.set(fact, found.value)
  }
  return undecided ? "unknown" : factsFrom(rail, values, time)
}

/** ms UTC. Time zones have nothing to do with each other here: together they may only be undecided. */
const timeOf = (clause: Clause): number | "impossible" | "unknown" => {
  const literals = clause.flatMap((literal) => (literal._tag === "Time" ? [literal] : []))
  const zones = [...new Set(literals.map(({ window }) => window.zone))]
  let time = SOME_DAY
  for (const zone of zones) {
    const minute = satisfyTime(literals.filter(({ window }) => window.zone === zone))
    if (minute === null) return "impossible"
    time = SOME_DAY + ((minute - minuteOfDay(zone)(SOME_DAY) + 1440) % 1440) * 60_000
  }
  return literals.every(({ negated, window }) => isWithin(window)(time) !== negated) ? time : "unknown"
}

/** 2026-01-15, 0:00 UTC. */
const SOME_DAY = 1_768_435_200_000

/** A fact that nothing is asked of is absent, or something that no rule mentions. */
const factsFrom = (rail: Rail, values: ReadonlyMap<FactName, FactValue>, time: number): Facts => {
  const text = (fact: FactName) => {
    const value = values.get(fact)
    return typeof value === "string" ? value : null
  }
  const amount = values.get("amount")
  // Not by assignment: a key may be `__proto__`.
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
    "customer.email": text("customer.email") ?? "~",
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
    // Boundary: made up, and asked of by no condition.
    id: "pay_" as PaymentId
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

const holdsAll = (clause: Clause, facts: Facts): boolean => clause.every((literal) => holds(literal, facts))

const holds = (literal: Literal, facts: Facts): boolean =>
  (literal._tag === "Time"
    ? isWithin(literal.window)(facts.time)
    : passes(literal.test, reader(literal.fact)(facts))) !== literal.negated
