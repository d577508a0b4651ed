/** The database of an installation on PostgreSQL. */
import { pendingMigrations, PostgresClient, PostgresPaymentStore } from "@paymux/sql"
import { Effect, Layer } from "effect"
import { CannotOpen, NotMigrated } from "./databaseFaults.ts"
import { shownDatabase } from "./options/DatabaseUrl.ts"
import type { DatabaseChoice } from "./options/DatabaseUrl.ts"

type Migrations = Parameters<typeof pendingMigrations>[0]
type PostgresChoice = Extract<DatabaseChoice, { readonly _tag: "Postgres" }>

export const clientLayer = (database: PostgresClient.PostgresClientOptions & PostgresChoice) =>
  Layer.catchTag(PostgresClient.layer(database), "SqlError", (cause) =>
    Layer.effectContext(Effect.fail(new CannotOpen({ database: shownDatabase(database), cause })))
  )

export const storeLayer = (database: PostgresChoice, migrations: Migrations) =>
  PostgresPaymentStore.layer.pipe(
    Layer.provideMerge(Layer.effectDiscard(refuseOlder(migrations))),
    Layer.provideMerge(clientLayer(database))
  )

/** On connections of its own that refuse to write. */
export const readingLayer = (database: PostgresChoice) =>
  PostgresPaymentStore.layer.pipe(Layer.provideMerge(clientLayer({ ...database, ...reports })))

const reports = { maxConnections: 2, applicationName: "paymux reports", readOnly: true }

const refuseOlder = Effect.fnUntraced(function* (migrations: Migrations) {
  const missing = yield* pendingMigrations(migrations)
  if (missing.length > 0) return yield* new NotMigrated({ missing: missing.length })
})
