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
import { instantProvider } from "./InstantProvider.ts"
import { clientOn } from "./PostgresDatabases.ts"
import { request, tenant } from "./Sample.ts"
import { settingsOf } from "./SameRows.ts"

export const openEngineOnSqlite = async (filename: string) => {
  const database = Layer.effectDiscard(runMigrations([coreMigrations])).pipe(
    Layer.provideMerge(SqliteClient.layer({ filename }))
  )
  const runtime = ManagedRuntime.make(engineOn(Layer.provideMerge(SqlitePaymentStore.layer, database)))
  return {
    ...(await contender(runtime)),
    settings: await runtime.runPromise(Effect.map(SqliteDatabase, ({ db }) => settingsOf(db)))
  }
}

/** On a database that holds the tables. */
export const openEngineOnPostgres = (url: string) =>
  contender(ManagedRuntime.make(engineOn(Layer.provideMerge(PostgresPaymentStore.layer, clientOn(url)))))

const engineOn = <A, E>(store: Layer.Layer<A | PaymentStore, E>) =>
  Engine.layerLive({ providers: [instantProvider], publicUrl: "http://localhost:4310" }).pipe(Layer.provideMerge(store))

const contender = async <R, E>(runtime: ManagedRuntime.ManagedRuntime<R | Payments, E>) => {
  const payment = await runtime.runPromise(decodeCreatePayment(request))
  const createOne = Effect.flatMap(Payments, ({ create }) =>
    Effect.flatMap(create(payment, { tenant, idempotency: null }), ({ record }) =>
      record.payment.state.status === "succeeded"
        ? Effect.void
        : Effect.die(new Error(`A payment ended as ${record.payment.state.status}`))
    )
  )
  return {
    /** `payments` creates, `concurrency` of them at a time. */
    run: (payments: number, concurrency: number) =>
      runtime.runPromise(
        Effect.forEach(Array.from({ length: payments }), () => createOne, { concurrency, discard: true })
      ),
    close: () => runtime.dispose()
  }
}
