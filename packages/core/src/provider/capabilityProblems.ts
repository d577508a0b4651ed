/**
 * Validates the capabilities of an instance. Pure. The types are not guaranteed here: an adapter may be JavaScript, or
 * run without a type check.
 */
import { Predicate } from "effect"
import { exponent, isCurrency } from "../domain/Money.ts"
import { minorUnits } from "./amountRange.ts"
import type { Capabilities } from "./Capabilities.ts"

/** The problems of the declared capabilities, one sentence each; empty: valid. */
export const capabilityProblems = ({ accountHelp, methods }: Capabilities): ReadonlyArray<string> => [
  ...Object.entries(methods).flatMap(([rail, method]) =>
    Predicate.isObject(method) ? methodProblems(method).map((problem) => `methods.${rail}: ${problem}`) : []
  ),
  ...Object.entries(accountHelp ?? {})
    .filter(([, help]) => !isSentence(help))
    .map(([code]) => `accountHelp.${code} must be one line of text with at most 500 characters.`)
]

const isSentence = (help: unknown): boolean =>
  Predicate.isString(help) && help.trim() !== "" && help.length <= 500 && !/\p{Cc}/u.test(help)

const methodProblems = (method: { readonly [key: PropertyKey]: unknown }): ReadonlyArray<string> => {
  const { amounts = [], currencies } = method
  const codes = Array.isArray(currencies) ? currencies.map(String) : []
  const former = "amount" in method ? ["amount is of version 2 of the contract: use amounts."] : []
  const twice = repeated(codes).map((code) => `currencies has ${code} twice.`)
  if (!Array.isArray(amounts))
    return [...former, ...twice, 'amounts must be a list, such as [{ currency: "EUR", min: "0.50" }].']
  const limits: ReadonlyArray<unknown> = amounts
  const named = limits.map((limit) => String(Predicate.isObject(limit) ? limit["currency"] : limit))
  return [
    ...former,
    ...twice,
    ...repeated(named).map((code) => `amounts has ${code} twice.`),
    ...limits.flatMap((limit) => limitProblems(limit, currencies === "any" ? null : codes))
  ]
}

const limitProblems = (limit: unknown, currencies: ReadonlyArray<string> | null): ReadonlyArray<string> => {
  if (!Predicate.isObject(limit)) return ["amounts has an item that is not an object."]
  const { currency, max, min, ...more } = limit
  const [unknown] = Object.keys(more)
  if (unknown !== undefined) return [`amounts has the unknown key ${unknown}: use currency, min and max.`]
  const code = String(currency)
  if (!isCurrency(code)) return [`amounts has ${code}, which is not an ISO 4217 code in circulation, in capitals.`]
  if (currencies !== null && !currencies.includes(code)) return [`amounts has ${code}, which currencies does not list.`]
  if (min === undefined && max === undefined) return [`amounts of ${code} needs min or max.`]
  const decimals = exponent(code)
  const form = decimals === 0 ? "no decimals" : `at most ${decimals} decimals`
  const problems = Object.entries({ min, max }).flatMap(([name, text]) =>
    text === undefined || unitsOf(text, code) !== null
      ? []
      : [
          `amounts.${name} of ${code} is ${JSON.stringify(text)}: write it as text in major units with ${form}, above zero.`
        ]
  )
  if (problems.length > 0 || min === undefined || max === undefined) return problems
  return Number(unitsOf(min, code)) > Number(unitsOf(max, code))
    ? [`amounts of ${code} has min ${JSON.stringify(min)} above max ${JSON.stringify(max)}.`]
    : []
}

/** Converts a limit to minor units; `null`: not a limit. A number is rejected, since its unit is ambiguous. */
const unitsOf = (text: unknown, currency: string): number | null => {
  const units = Predicate.isString(text) ? minorUnits(text, currency) : null
  return units === 0 ? null : units
}

const repeated = (codes: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(codes.filter((code, place) => codes.indexOf(code) !== place))
]
