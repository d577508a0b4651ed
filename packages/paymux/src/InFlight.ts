/** What is being answered, so that a shutdown can wait for it, and let nothing more in. */
import { Effect } from "effect"

export interface InFlight {
  /** `false`: it is closed, and nothing was begun. Else `end` is called once, whatever comes of it. */
  readonly begin: () => boolean
  readonly end: () => void
  /** From now on nothing begins. Done when all that had begun has ended, or after five seconds. */
  readonly close: Effect.Effect<void>
}

export const make = (): InFlight => {
  const state = { open: 0, isClosed: false }
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const settle = () => {
    if (state.isClosed && state.open === 0) resolve()
  }
  return {
    begin: () => {
      if (state.isClosed) return false
      state.open++
      return true
    },
    end: () => {
      state.open--
      settle()
    },
    close: Effect.promise(() => {
      state.isClosed = true
      settle()
      return ended
    }).pipe(Effect.timeoutOption("5 seconds"), Effect.asVoid)
  }
}
