/**
 * Finds payments that the rules would serve without `exclude` and `outages`, and that get no provider at a moment.
 *
 * A provider that is withheld, and could take a payment, is what the search begins with: a payment that matches the rule and that
 * this provider takes. If an earlier rule takes the payment, or another provider of the rule that is left, the search goes on outside of
 * what takes it, one condition at a time. What is found is a payment, and is routed by the rules themselves: nothing is
 * reported on a suspicion. A search that ends at its limit is undecided.
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
import { takable } from "./takable.ts"
import type { Way } from "./takable.ts"
import { together } from "./unableProblems.ts"

/** A provider as the search needs it. */
export interface Taker {
  readonly id: string
  readonly filter: CapabilityFilter
  /** By rail: it takes a payment for which one of these holds. */
  readonly takes: ReadonlyMap<Rail, ReadonlyArray<Clause>>
  readonly phoneCodes: ReadonlyArray<string>
}

export const takerOf = (provider: RoutableProvider): Taker => {
  const test = { op: "in", values: new Set([provider.mode === "live"]) } as const
  const ofMode: FactLiteral = { _tag: "Fact", fact: "livemode", test, negated: false }
  const ways = provider.retired === true ? new Map<Rail, ReadonlyArray<Way>>() : takable(complete(provider))
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

/** Payments are assumed to have what flows require: a merchant sends it with all of them, or with none. */
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

/** A number is given, and has a country. */
const withPhone = (way: Way): Way =>
  way.map((step) =>
    step.fact === "customer.phone_country" && step.alternatives.length > 1
      ? { ...step, alternatives: step.alternatives.slice(1) }
      : step
  )

/** The rules at a moment. Conditions on time are replaced by whether they hold then. */
export interface RulesAt {
  /** By rule, in order; `null`: too many alternatives to be looked at. */
  readonly clauses: ReadonlyArray<ReadonlyArray<Clause> | null>
  readonly firstMatch: FirstMatch
  /** ms UTC */
  readonly time: number
  readonly asked: Asked
}

export interface Question {
  /** The number of a rule; -1: where none matches. */
  readonly rule: number
  /** Of its candidates, those that could take such payments and get none. */
  readonly withheld: ReadonlyArray<Taker>
  readonly left: ReadonlyArray<Taker>
  readonly rail: Rail
}

export interface Unserved {
  readonly payment: NewPayment
  readonly facts: Facts
  /** Those that would take it. */
  readonly by: ReadonlyArray<Taker>
}

/** What is left of it for all questions, so that a long text takes no longer than another. */
export interface Budget {
  left: number
}

/** `null`: no payment is unserved. `undecided`: none was found for what the search may cost. */
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

/** Whether every payment that one of `withheld` takes is taken by one that is left, whatever the rule. `false` also where that is not decided. */
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

/** The conditions by which an earlier rule or a remaining provider takes the payment; `null`: none are known. */
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

/** Routed as the rules do it: the payment counts only if they really leave it without a provider. */
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

/** No payment has this id, and none is made. */
const SAMPLE = firstPaymentId(0)
