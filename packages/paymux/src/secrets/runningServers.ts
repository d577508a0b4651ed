/**
 * Which servers use the database, each with the digests of its secrets: a row of the settings for each, written at its start and every
 * 10 seconds. A server that ended without a shutdown is left out when its row is 30 seconds old.
 */
import { Clock, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { RunningServer } from "./admission.ts"

/** ms */
export const reportEvery = 10_000
/** ms */
const silentFor = 30_000

const prefix = "server "

const Stored = Schema.fromJsonString(
  Schema.Struct({ host: Schema.String, pid: Schema.Number, secrets: Schema.Array(Schema.String) })
)
const decode = Schema.decodeUnknownSync(Stored)
const encode = Schema.encodeSync(Stored)

/** All but `own`. */
export const otherServers = Effect.fnUntraced(function* (own: string | null) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* databaseTime
  // Both bounds: a clock that was set back would otherwise keep an ended server for hours.
  const rows = yield* sql<{ readonly name: string; readonly value: string }>`
    SELECT name, value FROM paymux_settings WHERE name LIKE ${`${prefix}%`}
      AND created_at > ${now - silentFor} AND created_at < ${now + silentFor}`
  return rows.filter(({ name }) => name !== `${prefix}${own}`).map(({ value }): RunningServer => decode(value))
})

/** Writes the row of a server, and deletes those of servers that ended without doing so. */
export const reportServer = Effect.fnUntraced(function* (id: string, server: RunningServer) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* databaseTime
  const value = encode(server)
  yield* sql`INSERT INTO paymux_settings (name, value, created_at) VALUES (${prefix + id}, ${value}, ${now})
    ON CONFLICT (name) DO UPDATE SET value = excluded.value, created_at = excluded.created_at`
  yield* sql`DELETE FROM paymux_settings WHERE name LIKE ${`${prefix}%`}
    AND (created_at <= ${now - silentFor} OR created_at >= ${now + silentFor})`
})

export const forgetServer = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM paymux_settings WHERE name = ${prefix + id}`
})

/** ms UTC, of the clock that all servers share. A file of SQLite is used by one machine. */
export const databaseTime = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql.onDialectOrElse({
    pg: () =>
      Effect.map(
        sql<{ readonly now: number | string }>`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now`,
        ([row]) => Number(row?.now)
      ),
    orElse: () => Clock.currentTimeMillis
  })
})
