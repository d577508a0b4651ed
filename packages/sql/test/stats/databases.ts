/** Databases with the tables of payments, one of each kind, for tests of the statistics. */
import { Effect, Layer, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import { temporaryDatabase } from "../../../../test/support/PostgresDatabases.ts"
import { coreMigrations, PostgresClient, runMigrations, SqliteClient } from "../../src/index.ts"

export const sqlite = (): Layer.Layer<SqlClient.SqlClient> =>
  Layer.effectDiscard(runMigrations([coreMigrations])).pipe(
    Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" })),
    Layer.orDie
  )

export const postgres = (): Layer.Layer<SqlClient.SqlClient> =>
  Layer.unwrap(
    Effect.map(temporaryDatabase([coreMigrations]), (url) => PostgresClient.layer({ url: Redacted.make(url) }))
  ).pipe(Layer.orDie)
