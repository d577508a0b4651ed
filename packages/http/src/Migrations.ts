import type { MigrationSet } from "@paymux/core/store"
import { requestLogTables } from "./requestLog/requestLogTables.ts"

/**
 * The migrations of this package: API keys, then the request log. Times are integer ms UTC on SQLite. `readable` holds
 * the sandbox's own test key in plain text, so that every start can print it; of any other key only the hash is stored.
 */
export const apiKeyMigrations: MigrationSet = {
  owner: "http",
  migrations: [
    {
      id: 1,
      name: "api keys",
      sqlite: [
        `CREATE TABLE paymux_api_keys (
          id TEXT PRIMARY KEY,
          account TEXT NOT NULL,
          livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
          name TEXT NOT NULL,
          hash TEXT NOT NULL UNIQUE,
          last4 TEXT NOT NULL,
          readable TEXT CHECK (readable IS NULL OR (livemode = 0 AND revoked_at IS NULL)),
          created_at INTEGER NOT NULL,
          revoked_at INTEGER
        ) STRICT`,
        "CREATE INDEX paymux_api_keys_account ON paymux_api_keys (account, livemode)",
        "CREATE UNIQUE INDEX paymux_api_keys_readable ON paymux_api_keys (livemode) WHERE readable IS NOT NULL"
      ],
      pg: [
        `CREATE TABLE paymux_api_keys (
          id text PRIMARY KEY,
          account text NOT NULL,
          livemode boolean NOT NULL,
          name text NOT NULL,
          hash text NOT NULL UNIQUE,
          last4 text NOT NULL,
          readable text CHECK (readable IS NULL OR (NOT livemode AND revoked_at IS NULL)),
          created_at timestamptz NOT NULL,
          revoked_at timestamptz
        )`,
        "CREATE INDEX paymux_api_keys_account ON paymux_api_keys (account, livemode)",
        "CREATE UNIQUE INDEX paymux_api_keys_readable ON paymux_api_keys (livemode) WHERE readable IS NOT NULL"
      ]
    },
    {
      id: 2,
      name: "api keys that expire",
      sqlite: ["ALTER TABLE paymux_api_keys ADD COLUMN expires_at INTEGER"],
      pg: ["ALTER TABLE paymux_api_keys ADD COLUMN expires_at timestamptz"],
      // A server with the previous schema still works with this one, but ignores `expires_at` and so accepts expired
      // keys. To block such a key there, revoke it.
      compatibleWith: 1
    },
    {
      id: 3,
      name: "last use of api keys",
      sqlite: ["ALTER TABLE paymux_api_keys ADD COLUMN last_used_at INTEGER"],
      pg: ["ALTER TABLE paymux_api_keys ADD COLUMN last_used_at timestamptz"],
      compatibleWith: 1
    },
    { id: 4, ...requestLogTables }
  ]
}
