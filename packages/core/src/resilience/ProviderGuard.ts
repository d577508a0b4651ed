/**
 * Guards the calls to a provider with breaker, bulkhead and deadline, in this order.
 *
 * A call is admitted before anything is written, and the admission is held across the commit: a committed attempt can
 * be sent. The guard never retries: it returns how the call ended.
 */
import { Cause, Clock, Context, Effect, Exit, Layer, Option, Result, Schema } from "effect"
import type { OperationKind } from "../domain/Operation.ts"
import type { InquiryOutcome } from "../domain/Outcome.ts"
import type { ProviderError } from "../provider/ProviderError.ts"
import { logUnusableAction } from "../provider/logUnusableAction.ts"
import { readAnswer } from "../provider/validity.ts"
import { engineMetrics } from "../telemetry/EngineMetrics.ts"
import type { EngineMetrics } from "../telemetry/EngineMetrics.ts"
import { annotated, spanned, untraced } from "../telemetry/spans.ts"
import { Breakers } from "./Breaker.ts"
import type { Breaker, BreakerPermit } from "./Breaker.ts"
import { Bulkheads } from "./Bulkhead.ts"
import type { Bulkhead, Release } from "./Bulkhead.ts"
import { withDeadline } from "./deadline.ts"
import { consequencesOf } from "./Ended.ts"
import type { Ended } from "./Ended.ts"
import { LoadShedder } from "./LoadShedder.ts"
import type { Places } from "./LoadShedder.ts"

/** Error: the call was refused before anything was sent. */
export class ProviderRefused extends Schema.TaggedError<ProviderRefused>()("ProviderRefused", {
  provider: Schema.String,
  cause: Schema.Literals(["breaker_open", "bulkhead_full"]),
  retryAfterMs: Schema.Finite
}) {}

/** A slot at the provider, held until it is released. Only the first release counts. */
export interface Admission {
  /**
   * Sends one request. The first call uses the admission's permit, later ones request a new permit from the breaker.
   */
  readonly call: (effect: Effect.Effect<InquiryOutcome, ProviderError>, deadlineMs: number) => Effect.Effect<Ended>
  readonly release: () => void
}

export type GuardedOperation = OperationKind | "inquire" | "complete"

type Admitted = Result.Result<Admission, ProviderRefused>

export class ProviderGuard extends Context.Service<
  ProviderGuard,
  {
    /**
     * Takes a slot; if none is free, it waits for one, a second at most. Call it in an uninterruptible region that
     * lasts until the release is registered, as `Bulkhead.acquire`.
     */
    readonly admit: (provider: string, operation: GuardedOperation) => Effect.Effect<Admitted>
  }
>()("@paymux/core/resilience/ProviderGuard") {
  static readonly layer = Layer.effect(
    ProviderGuard,
    Effect.gen(function* () {
      const breakers = yield* Breakers
      const bulkheads = yield* Bulkheads
      const shedder = yield* LoadShedder
      const metrics = yield* engineMetrics
      const clock = yield* Clock.Clock

      return ProviderGuard.of({
        admit: (provider, operation) =>
          Effect.suspend(() => {
            const isInquiry = operation === "inquire" || operation === "complete"
            const gate: ProviderGate = {
              provider,
              operation,
              breaker: breakers.get({ provider, operation }),
              bulkhead: bulkheads.get(provider, isInquiry ? "inquiries" : "payments"),
              places: isInquiry ? uncounted : shedder.at(provider),
              metrics,
              clock
            }
            const permitted = gate.breaker.admit()
            if (Result.isFailure(permitted)) {
              return Effect.succeed(refused(gate, "breaker_open", permitted.failure.retryAfterMs))
            }
            const leave = gate.bulkhead.enter()
            return leave === null
              ? waitFor(gate, permitted.success)
              : Effect.succeed(Result.succeed(admission(gate, permitted.success, leave)))
          })
      })
    })
  )
}

/** The guards of a provider's calls for one kind of operation. */
interface ProviderGate {
  readonly provider: string
  readonly operation: GuardedOperation
  readonly breaker: Breaker
  readonly bulkhead: Bulkhead
  readonly places: Places
  readonly metrics: EngineMetrics
  readonly clock: Clock.Clock
}

const refused = (
  { metrics, operation, provider }: ProviderGate,
  cause: ProviderRefused["cause"],
  retryAfterMs: number
) => {
  metrics.refused(provider, operation, cause)
  return Result.fail(new ProviderRefused({ provider, cause, retryAfterMs }))
}

