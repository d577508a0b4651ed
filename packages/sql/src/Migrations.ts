/**
 * Applies the migrations of every package that owns tables, and reports which migrations are pending.
 *
 * Applied migrations are recorded in `paymux_migrations (owner, id, name, compatible_with, applied_at)`. All missing migrations
 * are applied in one transaction: the sets in the given order, the migrations of a set by ascending id. Two processes that start
 * at the same time migrate one after the other, and the second finds nothing to do. Migrations of owners that only the database
 * knows are left unchanged.
 */
import type { Migration, MigrationOwner, MigrationSet } from "@paymux/core/store"
import { Clock, Data, Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { isSqlError } from "effect/sql/SqlError"
import type { SqlError } from "effect/sql/SqlError"
import { buildIndexes, runAfter } from "./postgres/buildIndexes.ts"
import { WithoutDeadline } from "./postgres/deadline.ts"
import { pendingIndexes } from "./postgres/pendingIndexes.ts"
import { backupSqlite } from "./sqlite/SqliteBackup.ts"

/** Error: the migrations were not applied. `message` is one sentence for the operator; `reason` is for code. */
export class MigrationError extends Data.TaggedError("MigrationError")<{
  /**
   * The reason why the migrations were not applied.
   *
   * - `malformed`: the ids of a migration set do not ascend from 1.
   * - `newer`: a later version has migrated the database, and this version cannot use its schema.
   * - `diverged`: the database has recorded another migration under the same id.
   * - `failed`: a statement failed, so nothing was applied. `cause` is the `SqlError`.
   */
  readonly reason: "malformed" | "newer" | "diverged" | "failed"
  readonly message: string
  readonly cause?: unknown
}> {}

/** A migration together with the owner of its migration set. */
export interface OwnedMigration {
  readonly owner: MigrationOwner
  readonly migration: Migration
}

/**
 * Brings the schema up to date and returns the applied migrations: none if the schema was up to date. An SQLite file that already
 * holds a schema is first copied to `<file>.backup-<n>` beside it. On PostgreSQL, other servers keep writing: new indexes on
 * existing tables are built before the transaction, the transaction is retried if it does not get its locks at once, and long
 * work follows the transaction. A failure of that later work is logged; the next run continues the work.
 *
 * @example
 * ```ts
 * const applied = yield* runMigrations([coreMigrations, httpMigrations])
 * ```
 */
export const runMigrations = Effect.fnUntraced(function* (
  sets: ReadonlyArray<MigrationSet>
): Effect.fn.Return<ReadonlyArray<OwnedMigration>, MigrationError | SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const pending = yield* pendingMigrations(sets)
  const applied = pending.length === 0 ? pending : yield* bringUpToDate(sets, pending)
  yield* sql.onDialectOrElse({ pg: () => finish(sets), orElse: () => Effect.void })
  return applied
})

const bringUpToDate = Effect.fnUntraced(function* (
  sets: ReadonlyArray<MigrationSet>,
  pending: ReadonlyArray<OwnedMigration>
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql.onDialectOrElse({ sqlite: () => backupSqlite, pg: () => buildBefore(pending), orElse: () => Effect.void })
  const applying = Effect.provideService(sql.withTransaction(applyPending(sets)), WithoutDeadline, true)
  return yield* sql.onDialectOrElse({
    pg: () => Effect.retry(applying, { schedule: Schedule.spaced("2 seconds"), times: 30, while: hasLostLocks }),
    orElse: () => applying
  })
})

const hasLostLocks = (error: MigrationError | SqlError): boolean => {
  const cause = error._tag === "MigrationError" ? error.cause : error
  return isSqlError(cause) && (cause.reason._tag === "LockTimeoutError" || cause.reason._tag === "DeadlockError")
}

const finish = (sets: ReadonlyArray<MigrationSet>) => {
  const migrations = sets.flatMap((set) => set.migrations)
  return runAfter({
    indexes: migrations.flatMap(({ pgIndexesAfter = [] }) => pgIndexesAfter),
    statements: migrations.flatMap(({ pgAfter = [] }) => pgAfter)
  }).pipe(
    Effect.catchTag("SqlError", (cause) =>
      Effect.logWarning("The work after the migrations failed: migrate again to continue it", cause)
    )
  )
}

/**
 * The migrations that `runMigrations` would apply. Fails if `runMigrations` would refuse. Writes nothing, so that a server that
 * may not change the schema can refuse to start.
 */
export const pendingMigrations = Effect.fnUntraced(function* (
  sets: ReadonlyArray<MigrationSet>
): Effect.fn.Return<ReadonlyArray<OwnedMigration>, MigrationError | SqlError, SqlClient.SqlClient> {
  const applied = yield* readApplied
  const decision = decide(sets, applied)
  return decision instanceof MigrationError ? yield* decision : decision
})

const buildBefore = Effect.fnUntraced(function* (pending: ReadonlyArray<OwnedMigration>) {
  const sql = yield* SqlClient.SqlClient
  const indexes = pendingIndexes(pending.flatMap(({ migration }) => migration.pg ?? migration.sqlite))
  const tables = JSON.stringify(indexes.map(({ table }) => table))
  const there = yield* sql<{ name: string }>`SELECT name FROM json_array_elements_text(${tables}::json) AS name
    WHERE to_regclass(name) IS NOT NULL`
  const buildable = indexes.filter(({ table }) => there.some(({ name }) => name === table))
  if (buildable.length > 0) yield* buildIndexes(buildable)
})

