/** Deletes old sums, and the sums of generations that are not in use. Any number of processes may run it at once. */
import type { StoreUnavailable } from "@paymux/core/store"
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { unavailable } from "../dialect/unavailable.ts"
import { startOf } from "./Deltas.ts"
import { changeGeneration, readGeneration } from "./Generation.ts"
import { abandonedGenerations, deleteGeneration, deleteSums } from "./generationLifecycle.ts"

/**
 * Deletes the sums of days that began more than `keepFor` ms ago; `null`: deletes none. Later changes of a payment of those days
 * are not counted any more.
 */
export const pruneStatistics = (keepFor: number | null): Effect.Effect<void, StoreUnavailable, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    yield* Effect.forEach(yield* abandonedGenerations, deleteGeneration, { discard: true })
    if (keepFor === null) return
    const generation = yield* moveKeptFrom(startOf((yield* Clock.currentTimeMillis) - keepFor, "day"))
    if (generation !== null) yield* deleteSums(generation.generation, generation.keptFrom)
  }).pipe(unavailable)

/**
 * Moves `keptFrom`, before anything is deleted: from then on, no sum of an earlier time is written. `keptFrom` never
 * moves back.
 */
const moveKeptFrom = Effect.fnUntraced(function* (keptFrom: number) {
  const read = yield* readGeneration("active", holder)
  if (read === null || read.keptFrom >= keptFrom) return read
  // Another process is counting at the moment, so the move is tried again in the next pass.
  return (yield* changeGeneration(read, { cursor: read.cursor, keptFrom }, holder))
    ? { generation: read.generation, keptFrom }
    : null
})

const holder = "retention"
