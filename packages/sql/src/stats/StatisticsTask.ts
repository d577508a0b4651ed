/**
 * Counts new events in the background for as long as the layer lives. On PostgreSQL any number of processes run it: one of
 * them counts, and another takes over 5 s after its last step. A failure is logged and tried again: no payment waits for it.
 */
import { Effect, Layer } from "effect"
import type { Duration } from "effect"
import type { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { pruneStatistics } from "./pruneStatistics.ts"
import { catchUp } from "./rollUp.ts"

export interface StatisticsTaskOptions {
  /** The retention period of the sums, ms. `null`: they are kept forever. */
  readonly keepFor: number | null
  /** The pause between two checks for new events. Default 2 s. */
  readonly every?: Duration.Input
}

export const statisticsTask = ({
  every = "2 seconds",
  keepFor
}: StatisticsTaskOptions): Layer.Layer<never, never, SqlClient.SqlClient> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const holder = randomUUID()
      yield* catchUp("active", holder, Effect.void).pipe(
        Effect.catchCause((cause) => Effect.logWarning("Statistics: counting new events failed; retrying", cause)),
        Effect.andThen(Effect.sleep(every)),
        Effect.forever,
        Effect.forkScoped
      )
      yield* pruneStatistics(keepFor).pipe(
        Effect.catchCause((cause) =>
          Effect.logWarning("Statistics: deleting old sums failed; retrying in an hour", cause)
        ),
        Effect.andThen(Effect.sleep("1 hour")),
        Effect.forever,
        Effect.delay("1 minute"),
        Effect.forkScoped
      )
    })
  )
