/** A new database of each kind with the tables of payments. */
import type { PaymentStore } from "@paymux/core/store"
import {
  coreMigrations,
  PostgresClient,
  PostgresPaymentStore,
  runMigrations,
  SqliteClient,
  SqlitePaymentStore
} from "@paymux/sql"
import { Effect, Layer, Redacted } from "effect"
import { temporaryDatabase } from "../support/PostgresDatabases.ts"

export const sqlite: Layer.Layer<PaymentStore> = SqlitePaymentStore.layer.pipe(
  Layer.provideMerge(Layer.effectDiscard(runMigrations([coreMigrations]))),
  Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" })),
  Layer.orDie
)

export const postgres: Layer.Layer<PaymentStore> = Layer.unwrap(
  Effect.map(temporaryDatabase([coreMigrations]), (url) =>
    PostgresPaymentStore.layer.pipe(
      Layer.provideMerge(PostgresClient.layer({ url: Redacted.make(url), deadlineMs: 30_000 }))
    )
  )
).pipe(Layer.orDie)
