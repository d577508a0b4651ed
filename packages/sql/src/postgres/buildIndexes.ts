/**
 * Builds indexes while other sessions keep writing. PostgreSQL can do that only outside a transaction, and it may take
 * long. So the build runs on one session without a deadline; afterwards the settings of the session are restored. The
 * statements that follow the migrations run in the same way.
 */
import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { text } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"
import type { PgIndex } from "../migrations/PgIndex.ts"
import { WithoutDeadline } from "./deadline.ts"

/** Builds the indexes. An index whose earlier build failed exists but is never used: it is built again. */
export const buildIndexes = (indexes: ReadonlyArray<PgIndex>) =>
  onOwnSession((run) =>
    Effect.gen(function* () {
      yield* run("SET lock_timeout = 0")
      yield* untilLocked(run)
      yield* buildMissing(run, indexes)
    })
  )

/**
 * Builds the indexes and runs the statements that follow the migrations, one after the other. Does nothing while another process
 * does so or builds indexes. A statement does not wait long for a table: another run continues the work. A build waits for all
 * transactions that began before, and blocks none.
 */
export const runAfter = (work: {
  readonly indexes: ReadonlyArray<PgIndex>
  readonly statements: ReadonlyArray<string>
}) =>
  onOwnSession((run) =>
    Effect.gen(function* () {
      if ((yield* run(tryLock)).length === 0) return
      yield* run("SET lock_timeout = 0")
      yield* buildMissing(run, work.indexes)
      yield* run("SET lock_timeout = '10s'")
      yield* Effect.forEach(work.statements, run, { discard: true })
    })
  )

const buildMissing = Effect.fnUntraced(function* (run: Run, indexes: ReadonlyArray<PgIndex>) {
  const there = new Set((yield* run(validIndexes)).map((row) => text(row, "name")))
  for (const { definition, name } of indexes.filter((index) => !there.has(index.name))) {
    yield* run(`DROP INDEX CONCURRENTLY IF EXISTS "${name}"`)
    yield* run(`CREATE INDEX CONCURRENTLY ${definition}`)
  }
})

type Run = (statement: string) => Effect.Effect<ReadonlyArray<Row>, SqlError>

const onOwnSession = Effect.fnUntraced(
  function* (use: (run: Run) => Effect.Effect<void, SqlError>) {
    const sql = yield* SqlClient.SqlClient
    const session = yield* sql.reserve
    // Boundary: rows of statements of our own.
    const run: Run = (statement) =>
      Effect.map(session.executeUnprepared(statement, [], undefined), (rows) => rows as ReadonlyArray<Row>)
    const restored = [`SELECT pg_advisory_unlock(${lock})`, "RESET statement_timeout", "RESET lock_timeout"]
    const restore = Effect.forEach(restored, run, { discard: true })
    yield* Effect.ensuring(Effect.andThen(run("SET statement_timeout = 0"), use(run)), Effect.ignore(restore))
  },
  Effect.scoped,
  Effect.provideService(WithoutDeadline, true)
)

const validIndexes = `SELECT c.relname::text AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE i.indisvalid AND pg_table_is_visible(i.indrelid)`

/** The number of the advisory lock that a process holds while it builds indexes. */
const lock = "7021458093120048"

const tryLock = `SELECT 1 AS locked WHERE pg_try_advisory_lock(${lock})`

/**
 * Polls for the lock: if a session waited within one statement, the index build would wait for that session, because it waits for
 * every statement that began before.
 */
const untilLocked = (run: Run) =>
  run(tryLock).pipe(Effect.repeat({ schedule: Schedule.spaced("200 millis"), until: (rows) => rows.length === 1 }))
