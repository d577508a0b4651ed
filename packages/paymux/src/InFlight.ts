/** What is being answered, so that a shutdown can wait for it, and let nothing more in. */
import { Deferred, Effect } from "effect"

export interface InFlight {
  /** `false`: it is closed, and nothing was begun. Else `end` is called once, whatever comes of it. */
  readonly begin: () => boolean
  readonly end: () => void
  /** Done as soon as a shutdown begins: what has no end of its own, such as an event stream, ends then. */
  readonly closing: Effect.Effect<void>
  /**
   * Runs `stop`; from then on nothing begins. Done when all that had begun has ended. Five seconds for both: after them
   * `stop` is interrupted.
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
