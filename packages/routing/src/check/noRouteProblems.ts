/**
 * Reports payments that get no provider because of `exclude` and `outages`, and that the rules would serve without
 * them. Such a payment is an error if it is affected now, and a warning if it is affected at a later time. Payments
 * that no configured provider supports are not reported, since this may be intended.
 */
import { Currency, Money, rails } from "@paymux/core"
import type { Rail } from "@paymux/core"
import type { RoutableProvider } from "@paymux/core/routing"
import { DateTime } from "effect"
import type { Facts } from "../Facts.ts"
import type { Choose } from "../language/Choose.ts"
import type { Outage } from "../language/Outage.ts"
import { clausesOf } from "../match/Clause.ts"
import type { Clause } from "../match/Clause.ts"
import { isWithin } from "../match/TimeOfDay.ts"
import type { TimeWindow } from "../match/TimeOfDay.ts"
import { candidatesOf } from "./chooseProblems.ts"
import type { CheckedRouting } from "./checkRouting.ts"
import { edgesOf, momentsOf } from "./moments.ts"
import { problemIn, ruleText } from "./RoutingInvalid.ts"
import type { Path, RoutingProblem } from "./RoutingInvalid.ts"
import { looksLikeName } from "./suggestion.ts"
import { isCovered, takerOf, unservedPayment } from "./unserved.ts"
import type { Budget, Question, RulesAt, Taker, Unserved } from "./unserved.ts"

export interface NoRoute {
  /** Errors: payments that get no provider now. */
  readonly problems: ReadonlyArray<RoutingProblem>
  /** Warnings: payments that will get no provider at a later time. */
  readonly warnings: ReadonlyArray<RoutingProblem>
}

/** The cost limits of the search, for all rules together and for one rule, in the unit of `costOf`. */
const MOST_COST = 2_000_000
const MOST_COST_OF_RULE = 100_000
const MOST_ALTERNATIVES = 64
/**
 * The maximum number of times to check. Times count as equal if the same outages are active and the same conditions on
 * time hold.
 */
const MOST_MOMENTS = 64
const MOST_CLOCKS = 5_000
/** The maximum number of distinct conditions on time. */
const MOST_WINDOWS = 32

export const noRouteProblems = (
  written: unknown,
  { conditions, config, firstMatch }: CheckedRouting,
  providers: ReadonlyArray<RoutableProvider>,
  now: number
): NoRoute => {
  const withheld: Withheld = { exclude: config.exclude ?? [], outages: config.outages ?? [] }
  if (withheld.exclude.length === 0 && withheld.outages.length === 0) return { problems: [], warnings: [] }
  const takers = new Map(providers.map((provider) => [provider.id, takerOf(provider)]))
  const clauses = conditions.map((condition) => clausesOf(condition, MOST_ALTERNATIVES))
  const asked = askedOf(clauses)
  const rules = [
    ...(config.rules ?? []).map(({ choose }, rule) => ({ choose, rule })),
    { choose: config.default, rule: -1 }
  ]
  const budget = { left: MOST_COST }
  /**
   * Caches whether the available providers support all payments of the withheld ones, by the two sets of providers. The
   * result is the same for all rules.
   */
  const covered = new Map<string, boolean>()
  /**
   * The combinations of rule, method and withheld providers that were already reported. A combination is reported only
   * for the first time at which it occurs.
   */
  const reported = new Set<string>()
  const undecided = new Set<number>()
  const problems: Array<RoutingProblem> = []
  const warnings: Array<RoutingProblem> = []
  for (const time of distinctMoments(withheld, clauses, now)) {
    const at: RulesAt = { clauses: clausesAt(clauses, time), firstMatch, time, asked }
    const questions = questionsOf(rules, takers, withheldAt(withheld, takers, time))
    for (const [index, question] of questions.entries()) {
      const { rail, rule } = question
      const found = answer(at, question, budget, budget.left / (questions.length - index), covered)
      if (found === "undecided") undecided.add(rule)
      if (found === null || found === "undecided") continue
      const causes = found.by.map(({ id }) => causeOf(withheld, id, rail, time))
      const key = JSON.stringify([rule, rail, causes.map((cause) => cause.path)])
      if (reported.has(key)) continue
      reported.add(key)
      const sentence = sentenceOf(written, rule, found, causes, time === now)
      const target = time === now ? problems : warnings
      target.push(problemIn(written, causes[0]?.path ?? [], sentence))
    }
  }
  return { problems, warnings: [...warnings, ...undecidedWarning(written, undecided)] }
}

