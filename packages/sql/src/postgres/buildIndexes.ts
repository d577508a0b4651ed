/**
 * Builds indexes while others go on writing. PostgreSQL does that outside of a transaction alone, and in its own time: on
 * one session, which may take as long as it needs and is given back as it was.
 */
import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { text } from "../ReadRow.ts"
import type { Row } from "../ReadRow.ts"
import { WithoutDeadline } from "./deadline.ts"

export interface PgIndex {
  readonly name: string
  /** What follows `CREATE INDEX`. */
  readonly definition: string
}

/** One whose building failed is there and never used: it is built again. */
export const buildIndexes = Effect.fnUntraced(
  function* (indexes: ReadonlyArray<PgIndex>) {
    const sql = yield* SqlClient.SqlClient
    const session = yield* sql.reserve
    // Boundary: rows of statements of our own.
    const run = (statement: string) =>
      Effect.map(session.executeUnprepared(statement, [], undefined), (rows) => rows as ReadonlyArray<Row>)
    const all = (statements: ReadonlyArray<string>) => Effect.forEach(statements, run, { discard: true })
    const build = Effect.gen(function* () {
      yield* untilLocked(run)
      const there = new Set((yield* run(validIndexes)).map((row) => text(row, "name")))
      for (const { definition, name } of indexes.filter((index) => !there.has(index.name))) {
        yield* run(`DROP INDEX CONCURRENTLY IF EXISTS "${name}"`)
        yield* run(`CREATE INDEX CONCURRENTLY ${definition}`)
      }
    })
    yield* all(["SET statement_timeout = 0", "SET lock_timeout = 0"])
    const restored = [`SELECT pg_advisory_unlock(${lock})`, "RESET statement_timeout", "RESET lock_timeout"]
    yield* Effect.ensuring(build, Effect.ignore(all(restored)))
  },
  Effect.scoped,
  Effect.provideService(WithoutDeadline, true)
)

const validIndexes = `SELECT c.relname::text AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE i.indisvalid AND pg_table_is_visible(i.indrelid)`

/** Stands for "indexes are being built". */
const lock = "7021458093120048"

/**
 * Asks again and again: one that waited within its statement would be waited for by the building itself, which waits for
 * every statement that began before.
 */
const untilLocked = (run: (statement: string) => Effect.Effect<ReadonlyArray<Row>, SqlError>) =>
  run(`SELECT 1 AS locked WHERE pg_try_advisory_lock(${lock})`).pipe(
    Effect.repeat({ schedule: Schedule.spaced("200 millis"), until: (rows) => rows.length === 1 })
  )
