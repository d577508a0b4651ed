/**
 * The tables of endpoints and deliveries. Times are integers, ms UTC, on both databases; booleans 0 or 1 on SQLite.
 *
 * There are no foreign keys: events are core's, and a delivery whose endpoint is gone is a record of what happened.
 */
import type { MigrationSet } from "@paymux/core"

const indexes = [
  "CREATE INDEX webhook_endpoints_by_tenant ON webhook_endpoints (account, livemode, created_at)",
  // By endpoint first: what one endpoint is due is found without a walk over what all others are due.
  `CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, deliver_at, id) WHERE status = 'pending'`
]

const sqlite = [
  `CREATE TABLE webhook_endpoints (
    id TEXT NOT NULL PRIMARY KEY,
    account TEXT NOT NULL,
    livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
    url TEXT NOT NULL,
    events TEXT,
    secret TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    disabled_at INTEGER,
    disabled_reason TEXT
  ) STRICT`,
  `CREATE TABLE webhook_deliveries (
    id INTEGER PRIMARY KEY,
    event_id TEXT NOT NULL,
    endpoint_id TEXT NOT NULL,
    account TEXT NOT NULL,
    livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
    attempts INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'dead', 'canceled')),
    deliver_at INTEGER NOT NULL,
    claimed_by TEXT,
    claimed_until INTEGER,
    last_status INTEGER,
    last_error TEXT,
    last_at INTEGER,
    delivered_at INTEGER,
    UNIQUE (event_id, endpoint_id)
  ) STRICT`,
  ...indexes
]

const pg = [
  `CREATE TABLE webhook_endpoints (
    id text NOT NULL PRIMARY KEY,
    account text NOT NULL,
    livemode boolean NOT NULL,
    url text NOT NULL,
    events text,
    secret text NOT NULL,
    created_at bigint NOT NULL,
    disabled_at bigint,
    disabled_reason text
  )`,
  `CREATE TABLE webhook_deliveries (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    event_id text NOT NULL,
    endpoint_id text NOT NULL,
    account text NOT NULL,
    livemode boolean NOT NULL,
    attempts integer NOT NULL,
    status text NOT NULL CHECK (status IN ('pending', 'delivered', 'dead', 'canceled')),
    deliver_at bigint NOT NULL,
    claimed_by text,
    claimed_until bigint,
    last_status integer,
    last_error text,
    last_at bigint,
    delivered_at bigint,
    UNIQUE (event_id, endpoint_id)
  )`,
  ...indexes
]

export const webhookMigrations: MigrationSet = {
  owner: "webhooks",
  migrations: [{ id: 1, name: "endpoints and deliveries", sqlite, pg }]
}