const applyPending = Effect.fnUntraced(function* (sets: ReadonlyArray<MigrationSet>) {
  const sql = yield* SqlClient.SqlClient
  // Only PostgreSQL needs this lock: on SQLite, BEGIN has already taken the write lock.
  yield* sql.onDialectOrElse({ pg: () => lockPostgres, orElse: () => Effect.void })
  yield* createTable
  const pending = yield* pendingMigrations(sets)
  for (const owned of pending) yield* apply(owned)
  return pending
})

/**
 * Takes the database-wide advisory lock for schema changes. Waits for another migrating process for as long as that
 * process takes. The wait for a table in use is limited, because later statements on that table queue behind it, and a
 * payment that waits longer fails. The limit is longer than PostgreSQL takes to find a deadlock, or to end an
 * autovacuum.
 */
const lockPostgres = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`SET LOCAL statement_timeout = 0`
  yield* sql`SET LOCAL lock_timeout = 0`
  yield* sql`SELECT pg_advisory_xact_lock(7021458093120046)`
  yield* sql`SET LOCAL lock_timeout = '2s'`
})

const apply = Effect.fnUntraced(function* ({ owner, migration }: OwnedMigration) {
  const sql = yield* SqlClient.SqlClient
  const statements = sql.onDialectOrElse({
    pg: () => migration.pg ?? migration.sqlite,
    orElse: () => migration.sqlite
  })
  yield* Effect.forEach(statements, (statement) => sql.unsafe(statement).unprepared, { discard: true }).pipe(
    Effect.mapError(
      (cause) =>
        new MigrationError({
          reason: "failed",
          message: `Migration ${owner} ${migration.id} (${migration.name}) failed, nothing was applied: ${rootMessage(cause)}`,
          cause
        })
    )
  )
  const now = yield* Clock.currentTimeMillis
  const { compatibleWith = null } = migration
  const isEither = compatibleWith === null || typeof compatibleWith === "number"
  const compatible = isEither
    ? compatibleWith
    : sql.onDialectOrElse({ pg: () => compatibleWith.pg, orElse: () => null })
  const at = sql.onDialectOrElse({
    pg: () => sql`to_timestamp(${now}::double precision / 1000)`,
    orElse: () => sql`${now}`
  })
  yield* sql`INSERT INTO paymux_migrations (owner, id, name, compatible_with, applied_at)
    VALUES (${owner}, ${migration.id}, ${migration.name}, ${compatible}, ${at})`
})

// The message of the innermost cause, because a driver may wrap the database's error message in a message of its own.
const rootMessage = (error: Error): string => (error.cause instanceof Error ? rootMessage(error.cause) : error.message)

const createTable = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql.onDialectOrElse({
    pg: () => sql`CREATE TABLE IF NOT EXISTS paymux_migrations (
      owner text NOT NULL, id integer NOT NULL, name text NOT NULL, compatible_with integer,
      applied_at timestamptz NOT NULL, PRIMARY KEY (owner, id))`,
    orElse: () => sql`CREATE TABLE IF NOT EXISTS paymux_migrations (
      owner TEXT NOT NULL, id INTEGER NOT NULL, name TEXT NOT NULL, compatible_with INTEGER,
      applied_at INTEGER NOT NULL, PRIMARY KEY (owner, id)) STRICT`
  })
})

interface Applied {
  readonly owner: string
  readonly id: number
  readonly name: string
  readonly compatible_with: number | null
}

const readApplied = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [table] = yield* sql.onDialectOrElse({
    pg: () => sql<{ present: string | null }>`SELECT to_regclass('paymux_migrations')::text AS present`,
    orElse: () =>
      sql<{ present: string | null }>`SELECT name AS present FROM sqlite_schema WHERE name = 'paymux_migrations'`
  })
  if (table === undefined || table.present === null) return []
  return yield* sql<Applied>`SELECT owner, id, name, compatible_with FROM paymux_migrations ORDER BY owner, id`
})

/** The migrations to apply, in order, or the reason why none may be applied. */
const decide = (
  sets: ReadonlyArray<MigrationSet>,
  applied: ReadonlyArray<Applied>
): ReadonlyArray<OwnedMigration> | MigrationError => {
  const pending: Array<OwnedMigration> = []
  for (const { owner, migrations } of sets) {
    const problem = malformed(owner, migrations) ?? unfit(owner, migrations, applied)
    if (problem !== undefined) return problem
    const done = new Set(applied.filter((row) => row.owner === owner).map((row) => row.id))
    for (const migration of migrations) if (!done.has(migration.id)) pending.push({ owner, migration })
  }
  return pending
}

const malformed = (owner: MigrationOwner, migrations: ReadonlyArray<Migration>): MigrationError | undefined => {
  const wrong = migrations.find((migration, index) => migration.id !== index + 1)
  return wrong === undefined
    ? undefined
    : new MigrationError({
        reason: "malformed",
        message: `The migrations of ${owner} must be numbered 1, 2, 3 … in order; ${wrong.id} (${wrong.name}) is not in its place.`
      })
}

const unfit = (
  owner: MigrationOwner,
  migrations: ReadonlyArray<Migration>,
  applied: ReadonlyArray<Applied>
): MigrationError | undefined => {
  const known = migrations.length
  for (const row of applied) {
    if (row.owner !== owner) continue
    if (row.id > known && (row.compatible_with === null || row.compatible_with > known)) {
      return new MigrationError({
        reason: "newer",
        message:
          `The database is at schema ${owner} ${row.id} (${row.name}), made by a newer version of Paymux, ` +
          `and this version knows only up to ${known}: start the newer version.`
      })
    }
    const mine = migrations[row.id - 1]
    if (mine !== undefined && mine.name !== row.name) {
      return new MigrationError({
        reason: "diverged",
        message: `Migration ${owner} ${row.id} is "${row.name}" in the database but "${mine.name}" in this version: they have different histories.`
      })
    }
  }
  return undefined
}
