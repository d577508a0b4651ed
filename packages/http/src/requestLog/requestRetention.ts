/**
 * Deletes old requests from the request log, once an hour, and the oldest if there are too many. Any number of processes may
 * do it at once.
 */
import { Clock, Effect, Layer } from "effect"
import { RequestLog } from "./RequestLog.ts"

/** Of all accounts together: with its index a request takes about 250 bytes, one that failed about 1 KB. */
const mostRequests = 10_000_000

/** `keepFor`: ms; `null`: nothing is deleted. */
export const requestRetention = (keepFor: number | null, most = mostRequests): Layer.Layer<never, never, RequestLog> =>
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
