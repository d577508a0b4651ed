/** Writes of this version's store to the tables of an earlier one. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { restoration } from "../src/migrations/restoration.ts"

/** On PostgreSQL each payment compares the mark of a restored database, which is there for as long as `writes` takes. */
export const onEarlierTables = <A, E, R>(writes: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const inPostgres = (statements: ReadonlyArray<string>) =>
      sql.onDialectOrElse({
        pg: () => Effect.forEach(statements, (text) => sql.unsafe(text), { discard: true }),
        orElse: () => Effect.void
      })
    yield* inPostgres(restoration.pg ?? [])
    const written = yield* writes
    yield* inPostgres(["DROP TABLE restoration", "DROP FUNCTION paymux_timeline()"])
    return written
  })
