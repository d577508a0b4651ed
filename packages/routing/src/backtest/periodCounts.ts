/**
 * Counts the attempts of a backtest's period: first attempts, attempts after a failover, failure codes, durations, and
 * open attempts.
 */
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
  /**
   * The number of failed first attempts by code, per flow and per provider and flow. Failures that do not permit
   * failover have the code `FINAL`.
   */
  readonly failures: Map<string, Map<string, number>>
  /**
   * The keys of all segment levels, such as a currency or a card network, in which a provider had a first attempt. See
   * `seenKey`.
   */
  readonly seen: Set<string>
  /** The durations of ended attempts, per flow and per provider and flow. */
  readonly durations: Map<string, Durations>
  readonly open: Array<OpenAttempt>
  /** The latest timestamp of all attempts, ms UTC. */
  until: number
}

interface OpenAttempt {
  readonly series: ReadonlyArray<Series>
  /** The map key of an attempt's provider and flow. */
  readonly key: string
  readonly flow: string
  readonly startedAt: number
}

/**
 * The failure code of an attempt that the provider did not execute. An attempt that follows it is treated like a first
 * attempt.
 */
export const NOT_EXECUTED = "not_executed"

/** The code for failures that end the payment. */
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

/** Counts the attempts of a payment. `path` lists the levels of its segment, from the widest to the narrowest. */
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

/** Failures that the payer caused count too, since acceptance is the share of all payments that are paid. */
const resultOf = (attempt: Attempt): "success" | "failure" => (isPaid(attempt) ? "success" : "failure")

export const isPaid = ({ code, status }: Attempt): boolean => attemptSample(status, code) === "success"

/**
 * The code of a failed attempt if it permits failover to another provider and the payer was not shown an action; `null`
 * if the attempt ends the payment.
 */
export const endingOf = (attempt: Attempt | undefined): string | null => {
  if (attempt === undefined) return null
  // If the provider rejected the request as invalid, no other provider is tried.
  if (attempt.status === "not_executed") return attempt.code === "request_rejected" ? null : NOT_EXECUTED
  return attempt.status === "declined" && !attempt.actionShown && attempt.code !== null && soft.has(attempt.code)
    ? attempt.code
    : null
}

/**
 * Decline codes that another provider may not return. They are listed here because the adapter's own classification is
 * not stored with the attempt.
 */
const soft: ReadonlySet<string> = new Set(["do_not_honor", "issuer_unavailable", "processing_error", "generic_decline"])

/**
 * The path under which attempts after a failure are counted: the flow, the provider of the new attempt, and the code of
 * the previous failure.
 */
export const followingPath = (flow: string, provider: string, code: string): ReadonlyArray<Part> => [
  { level: "flow", value: `flow=${flow}` },
  { level: "network", value: `provider=${provider}` },
  { level: "country", value: `code=${code}` }
]

export const seenKey = (provider: string, flow: string, { value }: Part): string => `${provider}\n${flow}\n${value}`
