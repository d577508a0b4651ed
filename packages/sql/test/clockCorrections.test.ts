import { clockCorrectionSuite } from "@paymux/test-suites"
import { Effect, Layer, Redacted } from "effect"
import { temporaryDatabase } from "../../../test/support/PostgresDatabases.ts"
import {
  coreMigrations,
  PostgresClient,
  PostgresPaymentStore,
  runMigrations,
  SqliteClient,
  SqlitePaymentStore
} from "../src/index.ts"

clockCorrectionSuite(
  "SqlitePaymentStore",
  SqlitePaymentStore.layer.pipe(
    Layer.provide(Layer.effectDiscard(runMigrations([coreMigrations]))),
    Layer.provide(SqliteClient.layer({ filename: ":memory:" }))
  )
)

clockCorrectionSuite(
  "PostgresPaymentStore",
  Layer.unwrap(
    Effect.map(temporaryDatabase([coreMigrations]), (url) =>
      PostgresPaymentStore.layer.pipe(
        Layer.provide(PostgresClient.layer({ url: Redacted.make(url), deadlineMs: 30_000 }))
      )
    )
  )
)
