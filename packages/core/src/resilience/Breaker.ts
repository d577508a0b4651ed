/**
 * The circuit breaker port: whether a provider may be asked for an operation now.
 *
 * Asking and answering are two steps, because commits lie between them: `admit` gives a permit, and the permit is told
 * how the call ended. A breaker never waits, never runs the call and never cuts it short: a deadline ends the call, and
 * its end is reported here.
 *
 * - closed: everybody is admitted, results are counted over a rolling window.
 * - open: nobody is, for `openMs`.
 * - half open: one call, the probe. Its answer closes the breaker or opens it again.
 *
 * Results count only in the state in which their call was admitted: a late success from before the trip says nothing
 * about the provider now. A breaker that closes starts with an empty window.
 *
 * The idea is Nygard's (Release It!, chapter 5); the figures are those of `breakerDefaults`.
 *
 * @example
 * ```ts
 * const charge = Effect.gen(function* () {
 *   const breaker = yield* (yield* Breakers).get({ provider: "acme", operation: "create" })
 *   const permit = yield* breaker.admit
 *   const outcome = yield* callTheProvider
 *   yield* permit.report(outcome._tag === "Unknown" ? "failure" : "success")
 *   return outcome
 * })
 * ```
 */
import { Context, Schema } from "effect"
import type { Effect, PubSub, Scope } from "effect"

export type BreakerState = "closed" | "open" | "half_open"

/**
 * How an admitted call ended. `ignored`: a decline or our own 4xx. It is not counted at all, neither as a call nor as a
 * failure; but as the answer to a probe it closes the breaker, because the provider is there and answers.
 */
export type BreakerResult = "success" | "failure" | "ignored"

/** Leave to make one call. Whoever holds it ends it with `report` or `release`; only the first of them counts. */
export interface BreakerPermit {
  readonly report: (result: BreakerResult) => Effect.Effect<void>
  /** The call was never started (the commit before it failed): nothing is counted, and a probe's place is free again. */
  readonly release: Effect.Effect<void>
}

/** Not admitted: the breaker is open, or half open with its probe on the way. Nothing was sent. */
export class BreakerOpen extends Schema.TaggedError<BreakerOpen>()("BreakerOpen", {
  /** ms until asking again makes sense, at least 1 */
  retryAfterMs: Schema.Finite
}) {}

export interface Breaker {
  readonly admit: Effect.Effect<BreakerPermit, BreakerOpen>
  readonly state: Effect.Effect<BreakerState>
  /**
   * Opens at once, and is probed like any open breaker (row 9 of the failover table: the provider refuses our
   * credentials). Where it is open already, only the cause is noted. Force it before reporting the call that showed it:
   * that report is then of the past and ignored.
   */
  readonly forceOpen: (cause: "misconfigured") => Effect.Effect<void>
}

/** One breaker each: a provider whose refunds fail may still take payments, and inquiries are judged apart. */
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
  /** Why it is in this state; null while it never left its first one. */
  readonly cause: BreakerCause | null
  /** ms UTC */
  readonly since: number
}

export interface BreakerSettings {
  /** Opens when at least this share of the counted calls failed. */
  readonly failurePercent: number
  /** Fewer counted calls than this in the window never open it. */
  readonly minimumCalls: number
  readonly windowMs: number
  /** The window moves in this many steps. */
  readonly windowBuckets: number
  readonly openMs: number
  /**
   * A probe that is neither reported nor released for this long loses its place to the next call, and its result no
   * longer counts. Longer than any deadline of a call (an attempt has 30 s), so that it is met only by a permit that was
   * lost.
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

/** What is wrong with settings, a sentence each. `attemptMs`: the longest that one call may take, over all its sends. */
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
    // A probe that is still under way must not lose its place.
    ...(probeLeaseMs > attemptMs
      ? []
      : [`breaker.probeLeaseMs must be longer than an attempt, which may take ${attemptMs} ms.`])
  ]
}

/** The breakers of all providers and operations, made when first asked for. */
export class Breakers extends Context.Service<
  Breakers,
  {
    readonly get: (key: BreakerKey) => Effect.Effect<Breaker>
    /** For routing, which looks at every payment: `closed` where nobody asked for the breaker yet. */
    readonly stateOf: (key: BreakerKey) => BreakerState
    /** Every change of state from now on, in order. A subscriber 1,024 behind loses the oldest. */
    readonly subscribe: Effect.Effect<PubSub.Subscription<BreakerTransition>, never, Scope.Scope>
    /** All breakers that were asked for so far. */
    readonly snapshot: Effect.Effect<ReadonlyArray<BreakerSnapshot>>
  }
>()("@paymux/core/resilience/Breaker/Breakers") {}
