/**
 * Finds payments that the rules would serve without `exclude` and `outages`, and that get no provider at a given time.
 *
 * The search starts with a payment that matches the rule and that a withheld provider supports. If an earlier rule
 * matches the payment, or an available provider of the rule supports it, the search excludes the conditions of that
 * rule or provider, one at a time. A payment that it finds is routed by the actual rules, so each report is confirmed.
 * A search that reaches its limit is undecided.
 */
import type { MethodCapability, NewPayment, Rail } from "@paymux/core"
import { capabilityFilter } from "@paymux/core/routing"
import type { CapabilityFilter, RoutableProvider } from "@paymux/core/routing"
import { firstPaymentId } from "@paymux/core/store"
import { facts as factsOf } from "../Facts.ts"
import type { Facts } from "../Facts.ts"
import { negationOf } from "../match/Clause.ts"
import type { Clause, FactLiteral } from "../match/Clause.ts"
import type { FirstMatch } from "../match/RuleIndex.ts"
import { costOf, holdsAll, solveFor } from "./Reach.ts"
import { samplePayments } from "./samplePayment.ts"
import type { Asked } from "./samplePayment.ts"
import { servablePayments } from "./servablePayments.ts"
import type { Way } from "./servablePayments.ts"
import { together } from "./unableProblems.ts"

/** A provider, with conditions that describe the payments it supports. */
export interface Taker {
  readonly id: string
  readonly filter: CapabilityFilter
  /** The alternative conditions by payment method: the provider supports a payment if one of these clauses holds. */
  readonly takes: ReadonlyMap<Rail, ReadonlyArray<Clause>>
  readonly phoneCodes: ReadonlyArray<string>
}

export const takerOf = (provider: RoutableProvider): Taker => {
  const test = { op: "in", values: new Set([provider.mode === "live"]) } as const
  const ofMode: FactLiteral = { _tag: "Fact", fact: "livemode", test, negated: false }
  const ways = provider.retired === true ? new Map<Rail, ReadonlyArray<Way>>() : servablePayments(complete(provider))
  return {
    id: provider.id,
    filter: capabilityFilter(provider),
    takes: new Map(
      [...ways].map(([rail, own]) => [
        rail,
        own.flatMap((way) => together(withPhone(way))).map((clause) => [ofMode, ...clause])
      ])
    ),
    phoneCodes: Object.values(provider.capabilities.methods).flatMap((method) => method?.phoneCodes ?? [])
  }
}

/**
 * Removes the data that a provider requires for its flows from its capabilities. A merchant sends such data with all
 * payments or with none, so it is assumed to be present.
 */
const complete = ({ capabilities, ...rest }: RoutableProvider): RoutableProvider => {
  const { card, stablecoin, upi } = capabilities.methods
  return {
    ...rest,
    capabilities: {
      ...capabilities,
      methods: {
        ...(upi !== undefined && { upi: withoutRequires(upi) }),
        ...(card !== undefined && { card: withoutRequires(card) }),
        ...(stablecoin !== undefined && { stablecoin: withoutRequires(stablecoin) })
      }
    }
  }
}

const withoutRequires = (method: MethodCapability): MethodCapability => ({
  ...method,
  flows: Object.fromEntries(
    Object.entries(method.flows).flatMap(([flow, declared]) => {
      if (declared === undefined) return []
      const { requires: _, ...rest } = declared
      return [[flow, rest]]
    })
  )
})

/** Considers only payers with a phone number in a country that the provider accepts. */
const withPhone = (way: Way): Way =>
  way.map((step) =>
    step.fact === "customer.phone_country" && step.alternatives.length > 1
      ? { ...step, alternatives: step.alternatives.slice(1) }
      : step
  )

/** The rules at a given time, with their conditions on time already evaluated. */
export interface RulesAt {
  /** The clauses of each rule, in order; `null` if a rule has too many alternatives for the search. */
  readonly clauses: ReadonlyArray<ReadonlyArray<Clause> | null>
  readonly firstMatch: FirstMatch
  /** The time for which the rules are evaluated, ms UTC. */
  readonly time: number
  readonly asked: Asked
}

