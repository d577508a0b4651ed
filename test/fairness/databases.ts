import { PostgresClient, PostgresPaymentStore } from "@paymux/sql"
import { Effect, Layer, Redacted } from "effect"
import { databaseLayer, migrations } from "../../packages/paymux/src/Database.ts"
import { temporaryDatabase } from "../support/PostgresDatabases.ts"

/** A new database with every table of an installation, by its name. */
export const databases = {
  SQLite: Layer.orDie(databaseLayer({ _tag: "Sqlite", filename: ":memory:" })),
  PostgreSQL: Layer.unwrap(
    Effect.map(temporaryDatabase(migrations), (url) =>
      Layer.orDie(
        PostgresPaymentStore.layer.pipe(Layer.provideMerge(PostgresClient.layer({ url: Redacted.make(url) })))
      )
    )
  )
}
