/**
 * Finds a value of one fact that passes several tests at once, or proves that none exists.
 *
 * The search tries the values at which the result of a test can change. For facts with few values, for amounts and for
 * times this is complete. For text it is not, so text is proven impossible only if prefixes, suffixes or lists exclude
 * each other.
 */
import { Currency } from "@paymux/core"
import type { Rail } from "@paymux/core"
import type { FactLiteral, Literal, TimeLiteral } from "../match/Clause.ts"
import type { FactName, FactValue } from "../Facts.ts"
import { passes } from "../match/FactTest.ts"
import { rangesOf } from "../match/DayTest.ts"
import { beginsWithOne, prefixes } from "../match/Prefixes.ts"
import type { Prefixes } from "../match/Prefixes.ts"
import { DAY, holdsAt } from "../match/TimeOfDay.ts"

/** The result of the search. `Unknown` means that it found neither a value nor a proof. */
export type Satisfied =
  | { readonly _tag: "Value"; readonly value: FactValue }
  | { readonly _tag: "Impossible" }
  | { readonly _tag: "Unknown" }

const impossible: Satisfied = { _tag: "Impossible" }
const unknown: Satisfied = { _tag: "Unknown" }

/** The preference if several amounts pass all tests: the lowest or the highest of them. */
export type Edge = "low" | "high"

/** Finds a value of `fact` for a payment by `rail` that passes all tests. */
export const satisfy = (fact: FactName, rail: Rail, literals: ReadonlyArray<FactLiteral>, edge: Edge): Satisfied => {
  const few = fewValues(fact, rail)
  const cost = literals.reduce(
    (sum, { test }) => sum + (test.op === "starts_with" ? test.prefixes.lengths.length : 1),
    0
  )
  let tries = 0
  for (const value of few ?? candidates(fact, literals, edge)) {
    if (holds(literals, value)) return { _tag: "Value", value }
    tries += cost
    if (tries > MOST_TRIES) return isExcluded(fact, literals) ? impossible : unknown
  }
  const isAll = few !== null || fact === "amount" || isListed(literals)
  return isAll || isExcluded(fact, literals) ? impossible : unknown
}

/** The maximum number of values that are tried for one fact. */
const MOST_TRIES = 20_000

/** Whether some test allows only listed values, so that trying these values is a complete search. */
const isListed = (literals: ReadonlyArray<FactLiteral>): boolean =>
  literals.some(({ negated, test }) => !negated && test.op === "in")

const holds = (literals: ReadonlyArray<FactLiteral>, value: FactValue): boolean =>
  literals.every(({ negated, test }) => passes(test, value) !== negated)

const flowsOf: { readonly [rail in Rail]: ReadonlyArray<string> } = {
  upi: ["intent", "qr", "collect"],
  card: ["hosted", "token"],
  stablecoin: ["transfer"]
}

/** All possible values of a fact; `null` if there are too many. A fact of another payment method is always absent. */
const fewValues = (fact: FactName, rail: Rail): ReadonlyArray<FactValue> | null => {
  switch (fact) {
    case "payment_method":
      return [rail]
    case "flow":
      return flowsOf[rail]
    case "currency":
      return rail === "upi" ? ["INR"] : Currency.currencyCodes
    case "capture_method":
      return ["automatic", "manual"]
    case "livemode":
      return [false, true]
    case "card.bin":
    case "card.network":
    case "card.country":
    case "card.funding":
      return rail === "card" ? null : [null]
    case "stablecoin.asset":
    case "stablecoin.network":
      return rail === "stablecoin" ? null : [null]
    default:
      return null
  }
}

const alwaysThere: ReadonlySet<FactName> = new Set<FactName>(["amount", "account"])

const candidates = function* (fact: FactName, literals: ReadonlyArray<FactLiteral>, edge: Edge): Iterable<FactValue> {
  if (fact === "amount") return yield* turningPoints(literals, edge)
  if (!alwaysThere.has(fact)) yield null
  yield* texts(fact, literals)
}

/** The amounts at which a test can change its result: from 1 to the largest safe integer. */
const turningPoints = (literals: ReadonlyArray<FactLiteral>, edge: Edge): ReadonlyArray<number> => {
  const points = literals.flatMap(({ test }) => {
    if (test.op === "range") return [test.from, test.to, test.to + 1]
    return test.op === "in"
      ? [...test.values].flatMap((value) => (typeof value === "number" ? [value, value + 1] : []))
      : []
  })
  const payable = [1, ...points].filter((amount) => Number.isSafeInteger(amount) && amount > 0)
  return [...new Set(payable)].sort((a, b) => (edge === "low" ? a - b : b - a))
}

/** Texts to try for a fact: listed values, prefixes and suffixes, alone and with other text between and around them. */
const texts = function* (fact: FactName, literals: ReadonlyArray<FactLiteral>): Iterable<string> {
  for (const { test } of literals) {
    if (test.op === "in") for (const value of test.values) if (typeof value === "string") yield value
  }
  const asked = positive(literals)
  const prefixes = asked.map(prefixesOf).reduce(common, null) ?? [""]
  const suffixes = asked.map(suffixesOf).reduce(common, null) ?? [""]
  for (const prefix of prefixes) {
    for (const suffix of suffixes) {
      // Reverses the suffix, since tests of suffixes store them as reversed prefixes.
      const end = reversed(suffix)
      yield* fact === "card.bin" ? bins(prefix, end) : fillers.map((fill) => prefix + fill + end)
    }
  }
}

