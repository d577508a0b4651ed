/** A new database of each kind with the tables of payments, and the store on it. */
import type { PaymentStore } from "@paymux/core/store"
import { Effect, Layer, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import { temporaryDatabase } from "../../../test/support/PostgresDatabases.ts"
import {
  coreMigrations,
  PostgresClient,
  PostgresPaymentStore,
  runMigrations,
  SqliteClient,
  SqlitePaymentStore
} from "../src/index.ts"

export const sqlite: Layer.Layer<PaymentStore | SqlClient.SqlClient> = SqlitePaymentStore.layer.pipe(
  Layer.provideMerge(Layer.effectDiscard(runMigrations([coreMigrations]))),
  Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" })),
  Layer.orDie
)

export const postgres: Layer.Layer<PaymentStore | SqlClient.SqlClient> = Layer.unwrap(
  Effect.map(temporaryDatabase([coreMigrations]), (url) =>
    PostgresPaymentStore.layer.pipe(
      Layer.provideMerge(PostgresClient.layer({ url: Redacted.make(url), deadlineMs: 30_000 }))
    )
  )
).pipe(Layer.orDie)
