/**
 * Finds a value of one fact that passes several tests at once, or proves that there is none.
 *
 * It tries the values at which the tests can change their answer. For facts with few values, amounts and times that is
 * all of them; of text there may be others, so text that is not found is impossible only where prefixes, suffixes or
 * lists exclude each other.
 */
import { currencyCodes } from "../../domain/Currency.ts"
import type { Rail } from "../../domain/PaymentMethod.ts"
import type { FactLiteral, Literal, TimeLiteral } from "../match/Clause.ts"
import type { FactName, FactValue } from "../Facts.ts"
import { passes } from "../match/FactTest.ts"

/** `Unknown`: neither a value nor a proof. */
export type Satisfied =
  | { readonly _tag: "Value"; readonly value: FactValue }
  | { readonly _tag: "Impossible" }
  | { readonly _tag: "Unknown" }

const impossible: Satisfied = { _tag: "Impossible" }

/** A value of `fact` in a payment by `rail`. */
export const satisfy = (fact: FactName, rail: Rail, literals: ReadonlyArray<FactLiteral>): Satisfied => {
  const few = fewValues(fact, rail)
  const value = (few ?? candidates(fact, literals)).find((each) => holds(literals, each))
  if (value !== undefined) return { _tag: "Value", value }
  return few !== null || fact === "amount" || isExcluded(fact, literals) ? impossible : { _tag: "Unknown" }
}

const holds = (literals: ReadonlyArray<FactLiteral>, value: FactValue): boolean =>
  literals.every(({ negated, test }) => passes(test, value) !== negated)

export const flowsOf: { readonly [rail in Rail]: ReadonlyArray<string> } = {
  upi: ["intent", "qr", "collect"],
  card: ["hosted", "token"],
  stablecoin: ["transfer"]
}

/** All values of a fact, where they are few; else `null`. A fact of another rail is absent. */
const fewValues = (fact: FactName, rail: Rail): ReadonlyArray<FactValue> | null => {
  switch (fact) {
    case "payment_method":
      return [rail]
    case "flow":
      return flowsOf[rail]
    case "currency":
      return rail === "upi" ? ["INR"] : currencyCodes
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

const alwaysThere: ReadonlySet<FactName> = new Set<FactName>(["amount", "customer.email", "account"])

const candidates = (fact: FactName, literals: ReadonlyArray<FactLiteral>): ReadonlyArray<FactValue> =>
  fact === "amount" ? turningPoints(literals) : [...(alwaysThere.has(fact) ? [] : [null]), ...texts(fact, literals)]

/** Nobody pays nothing, and no amount is larger than a number can be exact. */
const turningPoints = (literals: ReadonlyArray<FactLiteral>): ReadonlyArray<number> =>
  [
    1,
    ...literals.flatMap(({ test }) => {
      if (test.op === "range") return [test.from, test.to + 1]
      return test.op === "in"
        ? [...test.values].flatMap((value) => (typeof value === "number" ? [value, value + 1] : []))
        : []
    })
  ].filter((value) => Number.isSafeInteger(value) && value > 0)

/** Listed values, prefixes and suffixes as they are, and with other text between and around them. */
const texts = (fact: FactName, literals: ReadonlyArray<FactLiteral>): ReadonlyArray<string> => {
  const listed = once(literals.flatMap(({ test }) => (test.op === "in" ? [...test.values] : [])))
  const asked = positive(literals)
  const prefixes = once(["", ...asked.flatMap(({ test }) => (test.op === "starts_with" ? test.prefixes : []))])
  const suffixes = once(["", ...asked.flatMap(({ test }) => (test.op === "ends_with" ? [test.suffix] : []))])
  const made = prefixes.flatMap((prefix) =>
    suffixes.flatMap((suffix) =>
      fact === "card.bin" ? bins(prefix, suffix) : fillers.map((fill) => prefix + fill + suffix)
    )
  )
  return [...listed.filter((value) => typeof value === "string"), ...made]
}

const once = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> => [...new Set(values)]

const fillers = ["", "-", "0", "x~", "7#", "q_@z"]

const DIGITS = "0123456789".split("")

const bins = (prefix: string, suffix: string): ReadonlyArray<string> =>
  DIGITS.flatMap((digit) =>
    [6, 8].map((length) => prefix + digit.repeat(Math.max(0, length - prefix.length - suffix.length)) + suffix)
  ).filter((bin) => /^\d{6,8}$/.test(bin))

const positive = (literals: ReadonlyArray<FactLiteral>): ReadonlyArray<FactLiteral> =>
  literals.filter(({ negated }) => !negated)

/** Whether no text, nor its absence, can pass: what was tried is then all that could have. */
const isExcluded = (fact: FactName, literals: ReadonlyArray<FactLiteral>): boolean => {
  const asked = positive(literals)
  if (asked.some(({ test }) => test.op === "in")) return true
  const mustBeAbsent = literals.some(({ negated, test }) => negated && test.op === "exists")
  if (mustBeAbsent) return asked.length > 0 || alwaysThere.has(fact)
  if (asked.length === 0) return false
  return (
    affixesLeft(fact, literals, prefixesOf, (text, affix) => text.startsWith(affix)) === 0 ||
    affixesLeft(fact, literals, suffixesOf, (text, affix) => text.endsWith(affix)) === 0
  )
}

const prefixesOf = ({ test }: FactLiteral): ReadonlyArray<string> | null =>
  test.op === "starts_with" ? test.prefixes : null
const suffixesOf = ({ test }: FactLiteral): ReadonlyArray<string> | null =>
  test.op === "ends_with" ? [test.suffix] : null

/** How many affixes can still be the text's; `null`: none is asked for. */
const affixesLeft = (
  fact: FactName,
  literals: ReadonlyArray<FactLiteral>,
  of: (literal: FactLiteral) => ReadonlyArray<string> | null,
  has: (text: string, affix: string) => boolean
): number | null => {
  const asked = positive(literals)
    .map((literal) => of(literal) ?? [])
    .filter((affixes) => affixes.length > 0)
  const refused = literals.flatMap((literal) => (literal.negated ? (of(literal) ?? []) : []))
  const [first, ...others] = asked
  if (first === undefined) return null
  const common = others.reduce<ReadonlyArray<string>>(
    (left, list) => left.flatMap((a) => list.flatMap((b) => (has(a, b) ? [a] : has(b, a) ? [b] : []))),
    first
  )
  return common.filter((affix) => !refused.some((each) => has(affix, each)) && isPossible(fact, affix)).length
}

/** A BIN is 6 to 8 digits. */
const isPossible = (fact: FactName, affix: string): boolean => fact !== "card.bin" || /^\d{1,8}$/.test(affix)

/** A minute of the day, of 1440, at which all of these hold; `null`: there is none. All are of one time zone. */
export const satisfyTime = (literals: ReadonlyArray<TimeLiteral>): number | null =>
  [0, ...literals.flatMap(({ window }) => [window.from, window.to])].find((minute) =>
    literals.every(({ negated, window: { from, to } }) => {
      const within = from < to ? minute >= from && minute < to : minute >= from || minute < to
      return within !== negated
    })
  ) ?? null

/** The literals of a clause by the fact they are about. */
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
