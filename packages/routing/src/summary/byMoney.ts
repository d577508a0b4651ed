/** Explains the choices of `best: cost` and `best: value` in sentences. */
import { before, bracketed, detailed, listed, names, rateParts } from "./candidateText.ts"
import type { Considered, Ranked } from "./candidateText.ts"

/** Formats the name of the limit that a rate does not reach, such as `the floor of 90.0%`. */
export type LimitText = (below: string) => string

/**
 * Explains a choice by cost. `ranked` are the candidates by cost, or by their draws if the costs do not decide; those
 * below the limit are last.
 */
export const byCost = (ranked: Ranked, limitText: LimitText): ReadonlyArray<string> =>
  aboveLimit(ranked, limitText, (above, among) => {
    const [first, ...others] = above
    if (first.cost === null) return `${first.provider} came first by cost.`
    if (first.cost === UNKNOWN) {
      return `No cost is known for ${names(above)}, so the order of the rule applies and ${first.provider} came first.`
    }
    return `${among}${first.provider} had the lowest cost: ${costText(first)}${before(others.map(withCost))}.`
  })

/**
 * Explains a choice by value. `ranked` are the candidates by value, or by their draws if the values do not decide;
 * those below the limit are last.
 */
export const byValue = (ranked: Ranked, limitText: LimitText): ReadonlyArray<string> =>
  aboveLimit(ranked, limitText, (above, among) => {
    const [first, ...others] = above
    if (first.value === null) {
      return first.cost === null
        ? `${first.provider} came first by value.`
        : `No cost is known for ${names(above)}, so ${highestDraw(above)}.`
    }
    // The candidates are ordered by value. So if the first value is not above 0, no candidate has a value above 0.
    if (first.value.startsWith("-")) return `No value above 0 is expected of ${names(above)}, so ${highestDraw(above)}.`
    return `${among}${first.provider} had the highest expected value: ${valueText(first)}${before(others.map(withValue))}.`
  })

const UNKNOWN = "unknown"

type Choice = (above: Ranked, among: string) => string

/** Explains candidates below the limit in a sentence of their own, since they may be cheaper than the chosen one. */
const aboveLimit = (ranked: Ranked, limitText: LimitText, choice: Choice): ReadonlyArray<string> => {
  const [first, ...others] = ranked.filter(({ below }) => below === null)
  const late = ranked.filter(({ below }) => below !== null)
  const limit = limitText(late[0]?.below ?? "")
  if (first === undefined) return [`Every success rate is probably below ${limit}, so ${highestDraw(ranked)}.`]
  if (late.length === 0) return [choice([first, ...others], "")]
  const chosen =
    others.length === 0
      ? `Only ${detailed(first)} had a high enough success rate.`
      : choice([first, ...others], "Among the providers with a high enough success rate, ")
  return [chosen, `${listed(late.map(detailed))} ${lateText(late)} ${limit}.`]
}

const lateText = ({ length }: ReadonlyArray<Considered>): string =>
  length === 1
    ? "comes later: its success rate is probably below"
    : "come later: their success rates are probably below"

const highestDraw = ([first, ...others]: Ranked): string =>
  `the highest draw came first: ${detailed(first)}${before(others.map(detailed))}`

const costText = (candidate: Considered): string => `${candidate.cost}${bracketed(rateParts(candidate))}`

const withCost = (candidate: Considered): string =>
  candidate.cost === null || candidate.cost === UNKNOWN
    ? detailed(candidate)
    : `${candidate.provider} with ${costText(candidate)}`

const valueText = (candidate: Considered): string => {
  const { cost, value } = candidate
  return `${value}${bracketed([cost === null ? null : `cost ${cost}`, ...rateParts(candidate)])}`
}

const withValue = (candidate: Considered): string =>
  candidate.value === null ? detailed(candidate) : `${candidate.provider} with ${valueText(candidate)}`
