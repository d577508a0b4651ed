/** Counts the attempts of the period: first and following attempts, failure codes, durations, and open attempts. */
import type { Attempt } from "@paymux/core/store"
import { isInFlight } from "@paymux/core/store"
import { flowOf } from "../learn/Attempts.ts"
import { attemptSample } from "../learn/attemptSample.ts"
import type { Segment, Part } from "../learn/Segment.ts"
import { addDuration, noDurations } from "../learn/survivalCurve.ts"
import type { Durations } from "../learn/survivalCurve.ts"
import { add } from "../learn/Series.ts"
import type { Series } from "../learn/Series.ts"
import { nodesToAdd, noTree } from "../learn/segmentTree.ts"
import type { Tree } from "../learn/segmentTree.ts"

export interface PeriodCounts {
  readonly firsts: Tree
  readonly followers: Tree
  readonly providers: Set<string>
  /** Failures of first attempts, by flow and by provider and flow: the number for each code that permits failover, or `FINAL`. */
  readonly failures: Map<string, Map<string, number>>
  /** Parts of segments that a provider has had in a flow. */
  readonly seen: Set<string>
  /** Durations of attempts, by flow, and by provider and flow. */
  readonly durations: Map<string, Durations>
  readonly open: Array<OpenAttempt>
  /** The latest time of an attempt, ms UTC. */
  until: number
}

interface OpenAttempt {
  readonly series: ReadonlyArray<Series>
  /** The provider and flow. */
  readonly key: string
  readonly flow: string
  readonly startedAt: number
}

/** The provider did not execute the attempt, so another provider is tried as if it was the first. */
export const NOT_EXECUTED = "not_executed"

/** A failure that ends the payment. */
export const FINAL = "final"

export const noCounts = (): PeriodCounts => ({
  firsts: noTree(),
  followers: noTree(),
  providers: new Set(),
  failures: new Map(),
  seen: new Set(),
  durations: new Map(),
  open: [],
  until: 0
})

/** `path`: the path of the segment. */
export const countPayment = (
  counts: PeriodCounts,
  segment: Segment,
  path: ReadonlyArray<Part>,
  attempts: ReadonlyArray<Attempt>
): void => {
  const flow = flowOf(segment)
  for (const [index, attempt] of attempts.entries()) {
    counts.until = Math.max(counts.until, attempt.endedAt ?? attempt.startedAt)
    if (index === 0) countFirst(counts, flow, path, attempt)
    else countFollowing(counts, flow, endingOf(attempts[index - 1]), attempt)
  }
}

const countFirst = (counts: PeriodCounts, flow: string, path: ReadonlyArray<Part>, attempt: Attempt): void => {
  const { endedAt, provider, startedAt, status } = attempt
  counts.providers.add(provider)
  for (const part of path) counts.seen.add(seenKey(provider, flow, part))
  const series = nodesToAdd(counts.firsts, provider, path).map((node) => node.series)
  const key = `${provider}\n${flow}`
  if (isInFlight(status) || endedAt === null) {
    counts.open.push({ series, key, flow, startedAt })
    return
  }
  const result = resultOf(attempt)
  for (const each of series) add(each, 0, result, 1)
  for (const name of [flow, key]) {
    const durations = counts.durations.get(name) ?? noDurations()
    counts.durations.set(name, durations)
    addDuration(durations, Math.max(0, endedAt - startedAt), result === "success", 1)
    if (result === "success") continue
    const failures = counts.failures.get(name) ?? new Map<string, number>()
    const ending = endingOf(attempt) ?? FINAL
    counts.failures.set(name, failures.set(ending, (failures.get(ending) ?? 0) + 1))
  }
}

const countFollowing = (counts: PeriodCounts, flow: string, before: string | null, attempt: Attempt): void => {
  if (before === null || isInFlight(attempt.status)) return
  const parts = followingPath(flow, attempt.provider, before)
  for (const { series } of nodesToAdd(counts.followers, "", parts)) add(series, 0, resultOf(attempt), 1)
}

/** Failures by the payer count too, since acceptance is the share of payments that are paid. */
const resultOf = (attempt: Attempt): "success" | "failure" => (isPaid(attempt) ? "success" : "failure")

export const isPaid = ({ code, status }: Attempt): boolean => attemptSample(status, code) === "success"

/**
 * The code of an attempt that permits another provider, if no action was shown to the payer; `null`: the attempt ends the
 * payment.
 */
export const endingOf = (attempt: Attempt | undefined): string | null => {
  if (attempt === undefined) return null
  // If the request itself was wrong, no other provider is tried.
  if (attempt.status === "not_executed") return attempt.code === "request_rejected" ? null : NOT_EXECUTED
  return attempt.status === "declined" && !attempt.actionShown && attempt.code !== null && soft.has(attempt.code)
    ? attempt.code
    : null
}

/**
 * Declines that may not occur at another provider. The adapter's own classification is not stored with the attempt.
 */
const soft: ReadonlySet<string> = new Set(["do_not_honor", "issuer_unavailable", "processing_error", "generic_decline"])

/** The path of following attempts: the flow, then the code, then the provider after this code. */
export const followingPath = (flow: string, provider: string, code: string): ReadonlyArray<Part> => [
  { level: "flow", value: `flow=${flow}` },
  { level: "network", value: `provider=${provider}` },
  { level: "country", value: `code=${code}` }
]

export const seenKey = (provider: string, flow: string, { value }: Part): string => `${provider}\n${flow}\n${value}`
