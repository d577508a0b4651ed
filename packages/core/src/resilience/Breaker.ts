/**
 * The circuit breaker port: whether calls of an operation to a provider are allowed now.
 *
 * Admission and result are two steps, because commits happen between them: `admit` returns a permit, and the result of
 * the call is reported to the permit. A breaker never waits, never runs the call and never interrupts it: a deadline
 * ends the call, and the result is reported here.
 *
 * - closed: every call is admitted, and results are counted over a rolling window.
 * - open: no call is admitted for `openMs`.
 * - half open: one call is admitted, the probe. Its result closes the breaker or opens it again.
 *
 * A result counts only in the state in which its call was admitted: a late success from before the breaker opened is no
 * evidence about the provider now. A breaker that closes starts with an empty window.
 *
 * The idea is Nygard's (Release It!, chapter 5); the values are those of `breakerDefaults`.
 *
 * @example
 * ```ts
 * const charge = Effect.gen(function* () {
 *   const breaker = (yield* Breakers).get({ provider: "acme", operation: "create" })
 *   const permit = yield* Effect.fromResult(breaker.admit())
 *   const outcome = yield* callTheProvider
 *   permit.report(outcome._tag === "Unknown" ? "failure" : "success")
 *   return outcome
 * })
 * ```
 */
import { Context, Schema } from "effect"
import type { Effect, PubSub, Result, Scope } from "effect"

export type BreakerState = "closed" | "open" | "half_open"

/**
 * The result of an admitted call. `ignored`: a decline or our own 4xx. It counts neither as a call nor as a failure; as
 * the result of a probe it closes the breaker, because the provider responds.
 */
export type BreakerResult = "success" | "failure" | "ignored"

/** The permission for one call. The caller ends it with `report` or `release`; only the first of them counts. */
export interface BreakerPermit {
  readonly report: (result: BreakerResult) => void
  /**
   * Ends a permit whose call was never started (the commit before it failed): nothing is counted, and a probe is
   * possible again.
   */
  readonly release: () => void
}

/** Makes a permit, for implementations of the port. Only the first `report` or `release` calls `settle`. */
export const permitOf = (settle: (end: BreakerResult | "released") => void): BreakerPermit => {
  let isEnded = false
  const end = (how: BreakerResult | "released") => {
    if (isEnded) return
    isEnded = true
    settle(how)
  }
  return { report: end, release: () => end("released") }
}

/**
 * Error: the call was not admitted, because the breaker is open, or half open with its probe in flight. Nothing was
 * sent.
 */
export class BreakerOpen extends Schema.TaggedError<BreakerOpen>()("BreakerOpen", {
  /** The time until another call may be admitted, ms, at least 1. */
  retryAfterMs: Schema.Finite
}) {}

export interface Breaker {
  readonly admit: () => Result.Result<BreakerPermit, BreakerOpen>
  readonly state: () => BreakerState
  /**
   * Opens the breaker immediately, because the provider rejected our credentials. It is probed like any open breaker.
   * If it is open already, only the cause is recorded. Call it before the result of the call is reported: the breaker
   * then ignores that result.
   */
  readonly forceOpen: (cause: "misconfigured") => void
}

/** The key of a breaker: a provider whose refunds fail may still accept payments, and inquiries count separately. */
export interface BreakerKey {
  /** The id of the provider instance, as configured. */
  readonly provider: string
  /** The kind of call: `create`, `capture`, `cancel`, `refund` or `inquire`. */
  readonly operation: string
}

export type BreakerCause =
  | "failure_rate"
  | "misconfigured"
  | "open_time_over"
  | "probe_succeeded"
  | "probe_answered"
  | "probe_failed"

export interface BreakerTransition {
  readonly key: BreakerKey
  readonly from: BreakerState
  readonly to: BreakerState
  readonly cause: BreakerCause
  /** The time of the change, ms UTC. */
  readonly at: number
}

export interface BreakerSnapshot {
  readonly key: BreakerKey
  readonly state: BreakerState
  /** The cause of the current state; `null`: the breaker never left its initial state. */
  readonly cause: BreakerCause | null
  /** The time at which the current state began, ms UTC. */
  readonly since: number
}

export interface BreakerSettings {
  /** The failure rate at which the breaker opens: a share of the counted calls, 0 to 1. */
  readonly failurePercent: number
  /** The minimum number of counted calls in the window for the breaker to open. */
  readonly minimumCalls: number
  readonly windowMs: number
  /** The number of buckets into which the rolling window is divided. */
  readonly windowBuckets: number
  readonly openMs: number
  /**
   * A probe that is neither reported nor released for this long is replaced by the next call, and its result no longer
   * counts. Longer than any deadline of a call (an attempt has 30 s), so that it applies to lost permits only.
   */
  readonly probeLeaseMs: number
}

export const breakerDefaults: BreakerSettings = {
  failurePercent: 50,
  minimumCalls: 20,
  windowMs: 60_000,
  windowBuckets: 12,
  openMs: 30_000,
  probeLeaseMs: 45_000
}

/** The problems of settings, one sentence each. `attemptMs`: the longest duration of one call, with all its sends. */
export const breakerProblems = (changes: Partial<BreakerSettings>, attemptMs: number): ReadonlyArray<string> => {
  const settings = { ...breakerDefaults, ...changes }
  const { failurePercent, minimumCalls, openMs, probeLeaseMs, windowBuckets, windowMs } = settings
  const whole = { minimumCalls, openMs, probeLeaseMs, windowBuckets, windowMs }
  return [
    ...Object.keys(changes)
      .filter((name) => !Object.hasOwn(breakerDefaults, name))
      .map((name) => `breaker has no setting "${name}".`),
    ...Object.entries(whole)
      .filter(([, value]) => !Number.isSafeInteger(value) || value < 1)
      .map(([name]) => `breaker.${name} must be a whole number from 1 on.`),
    ...(failurePercent > 0 && failurePercent <= 100 ? [] : ["breaker.failurePercent must be above 0 and at most 100."]),
    ...(windowMs % windowBuckets === 0 ? [] : ["breaker.windowMs must be a multiple of breaker.windowBuckets."]),
    // The lease must outlast an attempt: a probe in flight must not be replaced.
    ...(probeLeaseMs > attemptMs
      ? []
      : [`breaker.probeLeaseMs must be longer than an attempt, which may take ${attemptMs} ms.`])
  ]
}

/** The breakers of all providers and operations, created on first use. */
export class Breakers extends Context.Service<
  Breakers,
  {
    readonly get: (key: BreakerKey) => Breaker
    /**
     * The state of a breaker, for routing, which reads it for every payment: `closed` if the breaker does not exist
     * yet.
     */
    readonly stateOf: (key: BreakerKey) => BreakerState
    /**
     * A stream of every change of state from now on, in order. A subscriber that is more than 1,024 changes behind
     * loses the oldest ones.
     */
    readonly subscribe: Effect.Effect<PubSub.Subscription<BreakerTransition>, never, Scope.Scope>
    /** The states of all existing breakers. */
    readonly snapshot: Effect.Effect<ReadonlyArray<BreakerSnapshot>>
  }
>()("@paymux/core/resilience/Breaker/Breakers") {}
