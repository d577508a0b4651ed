/** A database by its address, as the crash tests use it: the engine's processes, and the judge after them. */
import type { MigrationSet, PaymentStore } from "@paymux/core/store"
import { apiKeyMigrations } from "@paymux/http"
import {
  coreMigrations,
  EngineLock,
  PostgresClient,
  PostgresPaymentStore,
  runMigrations,
  SqliteClient,
  SqlitePaymentStore
} from "@paymux/sql"
import { Layer, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import { migrations as serverMigrations } from "../../packages/paymux/src/Database.ts"

export interface DatabaseOptions {
  /** `sqlite:<file>` or `postgres://…` */
  readonly url: string
  /** Further migrations of the core, as a later version would bring them. */
  readonly further?: MigrationSet["migrations"]
  /** With the tables of a whole server, such as those of its secrets. Default: those of the core and of API keys. */
  readonly isWhole?: boolean
}

export const isPostgres = (url: string): boolean => url.startsWith("postgres")

const migrationsOf = ({ further = [], isWhole = false }: DatabaseOptions): ReadonlyArray<MigrationSet> =>
  isWhole
    ? serverMigrations
    : [{ ...coreMigrations, migrations: [...coreMigrations.migrations, ...further] }, apiKeyMigrations]

/** For an engine: migrated, and on SQLite with the lock that one engine holds. */
export const engineDatabase = (options: DatabaseOptions) =>
  isPostgres(options.url)
    ? migrated(options)
    : migrated(options).pipe(Layer.provideMerge(Layer.orDie(EngineLock.layer({ filename: fileOf(options.url) }))))

/** For reads of what the engines left. */
export const migrated = (options: DatabaseOptions): Layer.Layer<SqlClient.SqlClient | PaymentStore> =>
  Layer.orDie(Layer.effectDiscard(runMigrations(migrationsOf(options)))).pipe(
    Layer.provideMerge(isPostgres(options.url) ? postgres(options.url) : sqlite(options.url))
  )

type Tables = Layer.Layer<SqlClient.SqlClient | PaymentStore>

const postgres = (url: string): Tables =>
  Layer.orDie(Layer.provideMerge(PostgresPaymentStore.layer, PostgresClient.layer({ url: Redacted.make(url) })))

// Commits of the event loop and of the thread, in turns.
const sqlite = (url: string): Tables =>
  Layer.orDie(
    Layer.provideMerge(SqlitePaymentStore.layer, SqliteClient.layer({ filename: fileOf(url), writerThreadFrom: 3 }))
  )

export const fileOf = (url: string): string => url.replace(/^sqlite:/, "")
