import { Effect } from "effect"

/** Lets everything that waits for the event loop run first. */
export const nextTurn: Effect.Effect<void> = Effect.callback<void>((resume) => {
  const turn = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(turn))
})
