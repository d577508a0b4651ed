/**
 * Counts new events in the background for as long as the layer lives. On PostgreSQL any number of processes run it: one of
 * them counts, and another takes over 5 s after its last step. A failure is logged and tried again: no payment waits for it.
 */
import { Duration, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { pruneStatistics } from "./pruneStatistics.ts"
import { rollUp } from "./rollUp.ts"

export interface StatisticsTaskOptions {
  /** How long sums are kept, in ms. `null`: for good. */
  readonly keepFor: number | null
  /** Pause between two looks for new events. Default 2 s. */
  readonly every?: Duration.Input
}

export const statisticsTask = ({
  every = "2 seconds",
  keepFor
}: StatisticsTaskOptions): Layer.Layer<never, never, SqlClient.SqlClient> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const holder = randomUUID()
      yield* catchUp(holder).pipe(
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

/**
 * Counts until no event is left. After an upgrade that is the whole history: two thirds of the time are left to everything else.
 */
const catchUp = Effect.fnUntraced(function* (holder: string) {
  while (true) {
    const [took, rolled] = yield* Effect.timed(rollUp("active", holder))
    if (rolled !== "more") return
    yield* Effect.sleep(Duration.times(took, 2))
  }
})