/** A warning about rules whose search reached its limit. Such rules are not rejected for having many conditions. */
const undecidedWarning = (written: unknown, rules: ReadonlySet<number>): ReadonlyArray<RoutingProblem> => {
  const [first] = rules
  if (first === undefined) return []
  const path = first < 0 ? ["default"] : ["rules", first]
  const others = rules.size === 1 ? "" : `, nor for ${rules.size - 1} more`
  const sentence = `${placeOf(written, first)} has too many conditions for this check, which did not decide for it${others}, whether \`exclude\` or \`outages\` leave payments without a provider`
  return [problemIn(written, path, sentence)]
}

interface Withheld {
  readonly exclude: ReadonlyArray<string>
  readonly outages: ReadonlyArray<Outage>
}

interface RuleToAsk {
  readonly choose: Choose
  /** The index of the rule that the check is about; -1 is `default`. */
  readonly rule: number
}

/**
 * The questions to check at one time. A question asks for payments of one rule and method that get no provider. Rules
 * without any available provider come first: they cost one search step each, and are typical mistakes in an emergency.
 */
const questionsOf = (
  rules: ReadonlyArray<RuleToAsk>,
  takers: ReadonlyMap<string, Taker>,
  withheld: ReadonlySet<string>
): ReadonlyArray<Question> =>
  withheld.size === 0
    ? []
    : rules
        .flatMap(({ choose, rule }) => {
          const candidates = candidatesOf(choose).flatMap(({ provider }) => takers.get(provider) ?? [])
          return rails.map((rail): Question => ({
            rule,
            rail,
            withheld: candidates.filter((taker) => withheld.has(`${rail} ${taker.id}`) && taker.takes.has(rail)),
            left: candidates.filter(({ id }) => !withheld.has(`${rail} ${id}`))
          }))
        })
        .filter((question) => question.withheld.length > 0)
        .toSorted((one, other) => Math.min(1, one.left.length) - Math.min(1, other.left.length))

const answer = (
  at: RulesAt,
  question: Question,
  budget: Budget,
  share: number,
  covered: Map<string, boolean>
): Unserved | "undecided" | null => {
  const most = Math.min(MOST_COST_OF_RULE, share)
  const idsOf = (all: ReadonlyArray<Taker>) => all.map(({ id }) => id).toSorted()
  const key = JSON.stringify([question.rail, idsOf(question.withheld), idsOf(question.left)])
  const isSafe = covered.get(key) ?? (question.left.length > 0 && isCovered(question, at.time, budget, most))
  covered.set(key, isSafe)
  return isSafe ? null : unservedPayment(at, question, budget, most)
}

const isActive = ({ from, methods, to = Number.POSITIVE_INFINITY }: Outage, rail: Rail, time: number): boolean =>
  time >= from && time < to && (methods === undefined || methods.includes(rail))

const isWithheld = ({ exclude, outages }: Withheld, provider: string, rail: Rail, time: number): boolean =>
  exclude.includes(provider) || outages.some((outage) => outage.provider === provider && isActive(outage, rail, time))

/**
 * The providers that are excluded or have an outage at a time. Computed once for all rules, since there may be
 * thousands of outages.
 */
const withheldAt = (withheld: Withheld, takers: ReadonlyMap<string, Taker>, time: number): ReadonlySet<string> =>
  new Set(
    [...takers.keys()].flatMap((id) =>
      rails.flatMap((rail) => (isWithheld(withheld, id, rail, time) ? [`${rail} ${id}`] : []))
    )
  )

interface Cause {
  readonly path: Path
  readonly provider: string
  /** The outage of the withheld provider; `null` if it is excluded. */
  readonly outage: Outage | null
}

const causeOf = ({ exclude, outages }: Withheld, provider: string, rail: Rail, time: number): Cause => {
  const excluded = exclude.indexOf(provider)
  if (excluded >= 0) return { path: ["exclude", excluded], provider, outage: null }
  const index = outages.findIndex((outage) => outage.provider === provider && isActive(outage, rail, time))
  return { path: ["outages", index], provider, outage: outages[index] ?? null }
}

/**
 * Selects the times to check, ascending. Of several times with the same active outages and the same holding conditions
 * on time, one is selected. If there are too many, beginnings and ends of outages take precedence over changes of
 * conditions.
 */
const distinctMoments = (
  { outages }: Withheld,
  clauses: ReadonlyArray<ReadonlyArray<Clause> | null>,
  now: number
): ReadonlyArray<number> => {
  const all = windowsOf(clauses)
  const most = Math.max(1, Math.min(MOST_MOMENTS, Math.floor(MOST_CLOCKS / Math.max(1, all.length))))
  const windows = all.slice(0, MOST_WINDOWS)
  const tests = windows.map(isWithin)
  const seen = new Set<string>()
  const distinct: Array<number> = []
  for (const time of [...edgesOf(outages, now), ...momentsOf(outages, windows, now)]) {
    const active = outages.map(({ from, to = Number.POSITIVE_INFINITY }) => (time >= from && time < to ? "1" : "0"))
    const key = `${active.join("")} ${tests.map((holds) => (holds(time) ? "1" : "0")).join("")}`
    if (seen.has(key)) continue
    seen.add(key)
    distinct.push(time)
    if (distinct.length === most) break
  }
  return distinct.toSorted((a, b) => a - b)
}

