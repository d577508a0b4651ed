/**
 * The retention of the request log: once an hour it deletes old requests, and the oldest beyond a maximum number.
 * Several processes may run it concurrently.
 */
import { Clock, Effect, Layer } from "effect"
import { RequestLog } from "./RequestLog.ts"

/**
 * The maximum number of logged requests of all accounts together. With its index, a successful request takes about 250
 * bytes, and a failed one about 1 KB.
 */
const maxRequests = 10_000_000

/**
 * The layer that deletes old requests from the log. `keepFor` is the retention period in ms; with `null`, no request is
 * deleted.
 */
export const requestRetention = (keepFor: number | null, most = maxRequests): Layer.Layer<never, never, RequestLog> =>
  keepFor === null
    ? Layer.empty
    : Layer.effectDiscard(
        Effect.gen(function* () {
          const log = yield* RequestLog
          yield* log.prune((yield* Clock.currentTimeMillis) - keepFor)
          yield* log.pruneBeyond(most)
        }).pipe(
          Effect.catchCause((cause) => Effect.logError("Old requests were not deleted from the request log", cause)),
          Effect.andThen(Effect.sleep("1 hour")),
          Effect.forever,
          Effect.delay("1 minute"),
          Effect.forkScoped
        )
      )
