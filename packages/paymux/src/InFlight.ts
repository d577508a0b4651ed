/** The number of requests and calls in progress. A shutdown rejects new ones, and waits for the end of the others. */
import { Deferred, Effect } from "effect"

export interface InFlight {
  /** `false`: closed, so the request must be rejected. Otherwise the caller calls `end` exactly once, also after a failure. */
  readonly begin: () => boolean
  readonly end: () => void
  /** Completes when a shutdown begins, to end responses without an end of their own, such as event streams. */
  readonly closing: Effect.Effect<void>
  /**
   * Runs `stop`, then rejects new requests, and completes when all requests in progress have ended. Both take at most five
   * seconds: after that, `stop` is interrupted.
   */
  readonly close: (stop?: Effect.Effect<void>) => Effect.Effect<void>
}

export const make = (): InFlight => {
  const state = { open: 0, isClosed: false }
  const closing = Deferred.makeUnsafe<void>()
  const ended = Deferred.makeUnsafe<void>()
  const settle = () => {
    if (state.open === 0) Deferred.doneUnsafe(ended, Effect.void)
  }
  const refuse = Effect.sync(() => {
    state.isClosed = true
    settle()
  })
  return {
    begin: () => {
      if (state.isClosed) return false
      state.open++
      return true
    },
    end: () => {
      state.open--
      if (state.isClosed) settle()
    },
    closing: Deferred.await(closing),
    close: (stop = Effect.void) =>
      Deferred.succeed(closing, undefined).pipe(
        Effect.andThen(Effect.ensuring(stop, refuse)),
        Effect.andThen(Deferred.await(ended)),
        Effect.timeoutOption("5 seconds"),
        Effect.asVoid
      )
  }
}
