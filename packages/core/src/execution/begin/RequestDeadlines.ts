/**
 * The deadline of a request that moves money. The checks of the API key and the idempotency key, the reads, the wait
 * for a concurrency slot of the provider and the first commit share it.
 *
 * If the deadline passes before the first commit is acknowledged, the request is refused and nothing is sent. After the
 * commit a send may be in progress, so the response is the payment. The writes that store the response have a separate
 * time limit; if this limit passes, the payment is returned although the response is not stored.
 */
import { Clock, Context, Effect, Fiber } from "effect"
import type { Scope } from "effect"
import { paymentError, Unavailable } from "../../domain/PaymentError.ts"
import type { PaymentError } from "../../domain/PaymentError.ts"
import { StoreUnavailable } from "../../store/StoreUnavailable.ts"
import { timings } from "../timings.ts"
import { makeWaits, milliseconds } from "./Waits.ts"
import type { Wait } from "./Waits.ts"

/**
 * The part of the request's deadline that was spent before the payments service was called, for example to check the
 * API key, ms.
 */
const SpentBefore = Context.Reference<number>("@paymux/core/execution/SpentBefore", { defaultValue: () => 0 })

/** Runs `step`, then `next` with the remaining time of the request's deadline. */
export const spending = <A, E, R, B, E2, R2>(
  step: Effect.Effect<A, E, R>,
  next: (result: A) => Effect.Effect<B, E2, R2>
): Effect.Effect<B, E | E2, R | R2> =>
  Effect.flatMap(Clock.Clock, (clock) => {
    const begun = milliseconds(clock)
    return Effect.flatMap(step, (result) => {
      const spent = milliseconds(clock) - begun
      // A duration below 1 ms is not counted, since such a step found its result in memory and used nothing of the
      // deadline.
      return spent < 1
        ? next(result)
        : Effect.flatMap(SpentBefore, (before) => Effect.provideService(next(result), SpentBefore, before + spent))
    })
  })

export interface RequestDeadline {
  /** The time since the request began, ms. */
  readonly spent: () => number
  /**
   * Called right before the first send. `false` if the request was refused, so that nothing may be sent. After `true`,
   * the deadline can no longer refuse the request.
   */
  readonly mayBegin: () => boolean
  /**
   * Runs the steps before the first send, or fails with `Unavailable` after `timings.beginWithin`. An uninterruptible
   * effect continues after that failure, and must check `mayBegin` before it sends.
   */
  readonly untilBegun: <A, R>(effect: Effect.Effect<A, PaymentError, R>) => Effect.Effect<A, PaymentError, R>
  /**
   * Runs the writes that store the response after a send; fails with `StoreUnavailable` after `timings.answerWithin`.
   */
  readonly untilAnswered: <A, R>(effect: Effect.Effect<A, StoreUnavailable, R>) => Effect.Effect<A, StoreUnavailable, R>
}

export interface RequestDeadlines {
  /** Starts the deadline of a request. */
  readonly begin: Effect.Effect<RequestDeadline>
}

export const make: Effect.Effect<RequestDeadlines, never, Scope.Scope> = Effect.gen(function* () {
  const { now, start, stop } = yield* makeWaits
  /** Waits for the effect until `dueAt`. A wait is registered only if the effect does not end synchronously. */
  const until = <A, E, R>(dueAt: number, effect: Effect.Effect<A, E, R>, late: () => E | null) =>
    Effect.flatMap(
      Effect.forkDetach(effect, { startImmediately: true }),
      (running): Effect.Effect<A, E> => running.pollUnsafe() ?? ended(running, dueAt, late)
    )
  const ended = <A, E>(running: Fiber.Fiber<A, E>, dueAt: number, late: () => E | null) =>
    Effect.callback<A, E>((resume) => {
      const wait: Wait = {
        dueAt,
        end: () => {
          const failure = late()
          if (failure === null) return
          resume(Effect.fail(failure))
          running.interruptUnsafe()
        }
      }
      start(wait)
      running.addObserver((exit) => {
        stop(wait)
        resume(exit)
      })
      // If the caller is interrupted, it waits until the uninterruptible part of the effect has ended.
      return Effect.andThen(
        Effect.sync(() => stop(wait)),
        Fiber.interrupt(running)
      )
    })

  return {
    begin: Effect.map(SpentBefore, (before): RequestDeadline => {
      const begun = now() - before
      let stage: "preparing" | "refused" | "begun" = "preparing"
      return {
        spent: () => now() - begun,
        mayBegin: () => {
          if (stage === "preparing") stage = "begun"
          return stage === "begun"
        },
        untilBegun: (effect) =>
          until(begun + timings.beginWithin, effect, () => {
            if (stage === "begun") return null
            stage = "refused"
            return paymentError(new Unavailable({ cause: late }))
          }),
        untilAnswered: (effect) =>
          until(begun + timings.answerWithin, effect, () => new StoreUnavailable({ cause: late }))
      }
    })
  }
})

const late = new Error("The database did not answer before the deadline of the request")
