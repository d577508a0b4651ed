import { Deferred, Effect } from "effect"

/** From here on SIGTERM and SIGINT do not end the process at once; the effect ends at the first of them. */
export const signals = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => {
      const signaled = Deferred.makeUnsafe<void>()
      const stop = () => Deferred.doneUnsafe(signaled, Effect.void)
      process.once("SIGTERM", stop)
      process.once("SIGINT", stop)
      return { signaled, stop }
    }),
    ({ stop }) =>
      Effect.sync(() => {
        process.off("SIGTERM", stop)
        process.off("SIGINT", stop)
      })
  ),
  ({ signaled }) => Deferred.await(signaled)
)