const fillers = ["", "-", "0", "x~", "7#", "q_@z"]

const DIGITS = "0123456789".split("")

const bins = (prefix: string, suffix: string): ReadonlyArray<string> =>
  DIGITS.flatMap((digit) =>
    [6, 8].map((length) => prefix + digit.repeat(Math.max(0, length - prefix.length - suffix.length)) + suffix)
  ).filter((bin) => /^\d{6,8}$/.test(bin))

const positive = (literals: ReadonlyArray<FactLiteral>): ReadonlyArray<FactLiteral> =>
  literals.filter(({ negated }) => !negated)

/** Whether the tests exclude every text and also an absent fact. */
const isExcluded = (fact: FactName, literals: ReadonlyArray<FactLiteral>): boolean => {
  const asked = positive(literals)
  const mustBeAbsent = literals.some(({ negated, test }) => negated && test.op === "exists")
  if (mustBeAbsent) return asked.length > 0 || alwaysThere.has(fact)
  return noneIsLeft(fact, literals, prefixesOf) || noneIsLeft(fact, literals, suffixesOf)
}

type AffixesOf = (literal: FactLiteral) => Prefixes | null

const prefixesOf: AffixesOf = ({ test }) => (test.op === "starts_with" ? test.prefixes : null)

/** Reads the suffixes of a test as prefixes of the reversed text. */
const suffixesOf: AffixesOf = ({ test }) => (test.op === "ends_with" ? prefixes([reversed(test.suffix)]) : null)

const reversed = (text: string): string => text.split("").toReversed().join("")

/**
 * Whether no text can pass the tests of prefixes or suffixes (affixes): every affix that the positive tests allow is
 * excluded by a negated test.
 */
const noneIsLeft = (fact: FactName, literals: ReadonlyArray<FactLiteral>, of: AffixesOf): boolean => {
  const left = positive(literals).map(of).reduce(common, null)
  if (left === null) return false
  const refused = literals.flatMap((literal) => (literal.negated ? (of(literal) ?? []) : []))
  return ![...left].some(
    (affix) => isPossible(fact, affix) && !refused.some((affixes) => beginsWithOne(affixes, affix))
  )
}

/**
 * Combines two sets of prefixes. The result describes the texts that begin with a prefix of each set; `null` stands for
 * any text.
 */
const common = (one: Iterable<string> | null, other: Prefixes | null): Iterable<string> | null => {
  if (one === null || other === null) return one ?? other?.texts ?? null
  const left = prefixes(one)
  const longer = (texts: Prefixes, than: Prefixes) => [...texts.texts].filter((text) => beginsWithOne(than, text))
  return new Set([...longer(left, other), ...longer(other, left)])
}

/** Whether a value of the fact can have this prefix or suffix. A BIN has 6 to 8 digits. */
const isPossible = (fact: FactName, affix: string): boolean => fact !== "card.bin" || /^\d{1,8}$/.test(affix)

/**
 * Finds a local time, in minutes since 1970-01-01, at which all time conditions hold; `null` if none exists. All
 * conditions have the same time zone.
 *
 * Between the days at which a range of dates begins or ends, only the weekday matters, so a week from each of them is
 * enough.
 */
export const satisfyTime = (literals: ReadonlyArray<TimeLiteral>, someDay: number): number | "unknown" | null => {
  const minutes = [...new Set([0, ...literals.flatMap(({ window }) => [window.from, window.to % DAY])])]
  const days = daysToTry(literals, someDay, MOST_TRIES / (minutes.length * literals.length))
  if (days === null) return "unknown"
  const tests = literals.map(({ negated, window }) => ({ negated, holds: holdsAt(window) }))
  for (const day of days) {
    for (const minute of minutes) {
      if (tests.every(({ holds, negated }) => holds(day, minute) !== negated)) return day * DAY + minute
    }
  }
  return null
}

/**
 * The days to try; `null` if there are more than `most`. A calendar has up to 100,000 days, and thousands of rules may
 * name it.
 */
const daysToTry = (literals: ReadonlyArray<TimeLiteral>, someDay: number, most: number): Iterable<number> | null => {
  const asked = literals.flatMap(({ window }) => window.days ?? [])
  if (asked.length === 0) return most < 1 ? null : [someDay]
  const ranges = asked.map(rangesOf)
  let earliest = Number.POSITIVE_INFINITY
  for (const own of ranges) for (const { from } of own) earliest = Math.min(earliest, from)
  const starts = new Set(Number.isFinite(earliest) ? [someDay, earliest - 8] : [someDay])
  for (const own of ranges) {
    for (const { from, to } of own) {
      // The days just after the beginning and the end of a date range are tried too. A time window that spans midnight
      // belongs to the day on which it began.
      for (const turn of [from, from + 1, to + 1, to + 2]) starts.add(turn)
      if (starts.size > most) return null
    }
  }
  const days = new Set<number>()
  for (const start of starts) for (let day = start; day < start + 7; day++) days.add(day)
  return days.size > most ? null : days
}

/** Groups the tests of a clause by their fact. */
export const literalsByFact = (clause: ReadonlyArray<Literal>): ReadonlyMap<FactName, ReadonlyArray<FactLiteral>> => {
  const byFact = new Map<FactName, Array<FactLiteral>>()
  for (const literal of clause) {
    if (literal._tag === "Time") continue
    const found = byFact.get(literal.fact)
    if (found === undefined) byFact.set(literal.fact, [literal])
    else found.push(literal)
  }
  return byFact
}
