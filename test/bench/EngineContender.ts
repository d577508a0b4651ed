/** The engine of `@paymux/core` on the SQLite store, as `createPaymux` puts them together, without HTTP. */
import { decodeCreatePayment, Engine, Payments } from "@paymux/core"
import { coreMigrations, runMigrations, SqliteClient, SqliteDatabase, SqlitePaymentStore } from "@paymux/sql"
import { Effect, Layer, ManagedRuntime } from "effect"
import { instantProvider } from "./InstantProvider.ts"
import { request, tenant } from "./Sample.ts"
import { settingsOf } from "./SameRows.ts"

export const openEngine = async (filename: string) => {
  const runtime = ManagedRuntime.make(engineOn(filename))
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
    settings: await runtime.runPromise(Effect.map(SqliteDatabase, ({ db }) => settingsOf(db))),
    close: () => runtime.dispose()
  }
}

const engineOn = (filename: string) => {
  const database = Layer.effectDiscard(runMigrations([coreMigrations])).pipe(
    Layer.provideMerge(SqliteClient.layer({ filename }))
  )
  return Engine.layerLive({ providers: [instantProvider], publicUrl: "http://localhost:4310" }).pipe(
    Layer.provideMerge(SqlitePaymentStore.layer),
    Layer.provideMerge(database)
  )
}
