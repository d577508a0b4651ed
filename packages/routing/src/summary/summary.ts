/**
 * Summarizes a decision in one paragraph: the rule that decided and why, its choice of the provider, the excluded
 * providers, and the next providers. All numbers are stored with the decision, so its summary never changes.
 */
import type { Candidate, Demotion, RoutingResult } from "@paymux/core/routing"
import type { RoutingDecision } from "@paymux/core/store"
import type { Facts } from "../Facts.ts"
import { predicateOf } from "../match/Condition.ts"
import type { Condition } from "../match/Condition.ts"
import { considered, detailed, names } from "./candidateText.ts"
import type { Considered, Ranked } from "./candidateText.ts"
import { howChosen } from "./howChosen.ts"
import { limitText } from "./Limits.ts"
import type { Limits } from "./Limits.ts"
import { counted, joined, limited, moreProviders } from "./lists.ts"
import { whyDropped } from "./whyDropped.ts"
import { whyHolds } from "./whyHolds.ts"

export interface Summarized {
  readonly answer: RoutingResult
  /** The condition of the rule that decided; `null` for the default, or if the rule no longer exists. */
  readonly condition: Condition | null
  /** The number of rules that were evaluated before it and do not match. */
  readonly passedOver: number
  readonly limits: Limits
  readonly facts: Facts
}

/**
 * Summarizes a decision in two to five sentences.
 *
 * @example
 * ```ts
 * summaryOf({ answer, condition, passedOver: 0, limits: { floor: null, within: null }, facts })
 * // => 'Rule "cards" decided, because payment_method is card. adyen is the first available provider in the list. If adyen …'
 * ```
 */
export const summaryOf = (summarized: Summarized): string => {
  const { answer } = summarized
  const sentences =
    answer._tag === "Plan" ? planned(summarized, answer.decision) : noRoute(summarized, answer.candidates)
  // Removes line breaks, control characters and bidirectional formatting, since metadata and notes are written by
  // merchants.
  return [decidedBy(summarized), ...sentences, ...experimentOf(answer)]
    .join(" ")
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, "\uFFFD")
}

const experimentOf = (answer: RoutingResult): ReadonlyArray<string> => {
  const experiment = answer._tag === "Plan" ? answer.decision.experiment : undefined
  return experiment === undefined
    ? []
    : [`The payment is part of experiment "${experiment.name}", in the arm ${experiment.arm}.`]
}

const MOST_CONDITIONS = 3

const decidedBy = ({ answer, condition, facts, passedOver }: Summarized): string => {
  const name = answer._tag === "Plan" ? answer.decision.rule : answer.rule
  if (condition === null && name === "default") {
    return passedOver === 0 ? "The default decided, as there are no rules." : "No rule matched, so the default decided."
  }
  const rule = `Rule "${name}" decided`
  if (condition === null) return `${rule}.`
  // If the condition no longer holds, the payment has changed since the decision, or the rules were edited in the
  // database.
  if (!predicateOf(condition)(facts))
    return `${rule}, although its conditions do not match the payment as it is stored.`
  const why = limited(whyHolds(condition, facts), MOST_CONDITIONS, (count) =>
    count === 1 ? "1 more condition matches" : `${count} more conditions match`
  )
  return why.length === 0 ? `${rule}.` : `${rule}, because ${joined(why)}.`
}

const noRoute = ({ facts }: Summarized, dropped: ReadonlyArray<Candidate>): ReadonlyArray<string> => [
  `No provider is available: ${reasonsOf(dropped, facts)}.`,
  "The payment is rejected with no_route."
]

const planned = (
  { facts, limits }: Summarized,
  { candidates, dropped, reason }: RoutingDecision
): ReadonlyArray<string> => {
  const all = candidates.map(considered)
  const demoted = all.filter(({ demotion }) => demotion !== null)
  const [first, ...others] = all.filter(({ demotion }) => demotion === null)
  const left = leftOut(dropped, facts)
  // A decision of this release always has a first candidate that is not demoted, or else another reason. Decisions of
  // other releases may have none.
  if (first === undefined) return [...allDemoted(demoted), ...left]
  const ranked: Ranked = [first, ...others]
  if (others.length > 0) {
    return [...howChosen(reason, ranked, (below) => limitText(limits, below)), ...left, next(ranked, demoted)]
  }
  const only =
    demoted.length + dropped.length === 0 ? "is the only provider to choose from" : "was the only available provider"
  const despite =
    first.below === null ? "" : `, although its success rate is probably below ${limitText(limits, first.below)}`
  return [`${detailed(first)} ${only}${despite}.`, ...left, next(ranked, demoted)]
}

const allDemoted = (demoted: ReadonlyArray<Considered>): ReadonlyArray<string> => {
  const [first] = demoted
  if (first === undefined) return []
  const every = demoted.every(({ demotion }) => demotion === "breaker_open")
    ? "Every circuit breaker was open"
    : "Every provider was moved to the end"
  return [`${every}: ${first.provider} is tried first.`]
}

const leftOut = (dropped: ReadonlyArray<Candidate>, facts: Facts): ReadonlyArray<string> => {
  const [first, ...others] = dropped
  if (first === undefined) return []
  return others.length === 0
    ? [`${first.provider} was left out: ${whyDropped(["it"], first.reason, facts)}.`]
    : [`${counted(dropped.length, "provider")} were left out: ${reasonsOf(dropped, facts)}.`]
}

const MOST_REASONS = 3
const MOST_OF_REASON = 3

/** Explains why providers were dropped, grouped by reason. */
const reasonsOf = (dropped: ReadonlyArray<Candidate>, facts: Facts): string => {
  const byReason = Map.groupBy(dropped, ({ reason }) => reason)
  const clauses = [...byReason].map(([reason, those]) => {
    const providers = those.map(({ provider }) => provider)
    return whyDropped(limited(providers, MOST_OF_REASON, moreProviders), reason, facts)
  })
  return limited(clauses, MOST_REASONS, (count) => `others have ${counted(count, "more reason")}`).join("; ")
}

const MOST_NEXT = 4

/**
 * Names the next providers. The wording is conditional, since failover ends after some attempts, and after most
 * declines.
 */
const next = ([first, ...others]: Ranked, demoted: ReadonlyArray<Considered>): string => {
  const failed = `If ${first.provider} fails and failover is allowed`
  const then = limited(
    others.map(({ provider }) => provider),
    MOST_NEXT,
    moreProviders
  )
  const [second, ...rest] = then
  const order = second === undefined ? [] : [[`${second} is next`, ...rest].join(", then ")]
  const clauses = [...order, ...lastTexts(demoted)]
  return clauses.length === 0 ? "No other provider is left for failover." : `${failed}, ${clauses.join("; ")}.`
}

const lastTexts = (demoted: ReadonlyArray<Considered>): ReadonlyArray<string> =>
  (["breaker_open", "account_not_enabled"] as const).flatMap((reason) => {
    const those = demoted.filter(({ demotion }) => demotion === reason)
    if (those.length === 0) return []
    const [one, several] = whyLast[reason]
    const because = those.length === 1 ? `comes last, because its ${one}` : `come last, because their ${several}`
    return [`${names(those)} ${because}`]
  })

/** The reason why demoted providers are tried last, in singular and plural. */
const whyLast: { readonly [reason in Demotion]: readonly [string, string] } = {
  breaker_open: ["circuit breaker was open", "circuit breakers were open"],
  account_not_enabled: [
    "account was not enabled for this kind of payment",
    "accounts were not enabled for this kind of payment"
  ]
}
