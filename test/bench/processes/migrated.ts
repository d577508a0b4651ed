/** Migrates the database if it is on PostgreSQL, where a server never does. */
import { PostgresClient, runMigrations } from "@paymux/sql"
import { Effect, Redacted } from "effect"
import { migrations } from "../../../packages/paymux/src/Database.ts"

export const migrated = async (database: string): Promise<string> => {
  if (database.startsWith("postgres")) {
    await Effect.runPromise(
      Effect.provide(runMigrations(migrations), PostgresClient.layer({ url: Redacted.make(database) }))
    )
  }
  return database
}
