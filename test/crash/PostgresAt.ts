/** Empty databases on a PostgreSQL server, for runs that each want one of their own. */
import { parsePostgresUrl, PostgresClient, PostgresDatabase } from "@paymux/sql"
import { Effect, Redacted, Result } from "effect"
import { randomUUID } from "node:crypto"
import type { ClockSetting } from "./ScaledClock.ts"

/** `server`: the address of any of its databases, as a user who may create others. */
export const newDatabase = async (server: string): Promise<string> => {
  const name = `crash_${randomUUID().replaceAll("-", "")}`
  await run(server, [`CREATE DATABASE ${name} TEMPLATE template0`])
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/**
 * Sessions that begin from now on read the time of the engines' clock. Engines measure the time of the database every
 * minute: at the real rate, that would stop their time until the database has caught up.
 */
export const setDatabaseClock = (database: string, { rate, real, virtual }: ClockSetting): Promise<void> =>
  run(database, [
    "CREATE SCHEMA IF NOT EXISTS scaled",
    `CREATE OR REPLACE FUNCTION scaled.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
      SELECT to_timestamp((${virtual} + (extract(epoch FROM pg_catalog.clock_timestamp()) * 1000 - ${real}) * ${rate}) / 1000)
    $$`,
    // Named, the catalog does not come first; the tables are made in the first schema.
    `ALTER DATABASE ${nameOf(database)} SET search_path = scaled, pg_catalog, public`
  ])

/** The address may have several hosts. */
const nameOf = (database: string): string => Result.getOrThrow(parsePostgresUrl(database)).database ?? ""

const run = (url: string, statements: ReadonlyArray<string>): Promise<void> =>
  Effect.runPromise(
    Effect.flatMap(PostgresDatabase, ({ query }) =>
      Effect.forEach(statements, (statement) => query(statement, []), { discard: true })
    ).pipe(Effect.provide(PostgresClient.layer({ url: Redacted.make(url), maxConnections: 1 }), { local: true }))
  )
