/** What is wrong with the capabilities of an instance. Pure. */
import { isCurrency } from "../domain/Currency.ts"
import { minorUnits } from "./amountRange.ts"
import type { AmountLimit, Capabilities, MethodCapability } from "./Capabilities.ts"

/** One sentence for each problem; empty: none. */
export const capabilityProblems = ({ methods }: Capabilities): ReadonlyArray<string> =>
  Object.entries(methods).flatMap(([rail, method]) =>
    method === undefined ? [] : methodProblems(method).map((problem) => `methods.${rail}: ${problem}`)
  )

const methodProblems = ({ amounts = [], currencies }: MethodCapability): ReadonlyArray<string> => [
  ...(currencies === "any" ? [] : repeated(currencies).map((code) => `currencies has ${code} twice.`)),
  ...repeated(amounts.map(({ currency }) => currency)).map((code) => `amounts has ${code} twice.`),
  ...amounts.flatMap(limitProblems)
]

const limitProblems = ({ currency, max, min }: AmountLimit): ReadonlyArray<string> => {
  if (!isCurrency(currency))
    return [`amounts has ${currency}, which is not an ISO 4217 code in circulation, in capitals.`]
  if (min === undefined && max === undefined) return [`amounts of ${currency} needs min or max.`]
  const problems = Object.entries({ min, max }).flatMap(([name, text]) =>
    text === undefined || minorUnits(text, currency) !== null
      ? []
      : [
          `amounts.${name} of ${currency} must be an amount in major units with at most the decimals of the currency: ${text}`
        ]
  )
  if (problems.length > 0 || min === undefined || max === undefined) return problems
  return Number(minorUnits(min, currency)) > Number(minorUnits(max, currency))
    ? [`amounts of ${currency} has min ${min} above max ${max}.`]
    : []
}

const repeated = (codes: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(codes.filter((code, place) => codes.indexOf(code) !== place))
]
