/**
 * Formats candidates with their numbers as parts of a sentence. Numbers that the decision does not store are omitted.
 */
import { candidateReason } from "./CandidateReason.ts"
import type { CandidateReason } from "./CandidateReason.ts"
import type { Candidate } from "@paymux/core/routing"
import { counted, joined, limited, moreProviders } from "./lists.ts"

export interface Considered extends CandidateReason {
  readonly provider: string
}

/** The candidates, at least one, in the order in which they are tried. */
export type Ranked = readonly [Considered, ...ReadonlyArray<Considered>]

export const considered = ({ provider, reason }: Candidate): Considered => ({ provider, ...candidateReason(reason) })

/** Formats a success rate: `93.1% (estimate 92.4% from 212 attempts)`; `null` if the decision has none. */
export const rateText = (candidate: Considered): string | null => {
  const { drawn, estimate, samples } = candidate
  if (estimate === null) return null
  if (drawn !== null) return `${drawn}${bracketed([estimateText(estimate, candidate)])}`
  if (samples === 0) return `${estimate} (assumed, as nothing is known yet)`
  return samples === null ? estimate : `${estimate}${bracketed([`from ${counted(samples, "attempt")}`])}`
}

/** Formats a candidate: `adyen (cost 1.53 EUR, drawn success rate 92.6%, estimate 91.9% from 60 attempts)`. */
export const detailed = (candidate: Considered): string => {
  const { cost, provider, value } = candidate
  const money = [value === null ? null : `value ${value}`, cost === null ? null : `cost ${cost}`]
  return `${provider}${bracketed([...money, ...rateParts(candidate)])}`
}

/**
 * The parts of a candidate's text about its success rate: `drawn success rate 92.6%` and `estimate 91.9% from 60
 * attempts`.
 */
export const rateParts = (candidate: Considered): ReadonlyArray<string | null> => [
  candidate.drawn === null ? null : `drawn success rate ${candidate.drawn}`,
  candidate.estimate === null ? null : estimateText(candidate.estimate, candidate)
]

/**
 * Formats the estimate. Without attempts, the rate is the prior of the rule, and "from 0 attempts" would suggest a
 * measurement.
 */
const estimateText = (estimate: string, { basis, samples }: Considered): string => {
  if (samples === 0) return `assumed ${estimate}, as nothing is known yet`
  if (samples === null) return `estimate ${estimate}`
  return `estimate ${estimate} from ${basis === null ? counted(samples, "attempt") : `${samples} ${basis}`}`
}

/** Formats parts in brackets: ` (cost 1.53 EUR, estimate 91.9%)`; empty if no part is present. */
export const bracketed = (parts: ReadonlyArray<string | null>): string => {
  const present = parts.filter((part) => part !== null)
  return present.length === 0 ? "" : ` (${present.join(", ")})`
}

const MOST_OTHERS = 3

/** Joins texts to a list: `stripe with 90.2% and checkout`. */
export const listed = (texts: ReadonlyArray<string>): string => joined(limited(texts, MOST_OTHERS, moreProviders))

/** Formats the candidates that rank lower: `, before stripe with 90.2%`. */
export const before = (texts: ReadonlyArray<string>): string => (texts.length === 0 ? "" : `, before ${listed(texts)}`)

export const names = (candidates: ReadonlyArray<Considered>): string =>
  listed(candidates.map(({ provider }) => provider))
