/**
 * Counts every event again, into a generation of its own beside the one that is read, and then activates it. Servers go on
 * meanwhile, and read the former sums until the activation.
 */
import type { StoreUnavailable } from "@paymux/core/store"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { unavailable } from "../dialect/unavailable.ts"
import { numeral, numeralOrNull } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import { activateGeneration, deleteGeneration, makeGeneration } from "./generationLifecycle.ts"
import { catchUp } from "./rollUp.ts"

/**
 * Rebuilds the sums. `onProgress` is called after each step with the completed share, 0 to 1. Sums that the retention
 * has deleted stay deleted. If the rebuild fails or is interrupted, the former sums stay in use.
 */
export const rebuildStatistics = (
  onProgress: (done: number) => Effect.Effect<void> = () => Effect.void
): Effect.Effect<void, StoreUnavailable, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const generation = yield* makeGeneration
    const filled = Effect.andThen(
      catchUp(generation, randomUUID(), Effect.flatMap(progressOf(generation), onProgress)),
      activateGeneration(generation)
    )
    const former = yield* Effect.onError(filled, () => Effect.ignore(deleteGeneration(generation)))
    yield* Effect.forEach(former, deleteGeneration, { discard: true })
  }).pipe(unavailable)

const progressOf = Effect.fnUntraced(function* (generation: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<Row>`
    SELECT position AS done, (SELECT max(position) FROM payment_events) AS last
    FROM statistics_generations WHERE generation = ${generation}`
  return row === undefined ? 1 : numeral(row, "done") / Math.max(1, numeralOrNull(row, "last") ?? 0)
})
