/** Deletes old requests from the request log, once an hour. Any number of processes may do it at once. */
import { Clock, Effect, Layer } from "effect"
import { RequestLog } from "./RequestLog.ts"

/** `keepFor`: ms; `null`: nothing is deleted. */
export const requestRetention = (keepFor: number | null): Layer.Layer<never, never, RequestLog> =>
  keepFor === null
    ? Layer.empty
    : Layer.effectDiscard(
        Effect.gen(function* () {
          const log = yield* RequestLog
          return yield* log.prune((yield* Clock.currentTimeMillis) - keepFor)
        }).pipe(
          Effect.catchCause((cause) => Effect.logError("Old requests were not deleted from the request log", cause)),
          Effect.andThen(Effect.sleep("1 hour")),
          Effect.forever,
          Effect.delay("1 minute"),
          Effect.forkScoped
        )
      )
