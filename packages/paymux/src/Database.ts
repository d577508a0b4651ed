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
  runMigrations,
  SqliteClient,
  SqlitePaymentStore
} from "@paymux/sql"
import type { EngineAlreadyRunning, MigrationError, PostgresUnfit } from "@paymux/sql"
import { webhookMigrations } from "@paymux/webhooks"
import { Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { existsSync } from "node:fs"
import { dirname } from "node:path"
import { CannotOpen } from "./databaseFaults.ts"
import type { NotMigrated } from "./databaseFaults.ts"
import type { DatabaseChoice } from "./options/DatabaseUrl.ts"
import { settingsMigrations } from "./options/Settings.ts"
import type * as Postgres from "./Postgres.ts"

export const migrations = [
  coreMigrations,
  apiKeyMigrations,
  webhookMigrations,
  sandboxMigrations,
  dashboardMigrations,
  settingsMigrations
]

/** What every package keeps its rows in, and the payments in it. */
export type Database = SqlClient.SqlClient | PaymentStore

export type DatabaseFault = CannotOpen | SqlError | MigrationError | NotMigrated | PostgresUnfit

/** The connection alone, whatever its schema. */
export const clientLayer = (database: DatabaseChoice): Layer.Layer<SqlClient.SqlClient, CannotOpen | PostgresUnfit> =>
  database._tag === "Sqlite"
    ? sqliteClient(database.filename)
    : onPostgres((postgres) => postgres.clientLayer(database))

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

/** The driver is loaded where it is used. */
const onPostgres = <A, E, R>(use: (driver: typeof Postgres) => Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("./Postgres.ts")),
      use
    )
  )

/**
 * With its tables and the payment store. A file of SQLite is migrated here, also beside a running server: what waits for
 * the other's write lock waits at most five seconds. PostgreSQL is migrated by `paymux migrate` alone.
 */
export const databaseLayer = (database: DatabaseChoice): Layer.Layer<Database, DatabaseFault> =>
  database._tag === "Sqlite"
    ? sqliteLayer(database.filename, [])
    : onPostgres((postgres) => postgres.storeLayer(database, migrations))

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
    : Layer.tap(
        onPostgres((postgres) => postgres.storeLayer(database, migrations)),
        (context) => Effect.provideContext(tellUnindexed(indexedMetadata), context)
      )

/** To read payments beside a running server, on connections of its own that refuse to write. */
export const readingLayer = (database: DatabaseChoice): Layer.Layer<Database, DatabaseFault> =>
  database._tag === "Sqlite"
    ? SqlitePaymentStore.layer.pipe(Layer.provideMerge(sqliteClient(database.filename, true)))
    : onPostgres((postgres) => postgres.readingLayer(database))

const sqliteLayer = (filename: string, indexedMetadata: ReadonlyArray<string>) =>
  SqlitePaymentStore.layer.pipe(
    Layer.provideMerge(
      Layer.effectDiscard(Effect.andThen(runMigrations(migrations), buildMetadataIndexes(indexedMetadata)))
    ),
    Layer.provideMerge(sqliteClient(filename))
  )

const tellUnindexed = Effect.fnUntraced(function* (indexedMetadata: ReadonlyArray<string>) {
  const missing = yield* missingMetadataIndexes(indexedMetadata)
  if (missing.length === 0) return
  yield* Effect.logWarning(
    `There is no index for metadata ${missing.join(", ")}: filtering by it searches at most 5,000 payments per page. Run "paymux migrate" with this configuration and restart the server.`
  )
})
