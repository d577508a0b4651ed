/** The rows of `paymux_settings`. */
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The value that is kept under a name: this one, unless there was one before. */
export const keep = Effect.fnUntraced(function* (name: string, value: string) {
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  yield* sql`INSERT INTO paymux_settings (name, value, created_at) VALUES (${name}, ${value}, ${now}) ON CONFLICT DO NOTHING`
  return (yield* read(name)) ?? value
})

export const replace = Effect.fnUntraced(function* (name: string, former: string, value: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE paymux_settings SET value = ${value} WHERE name = ${name} AND value = ${former}`
})

export const read = Effect.fnUntraced(function* (name: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly value: string }>`SELECT value FROM paymux_settings WHERE name = ${name}`
  return rows[0]?.value ?? null
})
