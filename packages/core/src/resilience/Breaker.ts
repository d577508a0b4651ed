/**
 * The circuit breaker port: whether calls of an operation to a provider are allowed now.
 *
 * Admission and result are two steps, because commits happen between them: `admit` returns a permit, and the result of the
 * call is reported to the permit. A breaker never waits, never runs the call and never interrupts it: a deadline ends the
 * call, and the result is reported here.
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
 * The result of an admitted call. `ignored`: a decline or our own 4xx. It counts neither as a call nor as a failure; as the
 * result of a probe it closes the breaker, because the provider responds.
 */
export type BreakerResult = "success" | "failure" | "ignored"

/** Permission for one call. The caller ends it with `report` or `release`; only the first of them counts. */
export interface BreakerPermit {
  readonly report: (result: BreakerResult) => void
  /** Ends a permit whose call was never started (the commit before it failed): nothing is counted, and a probe is possible again. */
  readonly release: () => void
}

/** Makes a permit, for implementations of the port. `settle` is called for the first `report` or `release` only. */
export const permitOf = (settle: (end: BreakerResult | "released") => void): BreakerPermit => {
  let isEnded = false
  const end = (how: BreakerResult | "released") => {
    if (isEnded) return
    isEnded = true
    settle(how)
  }
  return { report: end, release: () => end("released") }
}

/** The call is not admitted: the breaker is open, or half open with its probe in flight. Nothing was sent. */
export class BreakerOpen extends Schema.TaggedError<BreakerOpen>()("BreakerOpen", {
  /** ms until another try makes sense, at least 1 */
  retryAfterMs: Schema.Finite
}) {}

export interface Breaker {
  readonly admit: () => Result.Result<BreakerPermit, BreakerOpen>
  readonly state: () => BreakerState
  /**
   * Opens immediately, and is probed like any open breaker (the provider rejected our credentials). If it is open already, only
   * the cause is recorded. Call it before the result of the call is reported: that result is then ignored.
   */
  readonly forceOpen: (cause: "misconfigured") => void
}

/** Each key has its own breaker: a provider whose refunds fail may still accept payments, and inquiries count separately. */
export interface BreakerKey {
  /** the provider instance, as configured */
  readonly provider: string
  /** `create`, `capture`, `cancel`, `refund`, `inquire` */
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
  /** ms UTC */
  readonly at: number
}

export interface BreakerSnapshot {
  readonly key: BreakerKey
  readonly state: BreakerState
  /** The cause of the current state; `null`: it never left the first one. */
  readonly cause: BreakerCause | null
  /** ms UTC */
  readonly since: number
}

export interface BreakerSettings {
  /** It opens if at least this share of the counted calls failed. */
  readonly failurePercent: number
  /** The minimum number of counted calls in the window. */
  readonly minimumCalls: number
  readonly windowMs: number
  /** The number of steps in which the window moves. */
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
    // A probe that is still in flight must not be replaced.
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
    /** For routing, which runs for every payment: `closed` if the breaker does not exist yet. */
    readonly stateOf: (key: BreakerKey) => BreakerState
    /** Every change of state from now on, in order. A subscriber that is 1,024 changes behind loses the oldest. */
    readonly subscribe: Effect.Effect<PubSub.Subscription<BreakerTransition>, never, Scope.Scope>
    /** All existing breakers. */
    readonly snapshot: Effect.Effect<ReadonlyArray<BreakerSnapshot>>
  }
>()("@paymux/core/resilience/Breaker/Breakers") {}
