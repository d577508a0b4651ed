/** What one installation remembers of itself: in test mode, the secret that was made for it. */
import type { MigrationSet } from "@paymux/core"
import { Clock, Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"

export const settingsMigrations: MigrationSet = {
  owner: "paymux",
  migrations: [
    {
      id: 1,
      name: "settings",
      sqlite: [
        "CREATE TABLE paymux_settings (name TEXT PRIMARY KEY, value TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT, WITHOUT ROWID"
      ],
      pg: ["CREATE TABLE paymux_settings (name text PRIMARY KEY, value text NOT NULL, created_at timestamptz NOT NULL)"]
    }
  ]
}

/** The secret that was given, or the one that is kept with this database. */
export const installationSecret = Effect.fnUntraced(function* (given: Redacted.Redacted | null) {
  if (given !== null) return given
  const sql = yield* SqlClient.SqlClient
  const now = yield* Clock.currentTimeMillis
  const made = randomBytes(32).toString("base64url")
  yield* sql`INSERT INTO paymux_settings (name, value, created_at) VALUES ('secret', ${made}, ${now}) ON CONFLICT DO NOTHING`
  const rows = yield* sql<{ readonly value: string }>`SELECT value FROM paymux_settings WHERE name = 'secret'`
  const kept = rows[0]?.value
  return kept === undefined ? yield* Effect.die(new Error("the secret was not kept")) : Redacted.make(kept)
})
