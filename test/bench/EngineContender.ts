/** The engine of `@paymux/core` on either store, as `createPaymux` puts them together, without HTTP. */
import { decodeCreatePayment, Engine, Payments } from "@paymux/core"
import type { PaymentStore } from "@paymux/core/store"
import {
  coreMigrations,
  PostgresPaymentStore,
  runMigrations,
  SqliteClient,
  SqliteDatabase,
  SqlitePaymentStore
} from "@paymux/sql"
import { Effect, Layer, ManagedRuntime } from "effect"
import { randomUUID } from "node:crypto"
import * as NodeSha256 from "../../packages/paymux/src/NodeSha256.ts"
import type { SqlClient } from "effect/sql"
import { instantProvider } from "./InstantProvider.ts"
import { clientOn } from "./PostgresDatabases.ts"
import { request, tenant } from "./Sample.ts"
import { settingsOf } from "./SameRows.ts"

/** What runs beside the engine. */
type Background = Layer.Layer<never, never, SqlClient.SqlClient>

export const openEngineOnSqlite = async (filename: string, background: Background = Layer.empty) => {
  const database = Layer.effectDiscard(runMigrations([coreMigrations])).pipe(
    Layer.provideMerge(SqliteClient.layer({ filename }))
  )
  const store = Layer.provideMerge(SqlitePaymentStore.layer, database)
  const runtime = ManagedRuntime.make(engineOn(Layer.provideMerge(background, store)))
  return {
    ...(await contender(runtime)),
    settings: await runtime.runPromise(Effect.map(SqliteDatabase, ({ db }) => settingsOf(db)))
  }
}

/** On a database that holds the tables. */
export const openEngineOnPostgres = (url: string, background: Background = Layer.empty) => {
  const store = Layer.provideMerge(PostgresPaymentStore.layer, clientOn(url))
  return contender(ManagedRuntime.make(engineOn(Layer.provideMerge(background, store))))
}

const engineOn = <A, E>(store: Layer.Layer<A | PaymentStore | SqlClient.SqlClient, E>) =>
  Engine.layerLive({ providers: [instantProvider], publicUrl: "http://localhost:4310" }).pipe(
    Layer.provideMerge(Layer.merge(store, NodeSha256.layer))
  )

const contender = async <R, E>(runtime: ManagedRuntime.ManagedRuntime<R | Payments | SqlClient.SqlClient, E>) => {
  const payment = await runtime.runPromise(decodeCreatePayment(request))
  const createOne = (key: string | null) =>
    Effect.flatMap(Payments, ({ create }) => {
      const idempotency = key === null ? null : { endpoint: "POST /v1/payments", key }
      return Effect.flatMap(create(payment, { tenant, idempotency }), ({ record }) =>
        record.payment.state.status === "succeeded"
          ? Effect.void
          : Effect.die(new Error(`A payment ended as ${record.payment.state.status}`))
      )
    })
  const run = (payments: number, concurrency: number, key: () => string | null) =>
    runtime.runPromise(
      Effect.forEach(Array.from({ length: payments }), () => createOne(key()), { concurrency, discard: true })
    )
  return {
    /** `payments` creates, `concurrency` of them at a time. */
    run: (payments: number, concurrency: number) => run(payments, concurrency, () => null),
    /** Each under an idempotency key of its own. */
    runWithKeys: (payments: number, concurrency: number) => run(payments, concurrency, randomUUID),
    use: <A, Failure>(effect: Effect.Effect<A, Failure, SqlClient.SqlClient>) => runtime.runPromise(effect),
    close: () => runtime.dispose()
  }
}