/** The distinct time windows of the rules; many rules use the same hours. Windows with dates count separately. */
const windowsOf = (clauses: ReadonlyArray<ReadonlyArray<Clause> | null>): ReadonlyArray<TimeWindow> => {
  const literals = clauses.flatMap((own) => own ?? []).flat()
  const windows = literals.flatMap((literal) => (literal._tag === "Time" ? [literal.window] : []))
  return [...new Map(windows.map((window) => [windowKey(window), window])).values()]
}

const windowKey = (window: TimeWindow): unknown => {
  const { days, from, to, zone } = window
  if (days !== null && (days.dates !== null || days.holidays !== null)) return window
  return JSON.stringify([from, to, zone, days?.weekdays])
}

/**
 * Evaluates the conditions on time in the clauses of the rules at a given time. A clause with a condition that does not
 * hold is removed. From the other clauses, only the conditions on time are removed.
 */
const clausesAt = (
  clauses: ReadonlyArray<ReadonlyArray<Clause> | null>,
  time: number
): ReadonlyArray<ReadonlyArray<Clause> | null> => {
  const known = new Map<unknown, boolean>()
  const holds = (window: TimeWindow): boolean => {
    const key = windowKey(window)
    const found = known.get(key) ?? isWithin(window)(time)
    known.set(key, found)
    return found
  }
  return clauses.map(
    (own) =>
      own
        ?.filter((clause) =>
          clause.every((literal) => literal._tag !== "Time" || holds(literal.window) !== literal.negated)
        )
        .map((clause) => clause.filter((literal) => literal._tag !== "Time")) ?? null
  )
}

const askedOf = (clauses: ReadonlyArray<ReadonlyArray<Clause> | null>): RulesAt["asked"] => {
  const facts = new Set(
    clauses
      .flatMap((own) => own ?? [])
      .flatMap((clause) => clause.map((each) => (each._tag === "Fact" ? each.fact : "")))
  )
  return { email: facts.has("customer.email"), phone: facts.has("customer.phone_country") }
}

const sentenceOf = (
  written: unknown,
  rule: number,
  { facts, payment }: Unserved,
  causes: ReadonlyArray<Cause>,
  isNow: boolean
): string => {
  const when = isNow ? "" : `${planned(causes, facts.time)}, `
  return `${when}${placeOf(written, rule)} has no provider for a payment such as ${paymentText(facts, payment.captureMethod)}: ${listed(causes.map(causeText))}. Add another provider that takes this payment, or remove this entry`
}

const placeOf = (written: unknown, rule: number): string => (rule < 0 ? "`default`" : `rule ${ruleText(written, rule)}`)

const causeText = ({ outage, provider }: Cause): string =>
  `${looksLikeName(provider) ? `"${provider}"` : "its provider"} ${outage === null ? "is excluded" : "has an outage"}`

const listed = (texts: ReadonlyArray<string>): string => {
  const [last = ""] = texts.slice(-1)
  return texts.length <= 1 ? last : `${texts.slice(0, -1).join(", ")} and ${last}`
}

/** The period that covers all the outages, as text. */
const planned = (causes: ReadonlyArray<Cause>, time: number): string => {
  const outages = causes.flatMap(({ outage }) => outage ?? [])
  if (outages.length === 0) return `at times such as ${timeText(time)}`
  const from = outages.reduce((latest, outage) => Math.max(latest, outage.from), 0)
  const to = outages.reduce((first, outage) => Math.min(first, outage.to ?? first), Number.POSITIVE_INFINITY)
  return Number.isFinite(to) ? `from ${timeText(from)} to ${timeText(to)}` : `from ${timeText(from)} on`
}

const timeText = (time: number): string => DateTime.formatIso(DateTime.makeUnsafe(time)).replace(".000Z", "Z")

/**
 * Describes a sample payment by codes and names only, without free text: `a test card payment of 0.01 EUR (hosted,
 * visa)`.
 */
const paymentText = (facts: Facts, captureMethod: string): string => {
  const { amount, currency } = facts
  const money = Currency.isCurrency(currency)
    ? `${Money.decimal({ minorUnits: amount, currency })} ${currency}`
    : currency
  const details = [
    facts.flow,
    captureMethod === "manual" ? "captured later" : null,
    facts["card.network"],
    facts["card.country"],
    facts["card.funding"],
    facts["stablecoin.asset"],
    facts["stablecoin.network"]
  ].filter((detail) => detail !== null && looksLikeName(detail.replaceAll(" ", "_")))
  return `a ${facts.livemode ? "live" : "test"} ${facts.payment_method} payment of ${money} (${details.join(", ")})`
}
