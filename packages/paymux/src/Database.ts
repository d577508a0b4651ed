/** The database of one installation: opened, migrated, with every package's tables. */
import { apiKeyMigrations } from "@paymux/http"
import { sandboxMigrations } from "@paymux/sandbox"
import { coreMigrations, EngineLock, runMigrations, SqliteClient } from "@paymux/sql"
import { webhookMigrations } from "@paymux/webhooks"
import { Layer } from "effect"
import { settingsMigrations } from "./Settings.ts"

const migrations = [coreMigrations, apiKeyMigrations, webhookMigrations, sandboxMigrations, settingsMigrations]

/** Beside a running server, too: what waits for the other's write lock waits at most five seconds. */
export const databaseLayer = (filename: string) =>
  Layer.effectDiscard(runMigrations(migrations)).pipe(Layer.provideMerge(SqliteClient.layer({ filename })))

/** With the lock that lets one engine use the file. It is taken before anything is migrated. */
export const engineDatabaseLayer = (filename: string) =>
  databaseLayer(filename).pipe(Layer.provideMerge(EngineLock.layer({ filename })))