export interface Question {
  /** The index of the rule whose payments the search examines; -1 is `default`. */
  readonly rule: number
  /** The providers of the rule that are withheld at this time, by an exclusion or outage. */
  readonly withheld: ReadonlyArray<Taker>
  readonly left: ReadonlyArray<Taker>
  readonly rail: Rail
}

export interface Unserved {
  readonly payment: NewPayment
  readonly facts: Facts
  /** The withheld providers that would otherwise serve the payment. */
  readonly by: ReadonlyArray<Taker>
}

/** The search cost that is left for all questions together. It limits the duration of a check. */
export interface Budget {
  left: number
}

/**
 * Finds a payment that gets no provider; `null` if every payment is served, `undecided` if the search reached its
 * limit.
 */
export const unservedPayment = (
  at: RulesAt,
  question: Question,
  budget: Budget,
  most: number
): Unserved | "undecided" | null => {
  const own = question.rule < 0 ? [[]] : at.clauses[question.rule]
  if (own === null || own === undefined) return "undecided"
  const end = budget.left - most
  let isDecided = true
  const search = (clause: Clause): Unserved | null => {
    if (budget.left <= end) {
      isDecided = false
      return null
    }
    budget.left -= costOf(clause)
    const found = solveFor(question.rail, clause, "low", at.time)
    if (typeof found !== "object") return null
    const taking = takingOf(at, question, found)
    if (taking === null) return sample(at, question, found)
    for (const [index, literal] of taking.entries()) {
      const outside = search([...clause, ...taking.slice(0, index), negationOf(literal)])
      if (outside !== null) return outside
    }
    return null
  }
  for (const taker of question.withheld) {
    for (const taken of taker.takes.get(question.rail) ?? []) {
      for (const clause of own) {
        const found = search([...clause, ...taken])
        if (found !== null) return found
      }
    }
  }
  return isDecided ? null : "undecided"
}

/**
 * Whether the available providers support all payments of the withheld ones, regardless of the rule. Also `false` if
 * the search reached its limit.
 */
export const isCovered = (
  { left, rail, withheld }: Omit<Question, "rule">,
  time: number,
  budget: Budget,
  most: number
): boolean => {
  const end = budget.left - most
  const escapes = (clause: Clause): boolean => {
    budget.left -= costOf(clause)
    const found = solveFor(rail, clause, "low", time)
    if (found === "impossible") return false
    const taking = budget.left < end || found === "unknown" ? undefined : takenBy(left, rail, found)
    return (
      taking?.some((literal, index) => escapes([...clause, ...taking.slice(0, index), negationOf(literal)])) ?? true
    )
  }
  return !withheld.some(({ takes }) => takes.get(rail)?.some(escapes))
}

/**
 * Returns the clause because of which a found payment is still served: an earlier rule matches it, or an available
 * provider of the rule supports it. The search excludes this clause next. `null` if no such clause is known.
 */
const takingOf = (at: RulesAt, { left, rail, rule }: Question, found: Facts): Clause | null => {
  const first = at.firstMatch(found, 0)
  if (first !== rule) return at.clauses[first]?.find((clause) => holdsAll(clause, found)) ?? null
  return takenBy(left, rail, found) ?? null
}

const takenBy = (takers: ReadonlyArray<Taker>, rail: Rail, found: Facts): Clause | undefined => {
  for (const { takes } of takers) {
    const taken = takes.get(rail)?.find((clause) => holdsAll(clause, found))
    if (taken !== undefined) return taken
  }
  return undefined
}

/** Confirms a found payment by routing it with the actual rules: it counts only if they have no provider for it. */
const sample = (at: RulesAt, { left, rule, withheld }: Question, found: Facts): Unserved | null => {
  const tenant = { account: found.account, livemode: found.livemode }
  for (const payment of samplePayments(
    found,
    at.asked,
    withheld.flatMap(({ phoneCodes }) => phoneCodes)
  )) {
    const facts = factsOf(payment, tenant, SAMPLE, at.time)
    if (at.firstMatch(facts, 0) !== rule) continue
    const takes = ({ filter }: Taker) => filter(payment, facts) === null
    const by = withheld.filter(takes)
    if (by.length > 0 && !left.some(takes)) return { payment, facts, by }
  }
  return null
}

/** The id of sample payments. No real payment has it. */
const SAMPLE = firstPaymentId(0)
