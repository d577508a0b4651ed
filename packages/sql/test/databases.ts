/** A new database of each kind with the tables of payments, and the store on it. */
import { PaymentStore } from "@paymux/core/store"
import { Context, Effect, Layer, Redacted } from "effect"
import type { Scope } from "effect"
import type { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { temporaryDatabase } from "../../../test/support/PostgresDatabases.ts"
import {
  coreMigrations,
  PostgresClient,
  PostgresPaymentStore,
  runMigrations,
  SqliteClient,
  SqlitePaymentStore
} from "../src/index.ts"

/** The store of another server on the same database. */
export class OtherServer extends Context.Service<
  OtherServer,
  Effect.Effect<PaymentStore["Service"], never, Scope.Scope>
>()("test/OtherServer") {}

const withOther = <Client>(store: Layer.Layer<PaymentStore, SqlError, Client>) =>
  Layer.merge(
    store,
    Layer.effect(
      OtherServer,
      Effect.map(Effect.context<Client>(), (clients) =>
        Layer.build(Layer.fresh(store)).pipe(
          Effect.map((built) => Context.get(built, PaymentStore)),
          Effect.provideContext(clients),
          Effect.orDie
        )
      )
    )
  )

type Database = PaymentStore | SqlClient.SqlClient | OtherServer

export const sqlite: Layer.Layer<Database> = withOther(SqlitePaymentStore.layer).pipe(
  Layer.provideMerge(Layer.effectDiscard(runMigrations([coreMigrations]))),
  Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" })),
  Layer.orDie
)

export const postgres: Layer.Layer<Database> = Layer.unwrap(
  Effect.map(temporaryDatabase([coreMigrations]), (url) =>
    withOther(PostgresPaymentStore.layer).pipe(
      Layer.provideMerge(
        PostgresClient.layer({ url: Redacted.make(url), deadlineMs: 30_000, searchDeadlineMs: 30_000 })
      )
    )
  )
).pipe(Layer.orDie)
