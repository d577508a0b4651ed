/** The database of one installation: opened, with every package's tables. */
import type { PaymentStore } from "@paymux/core"
import { apiKeyMigrations } from "@paymux/http"
import { sandboxMigrations } from "@paymux/sandbox"
import {
  coreMigrations,
  EngineLock,
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
import type { DatabaseChoice } from "./DatabaseUrl.ts"
import { settingsMigrations } from "./Settings.ts"

export const migrations = [coreMigrations, apiKeyMigrations, webhookMigrations, sandboxMigrations, settingsMigrations]

/** Many processes may use the database: none of them changes its schema under the others. */
export class NotMigrated extends Data.TaggedError("NotMigrated")<{ readonly missing: number }> {
  override get message(): string {
    const steps = this.missing === 1 ? "a migration" : `${this.missing} migrations`
    return `The database lacks ${steps} of this version: run "paymux migrate --database <url>" first.`
  }
}

/** What every package keeps its rows in, and the payments in it. */
export type Database = SqlClient.SqlClient | PaymentStore

export type DatabaseFault = SqlError | MigrationError | NotMigrated | PostgresUnfit

/** The connection alone, whatever its schema. */
export const clientLayer = (database: DatabaseChoice): Layer.Layer<SqlClient.SqlClient, SqlError | PostgresUnfit> =>
  database._tag === "Sqlite"
    ? SqliteClient.layer({ filename: database.filename })
    : PostgresClient.layer({ url: database.url, maxConnections: database.maxConnections })

/**
 * With its tables and the payment store. A file of SQLite is migrated here, also beside a running server: what waits for
 * the other's write lock waits at most five seconds. PostgreSQL is migrated by `paymux migrate` alone.
 */
export const databaseLayer = (database: DatabaseChoice): Layer.Layer<Database, DatabaseFault> =>
  database._tag === "Sqlite" ? sqliteLayer(database.filename) : postgresLayer(database)

/** For an engine: on SQLite with the lock that lets one engine use the file, taken before anything is migrated. */
export const engineDatabaseLayer = (
  database: DatabaseChoice
): Layer.Layer<Database, DatabaseFault | EngineAlreadyRunning> =>
  database._tag === "Sqlite"
    ? sqliteLayer(database.filename).pipe(Layer.provideMerge(EngineLock.layer({ filename: database.filename })))
    : postgresLayer(database)

const sqliteLayer = (filename: string) =>
  SqlitePaymentStore.layer.pipe(
    Layer.provideMerge(Layer.effectDiscard(runMigrations(migrations))),
    Layer.provideMerge(SqliteClient.layer({ filename }))
  )

const postgresLayer = ({ maxConnections, url }: Extract<DatabaseChoice, { readonly _tag: "Postgres" }>) =>
  PostgresPaymentStore.layer.pipe(
    Layer.provideMerge(Layer.effectDiscard(refuseOlder)),
    Layer.provideMerge(PostgresClient.layer({ url, maxConnections }))
  )

const refuseOlder = Effect.gen(function* () {
  const missing = yield* pendingMigrations(migrations)
  if (missing.length > 0) return yield* new NotMigrated({ missing: missing.length })
})
