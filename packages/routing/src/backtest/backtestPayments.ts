/**
 * Groups the payments of the period, and estimates their results with the draft. Actual results are used up to the
 * first attempt that the draft would not have made.
 */
import type { Attempt } from "@paymux/core/store"
import { isInFlight } from "@paymux/core/store"
import type { FailoverPolicy } from "@paymux/core/routing"
import type { Fee } from "../choose/Fees.ts"
import type { Facts } from "../Facts.ts"
import { segmentKey, segmentOf } from "../learn/Segment.ts"
import type { Segment } from "../learn/Segment.ts"
import { certain, combine } from "./Draws.ts"
import type { Draws } from "./Draws.ts"
import { addMoney, noMoney } from "./groupMoney.ts"
import type { GroupMoney } from "./groupMoney.ts"
import { endingOf, isPaid, NOT_EXECUTED } from "./periodCounts.ts"
import type { PeriodEvidence } from "./periodEvidence.ts"

/**
 * The point of a past payment from which the draft's result has to be estimated: the first difference between the draft
 * and the actual attempts. It is part of a group's key.
 */
export type Start =
  /** The draft would start with another provider, so the entire result is estimated. */
  | { readonly _tag: "New" }
  /**
   * The attempt at index `place` of the draft's list of providers is still open. `startedAt` is the minute of its
   * start, ms UTC.
   */
  | { readonly _tag: "Open"; readonly place: number; readonly startedAt: number }
  /** The draft would also make all actual attempts, and the payment has ended. So its actual result counts. */
  | { readonly _tag: "Known"; readonly paid: boolean }
  /**
   * The difference is at index `place` of the draft's list: after an attempt that ended with `code`, the draft would
   * continue with another provider than the actual one.
   */
  | { readonly _tag: "After"; readonly place: number; readonly code: string; readonly isDeclined: boolean }

export interface Group {
  readonly segment: Segment
  /** The provider that was actually tried first. */
  readonly before: string
  /** The draft's providers for the payments, in the order of the attempts; empty if it has no provider. */
  readonly chain: ReadonlyArray<string>
  readonly policy: FailoverPolicy
  readonly start: Start
  payments: number
  /** The number of payments of the group that were actually paid. */
  paid: number
  /** The actual attempts of the group that are still open. */
  readonly open: Array<Pick<Attempt, "provider" | "startedAt">>
  /** Amounts and costs, summed over the payments of the group, in minor units. */
  readonly money: GroupMoney
}

/**
 * The expected result of a group's payments. `paid` is the probability that a payment is paid. `attempts` has, for each
 * provider of the draft's list, the probabilities that an attempt is made, is paid, or is not executed.
 */
export interface Outcome {
  readonly paid: Draws
  readonly attempts: ReadonlyArray<{ readonly made: number; readonly paid: number; readonly notExecuted: number }>
}

/**
 * The number of groups above which the issuers of payments are ignored, since the estimate of one group takes one or
 * two ms.
 */
const MOST_GROUPS = 5_000

const all = { windowMs: null, learnFrom: "all", segments: [] } as const

/** Creates a collector that counts each payment in its group. */
export const paymentGroups = (feeOfProvider: (provider: string) => Fee) => {
  const groups = new Map<string, Group>()
  return {
    groups: (): Iterable<Group> => groups.values(),
    add: ({ attempts, before, chain, facts, policy, rule }: Replayed): void => {
      const { kept, start } = startOf(attempts, chain, policy, facts)
      const known = groups.size < MOST_GROUPS ? facts : { ...facts, issuer: null }
      const key = `${before} ${chain.join(" ")}\n${rule}\n${startKey(start)}\n${segmentKey(all, known, rule)}`
      const group = groups.get(key) ?? noPayments(segmentOf(known, rule), before, chain, policy, start)
      groups.set(key, group)
      group.payments++
      const open = attempts.find(({ status }) => isInFlight(status))
      if (attempts.some(isPaid)) group.paid++
      else if (open !== undefined) group.open.push({ provider: open.provider, startedAt: minuteOf(open) })
      addMoney(group.money, { attempts, chain, facts }, kept, furtherPlaces(start, chain, policy), feeOfProvider)
    }
  }
}

/** A past payment with the draft's plan for it. */
export interface Replayed {
  readonly facts: Facts
  readonly attempts: ReadonlyArray<Attempt>
  readonly before: string
  readonly chain: ReadonlyArray<string>
  readonly rule: string
  readonly policy: FailoverPolicy
}

const noPayments = (
  segment: Segment,
  before: string,
  chain: ReadonlyArray<string>,
  policy: FailoverPolicy,
  start: Start
): Group => {
  return { segment, before, chain, policy, start, payments: 0, paid: 0, open: [], money: noMoney(chain) }
}

