/** The lifecycle of generations of statistics: creation, activation, deletion. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { numeral } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import { now } from "./Generation.ts"

/** Makes an empty generation beside the active one, with the same retention. Returns the number of the new generation. */
export const makeGeneration = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* oneAtATime(sql)
  const [row] = yield* sql<Row>`
    INSERT INTO statistics_generations (generation, active, kept_from, touched_at)
    SELECT (SELECT max(generation) FROM statistics_generations) + 1, 0, kept_from, ${now(sql)}
    FROM statistics_generations WHERE active = 1 RETURNING generation`
  if (row === undefined) return yield* Effect.die(new Error("The statistics have no active generation"))
  return numeral(row, "generation")
}).pipe(inTransaction)

/** Activates a generation. Readers see the former sums or the new ones, never none. Returns the number of the former generation. */
export const activateGeneration = (generation: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* oneAtATime(sql)
    // The version of the former generation increases: a process that is counting for it writes nothing more.
    const former = yield* sql<Row>`UPDATE statistics_generations
      SET active = 0, version = version + 1, touched_at = 0 WHERE active = 1 RETURNING generation`
    const activated = yield* sql`UPDATE statistics_generations SET active = 1, held_until = 0
      WHERE generation = ${generation} RETURNING generation`
    if (activated.length === 0)
      return yield* Effect.die(new Error(`Generation ${generation} of the statistics is gone`))
    return former.map((row) => numeral(row, "generation"))
  }).pipe(inTransaction)

/** The generations that are not read: former ones, and those whose rebuild wrote nothing for an hour. */
export const abandonedGenerations: Effect.Effect<ReadonlyArray<number>, SqlError, SqlClient.SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<Row>`SELECT generation FROM statistics_generations
    WHERE active = 0 AND touched_at < ${now(sql)} - ${abandonedAfter}`
    return rows.map((row) => numeral(row, "generation"))
  }
)

/** The time without a write after which a rebuild counts as abandoned, ms. */
const abandonedAfter = 3_600_000

/** Deletes a generation with its sums, a few rows at a time. */
export const deleteGeneration = Effect.fnUntraced(function* (generation: number) {
  const sql = yield* SqlClient.SqlClient
  yield* deleteSums(generation, Number.MAX_SAFE_INTEGER)
  yield* sql`DELETE FROM statistics_generations WHERE generation = ${generation} AND active = 0`
})

/** Deletes sums from before `start` (ms UTC), a few rows at a time. */
export const deleteSums = Effect.fnUntraced(function* (generation: number, start: number) {
  const sql = yield* SqlClient.SqlClient
  for (const [table, key] of tables) {
    const columns = sql.literal(key)
    const some = sql`DELETE FROM ${sql(table)} WHERE generation = ${generation} AND (${columns}) IN (
      SELECT ${columns} FROM ${sql(table)} WHERE generation = ${generation} AND start < ${start} LIMIT ${batch}) RETURNING start`
    while ((yield* some).length === batch) yield* Effect.sleep(pause)
  }
})

const tables = [
  ["statistics_counts", "account, livemode, fact, step, start, provider, method, currency, outcome, code"],
  ["statistics_durations", "account, livemode, step, start, provider, method, currency"]
] as const

/** The maximum number of rows that one transaction deletes: a payment then waits for a few ms only. */
const batch = 500
/** The pause between two transactions, ms. */
const pause = 20

/**
 * Locks the table of generations, so that only one process at a time makes or activates a generation. SQLite needs no
 * lock, because it runs only one transaction at a time.
 */
const oneAtATime = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    pg: () => Effect.asVoid(sql`LOCK TABLE statistics_generations IN SHARE ROW EXCLUSIVE MODE`),
    orElse: () => Effect.void
  })

function inTransaction<A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) {
  return Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(effect))
}