/** Waits for a slot. The permit is held during the wait: the probe of a half-open breaker is one call. */
const waitFor = (gate: ProviderGate, permit: BreakerPermit): Effect.Effect<Admitted> =>
  Effect.uninterruptible(
    Effect.match(gate.places.inLine(gate.bulkhead.acquire), {
      onSuccess: (leave) => Result.succeed(admission(gate, permit, leave)),
      onFailure: () => {
        permit.release()
        return refused(gate, "bulkhead_full", 1000)
      }
    })
  )

const admission = (gate: ProviderGate, first: BreakerPermit, leave: Release): Admission => {
  const { breaker, places } = gate
  let permit = first
  let sends = false
  return {
    call: (effect, deadlineMs) =>
      spanned(
        `paymux.provider.${gate.operation}`,
        () => ({ "paymux.provider": gate.provider, "paymux.operation": gate.operation }),
        "client"
      )(
        Effect.suspend(() => {
          if (sends) {
            const again = breaker.admit()
            if (Result.isFailure(again)) return Effect.succeed(breakerOpen)
            permit = again.success
          } else places.sends()
          sends = true
          return sendOnce(gate, permit, effect, deadlineMs)
        })
      ),
    release: () => {
      // A release after a report has no effect.
      permit.release()
      if (sends) places.leaves()
      sends = false
      leave()
    }
  }
}

const breakerOpen: Ended = { _tag: "NotSent", refusedBy: "breaker" }

const sendOnce = (
  gate: ProviderGate,
  permit: BreakerPermit,
  effect: Effect.Effect<InquiryOutcome, ProviderError>,
  deadlineMs: number
): Effect.Effect<Ended> => {
  const { breaker, clock, metrics, operation, provider } = gate
  const begun = clock.currentTimeNanosUnsafe()
  return Effect.flatMap(withDeadline(untraced(effect), deadlineMs), (exit) => {
    const ended = endOf(exit)
    const { breaker: result, metric } = consequencesOf(ended)
    metrics.called(provider, operation, metric, Number(clock.currentTimeNanosUnsafe() - begun) / 1e9)
    const log = logOf(gate, exit, ended)
    // The breaker is opened before `permit.report`, which would otherwise close a half-open breaker.
    if (ended._tag === "Misconfigured") breaker.forceOpen("misconfigured")
    permit.report(result)
    const annotate = annotated(() => ({ "paymux.outcome": metric }))
    return Effect.as(log === null ? annotate : Effect.andThen(annotate, log), ended)
  })
}

/** The log entry about the end of a call, if it needs one. */
const logOf = (
  { breaker, operation, provider }: ProviderGate,
  exit: CallExit,
  ended: Ended
): Effect.Effect<void> | null => {
  switch (ended._tag) {
    case "Broke":
      return logAdapterDefect(provider, operation, exit)
    case "Pending":
      return exit !== null && Exit.isSuccess(exit) ? logUnusableAction(provider, exit.value) : null
    case "Misconfigured":
      // The rejection is logged once: the later probes are rejected in the same way.
      return breaker.state() === "closed" ? logRejectedCredentials(provider, operation, ended.detail) : null
    default:
      return null
  }
}

/** Does not count: a queue of inquiries delays no payment, so it is no sign of overload. */
const uncounted: Places = { inLine: (wait) => wait, sends: () => undefined, leaves: () => undefined }

/** The exit of an adapter's call; `null`: the deadline passed first. */
type CallExit = Exit.Exit<InquiryOutcome, ProviderError> | null

const endOf = (exit: CallExit): Ended => {
  if (exit === null) return { _tag: "TimedOut" }
  if (Exit.isSuccess(exit)) return readAnswer(exit.value) ?? { _tag: "Broke" }
  const error = Cause.findErrorOption(exit.cause)
  return Option.isSome(error) ? error.value.reason : { _tag: "Broke" }
}

/** Logs the cause of a defect for the author of the adapter. */
const logAdapterDefect = (provider: string, operation: string, exit: CallExit) => {
  const logged =
    exit !== null && Exit.isFailure(exit)
      ? Effect.logError("Adapter failed with a defect; treating the outcome as unknown", exit.cause)
      : Effect.logError("Adapter returned an invalid outcome; treating it as unknown")
  return Effect.annotateLogs(logged, { provider, operation })
}

/**
 * Logs rejected credentials as an error, because payments continue at the next provider and the rejecting one responds.
 */
const logRejectedCredentials = (provider: string, operation: string, detail: string) =>
  Effect.annotateLogs(
    Effect.logError(`Provider ${provider} rejected the configured credentials; it is skipped until they are accepted`),
    { provider, operation, detail }
  )
