/**
 * The database migrations of webhooks: tables for endpoints and deliveries. Times are integers, ms UTC, on both
 * databases; booleans are 0 or 1 on SQLite.
 *
 * There are no foreign keys: events belong to core, and a delivery of a removed endpoint remains as a record.
 */
import type { MigrationSet } from "@paymux/core/store"

const indexes = [
  "CREATE INDEX webhook_endpoints_by_tenant ON webhook_endpoints (account, livemode, created_at)",
  // The index begins with the endpoint, so that finding one endpoint's due deliveries does not scan those of all
  // others.
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

/** Migration 2: endpoint failures, and ordered deliveries. `integer` is the type name for 64-bit integers. */
const care = (integer: string) => [
  // The index is created before the table is altered, so that PostgreSQL builds it without blocking writes.
  `CREATE INDEX IF NOT EXISTS webhook_deliveries_undelivered ON webhook_deliveries (account, livemode, id)
    WHERE status IN ('dead', 'canceled')`,
  `ALTER TABLE webhook_endpoints ADD COLUMN failing_since ${integer}`,
  `ALTER TABLE webhook_endpoints ADD COLUMN paused_until ${integer}`,
  `ALTER TABLE webhook_deliveries ADD COLUMN happened_at ${integer}`,
  // `tries_before` is the number of attempts that had been made when the retry schedule last started.
  "ALTER TABLE webhook_deliveries ADD COLUMN tries_before integer NOT NULL DEFAULT 0",
  "ALTER TABLE webhook_deliveries ADD COLUMN last_answer text",
  // `line` is the ordering key of an ordered delivery, `place` its position.
  "ALTER TABLE webhook_deliveries ADD COLUMN line text",
  `ALTER TABLE webhook_deliveries ADD COLUMN place ${integer}`,
  `CREATE TABLE webhook_former_secrets (
    endpoint_id text NOT NULL,
    secret text NOT NULL,
    expires_at ${integer} NOT NULL
  )`,
  "CREATE INDEX webhook_former_secrets_by_endpoint ON webhook_former_secrets (endpoint_id, expires_at)",
  `CREATE INDEX webhook_deliveries_in_line ON webhook_deliveries (endpoint_id, line, place)
    WHERE status = 'pending' AND line IS NOT NULL`
]

/** Indexes for ordered deliveries: one for those not attempted yet, and one for those that failed. */
const inLine = [
  `CREATE INDEX IF NOT EXISTS webhook_deliveries_first_in_line ON webhook_deliveries (endpoint_id, deliver_at, id)
    WHERE status = 'pending' AND line IS NOT NULL AND attempts = tries_before`,
  `CREATE INDEX IF NOT EXISTS webhook_deliveries_further_in_line ON webhook_deliveries (endpoint_id, deliver_at, id)
    WHERE status = 'pending' AND line IS NOT NULL AND attempts > tries_before`
]

/**
 * Columns for the number of days on which an endpoint has failed since `failing_since`, and the time when the last one
 * was counted.
 */
const days = (integer: string) => [
  "ALTER TABLE webhook_endpoints ADD COLUMN failing_days integer NOT NULL DEFAULT 0",
  `ALTER TABLE webhook_endpoints ADD COLUMN failing_day_at ${integer}`
]

/** The table of attempts, with one row each. `duration` is in ms; `answer` is an excerpt of the response body. */
const attempts = (integer: string) => [
  // A separate table: a delivery has at most a few attempts, and most queries need only the last one, which its own row
  // contains.
  `CREATE TABLE webhook_attempts (
    delivery_id ${integer} NOT NULL,
    attempt integer NOT NULL,
    ended_at ${integer} NOT NULL,
    duration ${integer} NOT NULL,
    status integer,
    error text,
    answer text,
    PRIMARY KEY (delivery_id, attempt)
  )`
]

/** Indexes for lists of deliveries, which are read in the order in which the events happened. */
const newestFirst = [
  "UPDATE webhook_deliveries SET happened_at = deliver_at WHERE happened_at IS NULL",
  "CREATE INDEX IF NOT EXISTS webhook_deliveries_by_tenant ON webhook_deliveries (account, livemode, happened_at, id)",
  `CREATE INDEX IF NOT EXISTS webhook_deliveries_by_endpoint
    ON webhook_deliveries (account, livemode, endpoint_id, happened_at, id)`,
  `CREATE INDEX IF NOT EXISTS webhook_deliveries_not_delivered ON webhook_deliveries (account, livemode, happened_at, id)
    WHERE status IN ('dead', 'canceled')`,
  `CREATE INDEX IF NOT EXISTS webhook_deliveries_pending ON webhook_deliveries (account, livemode, happened_at, id)
    WHERE status = 'pending'`,
  "DROP INDEX webhook_deliveries_undelivered"
]

/** The table that counts test events in the minute that began at `started_at`, with one row per account and mode. */
const testEvents = (integer: string, boolean: string) => [
  `CREATE TABLE webhook_test_events (
    account text NOT NULL,
    livemode ${boolean} NOT NULL,
    sent integer NOT NULL,
    started_at ${integer} NOT NULL,
    PRIMARY KEY (account, livemode)
  )`
]

/**
 * A column for the limit on test events: `free_at` is the time from which no sent event counts against it. `sent` and
 * `started_at` are used only by servers of an earlier version.
 */
const steadyTestEvents = (integer: string) => [
  `ALTER TABLE webhook_test_events ADD COLUMN free_at ${integer} NOT NULL DEFAULT 0`
]

const strict = (statement: string): string => (statement.startsWith("CREATE TABLE") ? `${statement} STRICT` : statement)

export const webhookMigrations: MigrationSet = {
  owner: "webhooks",
  migrations: [
    { id: 1, name: "endpoints and deliveries", sqlite, pg },
    // Not compatible with older versions: they would send HTTP requests to the endpoint that represents the process.
    {
      id: 2,
      name: "failing endpoints, former secrets, lines",
      sqlite: care("integer").map(strict),
      pg: care("bigint")
    },
    {
      id: 3,
      name: "failing days, tries in line",
      sqlite: [...days("integer"), ...inLine],
      pg: [...days("bigint"), ...inLine],
      compatibleWith: 2
    },
    {
      id: 4,
      name: "attempts",
      sqlite: [...attempts("integer").map(strict), ...newestFirst],
      pg: [...attempts("bigint"), ...newestFirst],
      compatibleWith: 2
    },
    {
      id: 5,
      name: "limit of test events",
      sqlite: testEvents("integer", "integer").map(strict),
      pg: testEvents("bigint", "boolean"),
      compatibleWith: 2
    },
    {
      id: 6,
      name: "steady limit of test events",
      sqlite: steadyTestEvents("integer"),
      pg: steadyTestEvents("bigint"),
      compatibleWith: 2
    }
  ]
}
