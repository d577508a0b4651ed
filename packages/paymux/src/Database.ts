/** The database of one installation: opened, with every package's tables. */
import type { PaymentStore } from "@paymux/core/store"
import { dashboardMigrations } from "@paymux/dashboard"
import { apiKeyMigrations } from "@paymux/http"
import { sandboxMigrations } from "@paymux/sandbox"
import {
  buildMetadataIndexes,
  coreMigrations,
  EngineLock,
  missingMetadataIndexes,
  pendingMigrations,
  PostgresClient,
  PostgresPaymentStore,
  runMigrations,
  SqliteClient,
  SqlitePaymentStore
} from "@paymux/sql"
import type { EngineAlreadyRunning, MigrationError, PostgresUnfit } from "@paymux/sql"
import { webhookMigrations } from "@paymux/webhooks"
import { Data, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { existsSync } from "node:fs"
import { dirname } from "node:path"
import { shownDatabase } from "./options/DatabaseUrl.ts"
import type { DatabaseChoice } from "./options/DatabaseUrl.ts"
import { settingsMigrations } from "./options/Settings.ts"

export const migrations = [
  coreMigrations,
  apiKeyMigrations,
  webhookMigrations,
  sandboxMigrations,
  dashboardMigrations,
  settingsMigrations
]

/** Many processes may use the database: none of them changes its schema under the others. */
export class NotMigrated extends Data.TaggedError("NotMigrated")<{ readonly missing: number }> {
  override get message(): string {
    const steps = this.missing === 1 ? "a migration" : `${this.missing} migrations`
    return `The database lacks ${steps} of this version: run "paymux migrate --database <url>" first.`
  }
}

/** What every package keeps its rows in, and the payments in it. */
export type Database = SqlClient.SqlClient | PaymentStore

export type DatabaseFault = CannotOpen | SqlError | MigrationError | NotMigrated | PostgresUnfit

/** The database is not there, or does not let us in. Neither password nor user name is in it. */
export class CannotOpen extends Data.TaggedError("CannotOpen")<{
  readonly database: string
  readonly cause: unknown
}> {
  override get message(): string {
    return `The database ${this.database} cannot be opened: ${rootMessage(this.cause)}`
  }
}

/** A driver wraps what the system or the server said in sentences of its own. */
const rootMessage = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : rootMessage(error.cause)
}

/** The connection alone, whatever its schema. */
export const clientLayer = (database: DatabaseChoice): Layer.Layer<SqlClient.SqlClient, CannotOpen | PostgresUnfit> =>
  database._tag === "Sqlite" ? sqliteClient(database.filename) : postgresClient(database)

const sqliteClient = (filename: string, readOnly = false) =>
  Layer.catchTag(SqliteClient.layer({ filename, readOnly }), "SqlError", (cause) => cannotOpen(filename, cause))

const engineLock = (filename: string) =>
  Layer.catchTag(EngineLock.layer({ filename }), "SqlError", (cause) => cannotOpen(filename, cause))

/** SQLite makes a file, but no folder, and does not say that it lacks one. */
const cannotOpen = (filename: string, cause: SqlError) =>
  Layer.effectContext(
    Effect.suspend(() => {
      const folder = dirname(filename)
      const reason = existsSync(folder) ? cause : `the folder ${folder} does not exist`
      return Effect.fail(new CannotOpen({ database: filename, cause: reason }))
    })
  )

const postgresClient = (database: Postgres) =>
  Layer.catchTag(PostgresClient.layer(database), "SqlError", (cause) =>
    Layer.effectContext(Effect.fail(new CannotOpen({ database: shownDatabase(database), cause })))
  )

type Postgres = Extract<DatabaseChoice, { readonly _tag: "Postgres" }>

/**
 * With its tables and the payment store. A file of SQLite is migrated here, also beside a running server: what waits for
 * the other's write lock waits at most five seconds. PostgreSQL is migrated by `paymux migrate` alone.
 */
export const databaseLayer = (database: DatabaseChoice): Layer.Layer<Database, DatabaseFault> =>
  database._tag === "Sqlite" ? sqliteLayer(database.filename, []) : postgresLayer(database)

/**
 * For an engine: on SQLite with the lock that lets one engine use the file, taken before anything is migrated, and with
 * an index for each of these keys of metadata. On PostgreSQL a key without an index is reported.
 */
export const engineDatabaseLayer = (
  database: DatabaseChoice,
  indexedMetadata: ReadonlyArray<string>
): Layer.Layer<Database, DatabaseFault | EngineAlreadyRunning> =>
  database._tag === "Sqlite"
    ? sqliteLayer(database.filename, indexedMetadata).pipe(Layer.provideMerge(engineLock(database.filename)))
    : Layer.tap(postgresLayer(database), (context) => Effect.provideContext(tellUnindexed(indexedMetadata), context))

/** To read payments beside a running server, on connections of its own that refuse to write. */
export const readingLayer = (database: DatabaseChoice): Layer.Layer<Database, DatabaseFault> =>
  database._tag === "Sqlite"
    ? SqlitePaymentStore.layer.pipe(Layer.provideMerge(sqliteClient(database.filename, true)))
    : PostgresPaymentStore.layer.pipe(Layer.provideMerge(postgresClient({ ...database, ...reports })))

const reports = { maxConnections: 2, applicationName: "paymux reports", readOnly: true }

const sqliteLayer = (filename: string, indexedMetadata: ReadonlyArray<string>) =>
  SqlitePaymentStore.layer.pipe(
    Layer.provideMerge(
      Layer.effectDiscard(Effect.andThen(runMigrations(migrations), buildMetadataIndexes(indexedMetadata)))
    ),
    Layer.provideMerge(sqliteClient(filename))
  )

const postgresLayer = (database: Postgres) =>
  PostgresPaymentStore.layer.pipe(
    Layer.provideMerge(Layer.effectDiscard(refuseOlder)),
    Layer.provideMerge(postgresClient(database))
  )

const tellUnindexed = Effect.fnUntraced(function* (indexedMetadata: ReadonlyArray<string>) {
  const missing = yield* missingMetadataIndexes(indexedMetadata)
  if (missing.length === 0) return
  yield* Effect.logWarning(
    `There is no index for metadata ${missing.join(", ")}: lists by it look at every payment until "paymux migrate" has run with this configuration and the server is started again.`
  )
})

const refuseOlder = Effect.gen(function* () {
  const missing = yield* pendingMigrations(migrations)
  if (missing.length > 0) return yield* new NotMigrated({ missing: missing.length })
})