/** Returns the indices of the providers that the draft may still try for a payment, from the given start on. */
const furtherPlaces = (start: Start, chain: ReadonlyArray<string>, { maxAttempts, on }: FailoverPolicy) => {
  if (start._tag === "Known") return []
  const first = start._tag === "New" ? 0 : start.place
  const end = on.length === 0 || start._tag === "Open" ? first + 1 : maxAttempts
  return [...chain.keys()].slice(first, Math.max(first + 1, end))
}

const startKey = (start: Start): string => {
  switch (start._tag) {
    case "New":
      return "new"
    case "Open":
      return `open ${start.place} ${start.startedAt}`
    case "Known":
      return start.paid ? "paid" : "failed"
    case "After":
      return `after ${start.place} ${start.code} ${start.isDeclined}`
  }
}

/**
 * Follows the actual attempts up to the first one that the draft would not have made. `kept` is the number of attempts
 * before that one.
 */
const startOf = (
  attempts: ReadonlyArray<Attempt>,
  chain: ReadonlyArray<string>,
  policy: FailoverPolicy,
  { payment_method }: Facts
): { readonly start: Start; readonly kept: number } => {
  let code: string | null = null
  let isDeclined = false
  for (const [place, provider] of chain.entries()) {
    const attempt = attempts[place]
    if (attempt === undefined || attempt.provider !== provider) {
      return code === null
        ? { start: { _tag: "New" }, kept: 0 }
        : { start: { _tag: "After", place, code, isDeclined }, kept: place }
    }
    if (isInFlight(attempt.status)) {
      return { start: { _tag: "Open", place, startedAt: minuteOf(attempt) }, kept: place }
    }
    if (isPaid(attempt)) return { start: { _tag: "Known", paid: true }, kept: place + 1 }
    code = endingOf(attempt)
    if (code === null || !goesOn(code, policy, payment_method, place + 1, isDeclined)) {
      return { start: { _tag: "Known", paid: false }, kept: place + 1 }
    }
    isDeclined ||= code !== NOT_EXECUTED
  }
  return chain.length === 0
    ? { start: { _tag: "New" }, kept: 0 }
    : { start: { _tag: "Known", paid: false }, kept: chain.length }
}

/** Rounds the start of an attempt down to its minute, by which open attempts are grouped. */
const minuteOf = ({ startedAt }: Attempt): number => Math.floor(startedAt / 60_000) * 60_000

/**
 * Whether the next provider is tried after an attempt that ended with `code`. Applies the engine's failover rules as
 * far as stored codes allow: at most once after a decline, never for UPI, and within the limits of the policy.
 */
const goesOn = (
  code: string,
  { maxAttempts, notOn, on }: FailoverPolicy,
  rail: Facts["payment_method"],
  attempts: number,
  isDeclined: boolean
): boolean => {
  if (attempts >= maxAttempts) return false
  if (code === NOT_EXECUTED) return on.includes(NOT_EXECUTED)
  return rail !== "upi" && !isDeclined && on.includes("soft_decline") && !notOn.some((each) => each === code)
}

/** Estimates the result of a payment of the group. */
export const outcomeOf = ({ chain, segment, policy, start }: Group, evidence: PeriodEvidence): Outcome => {
  const attempts = chain.map(() => ({ made: 0, paid: 0, notExecuted: 0 }))
  /**
   * Computes the probability that a payment is paid by the attempt at index `place` or by a later one. `code` is the
   * result of the previous attempt, and `reached` is the probability that the attempt at `place` is made.
   */
  const from = (place: number, code: string | null, isDeclined: boolean, reached: number): Draws => {
    const provider = chain[place]
    if (provider === undefined) return certain(0)
    const shares = evidence.softShares(provider, segment)
    const rate = code === null ? evidence.first(provider, segment) : evidence.following(provider, segment, code)
    const attempt = attempts[place]
    const expected = rate[0] ?? 0
    if (attempt !== undefined) {
      attempt.made += reached
      attempt.paid += reached * expected
      attempt.notExecuted += reached * (1 - expected) * (shares.get(NOT_EXECUTED) ?? 0)
    }
    const further = [...shares].flatMap(([ending, share]) => {
      if (!goesOn(ending, policy, segment.rail, place + 1, isDeclined)) return []
      const declined = isDeclined || ending !== NOT_EXECUTED
      return [{ share, paid: from(place + 1, ending, declined, reached * (1 - expected) * share) }]
    })
    return combine((at) => {
      const own = rate[at] ?? 0
      return own + (1 - own) * further.reduce((sum, { paid, share }) => sum + share * (paid[at] ?? 0), 0)
    })
  }
  switch (start._tag) {
    case "New":
      return { paid: from(0, null, false, 1), attempts }
    case "Known":
      return { paid: certain(start.paid ? 1 : 0), attempts }
    case "After":
      return { paid: from(start.place, start.code, start.isDeclined, 1), attempts }
    case "Open": {
      const paid = evidence.stillSucceeds(chain[start.place] ?? "", segment, start.startedAt)
      const attempt = attempts[start.place]
      if (attempt !== undefined) Object.assign(attempt, { made: 1, paid: paid[0] ?? 0 })
      return { paid, attempts }
    }
  }
}
