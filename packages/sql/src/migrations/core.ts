/**
 * The tables of payments. Times are ms UTC, booleans 0 or 1, amounts minor units, structures JSON text.
 *
 * There are no foreign keys: rows of several tables are only ever written together, by one commit of the store, and a
 * check per row would cost a look-up in the hottest path. Ids sort by time, so lists and their indexes go by id.
 */
import type { MigrationSet } from "@paymux/core"

const payments = [
  `CREATE TABLE payments (
    id TEXT NOT NULL PRIMARY KEY,
    account TEXT NOT NULL,
    livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
    status TEXT NOT NULL,
    state TEXT NOT NULL,
    rail TEXT NOT NULL,
    method TEXT NOT NULL,
    minor_units INTEGER NOT NULL CHECK (minor_units >= 0),
    currency TEXT NOT NULL,
    capture_method TEXT NOT NULL,
    description TEXT,
    customer TEXT NOT NULL,
    customer_email TEXT NOT NULL,
    metadata TEXT NOT NULL,
    client TEXT,
    return_url TEXT,
    amount_captured INTEGER NOT NULL,
    amount_refunded INTEGER NOT NULL,
    amount_received INTEGER,
    review TEXT,
    provider TEXT NOT NULL,
    routing TEXT NOT NULL,
    pending_announced INTEGER NOT NULL CHECK (pending_announced IN (0, 1)),
    event_sequence INTEGER NOT NULL,
    deadline_at INTEGER NOT NULL,
    version INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT`,
  // With created_at in it, a walk that skips by time does not visit the rows.
  "CREATE INDEX payments_by_tenant ON payments (account, livemode, id, created_at)",
  "CREATE INDEX payments_by_status ON payments (account, livemode, status, id)",
  "CREATE INDEX payments_by_rail ON payments (account, livemode, rail, id)",
  "CREATE INDEX payments_by_currency ON payments (account, livemode, currency, id)",
  "CREATE INDEX payments_by_provider ON payments (account, livemode, provider, id)",
  "CREATE INDEX payments_by_customer_email ON payments (account, livemode, customer_email, id)",
  "CREATE INDEX payments_by_created ON payments (account, livemode, created_at, id)"
]

const attempts = [
  `CREATE TABLE attempts (
    payment_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    provider TEXT NOT NULL,
    status TEXT NOT NULL,
    reason TEXT NOT NULL,
    code TEXT,
    vendor_code TEXT,
    action_shown INTEGER NOT NULL CHECK (action_shown IN (0, 1)),
    late INTEGER NOT NULL CHECK (late IN (0, 1)),
    started_at INTEGER NOT NULL,
    ended_at INTEGER,
    PRIMARY KEY (payment_id, seq)
  ) STRICT, WITHOUT ROWID`,
  // One attempt in flight: the database itself refuses a second.
  `CREATE UNIQUE INDEX attempts_in_flight ON attempts (payment_id)
    WHERE status IN ('sending', 'pending', 'unknown')`
]

const operations = [
  `CREATE TABLE operations (
    payment_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    id TEXT NOT NULL UNIQUE,
    attempt_seq INTEGER NOT NULL,
    provider TEXT NOT NULL,
    kind TEXT NOT NULL,
    minor_units INTEGER NOT NULL CHECK (minor_units >= 0),
    status TEXT NOT NULL,
    key TEXT NOT NULL,
    reference TEXT,
    owner TEXT NOT NULL,
    unsettled INTEGER NOT NULL CHECK (unsettled IN (0, 1)),
    checks INTEGER NOT NULL,
    deadline_at INTEGER NOT NULL,
    next_check_at INTEGER,
    created_at INTEGER NOT NULL,
    claimed_by TEXT,
    claimed_until INTEGER,
    PRIMARY KEY (payment_id, position)
  ) STRICT, WITHOUT ROWID`,
  "CREATE INDEX operations_by_reference ON operations (provider, reference) WHERE reference IS NOT NULL",
  // What is due, and what a dead engine may have left in `sending`: a query names this condition to use the index.
  `CREATE INDEX operations_open ON operations (next_check_at)
    WHERE next_check_at IS NOT NULL OR status = 'sending'`
]

const rest = [
  // Not WITHOUT ROWID: keys are random, and the kept bytes would make every page of them wide.
  `CREATE TABLE idempotency_keys (
    account TEXT NOT NULL,
    livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
    endpoint TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    payment_id TEXT NOT NULL,
    answer TEXT,
    created_at INTEGER NOT NULL,
    UNIQUE (account, livemode, endpoint, key)
  ) STRICT`,
  `CREATE TABLE payment_events (
    position INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    payment_id TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    type TEXT NOT NULL,
    account TEXT NOT NULL,
    livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
    payment TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    dispatched_at INTEGER,
    UNIQUE (payment_id, sequence)
  ) STRICT`,
  // Every entry is NULL, so they stand in the order of position, which is the order of the commits.
  "CREATE INDEX payment_events_undispatched ON payment_events (dispatched_at) WHERE dispatched_at IS NULL",
  `CREATE TABLE evidence (
    position INTEGER PRIMARY KEY,
    payment_id TEXT NOT NULL,
    operation_id TEXT NOT NULL,
    source TEXT NOT NULL,
    kind TEXT NOT NULL,
    vendor_code TEXT,
    event_id TEXT,
    recorded_at INTEGER NOT NULL
  ) STRICT`,
  "CREATE INDEX evidence_by_payment ON evidence (payment_id)",
  `CREATE TABLE provider_state (
    provider TEXT NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (provider, key)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE provider_counters (
    provider TEXT NOT NULL,
    counter TEXT NOT NULL,
    value INTEGER NOT NULL,
    PRIMARY KEY (provider, counter)
  ) STRICT, WITHOUT ROWID`
]

export const coreMigrations: MigrationSet = {
  owner: "core",
  migrations: [{ id: 1, name: "payments", sqlite: [...payments, ...attempts, ...operations, ...rest] }]
}
