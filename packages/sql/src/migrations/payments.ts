/**
 * Creates the tables of payments. In both databases, times are ms UTC, amounts are minor units, and structures are JSON
 * text.
 *
 * There are no foreign keys: one commit of the store always writes related rows of several tables together, and a check
 * of each row would cost a look-up in every payment. Ids sort by time, so lists and their indexes are sorted by id.
 */
import type { Migration } from "@paymux/core/store"

const paymentIndexes = [
  // This index contains `created_at`, so that a scan can skip entries by time without reading their rows.
  "CREATE INDEX payments_by_tenant ON payments (account, livemode, id, created_at)",
  "CREATE INDEX payments_by_status ON payments (account, livemode, status, id)",
  "CREATE INDEX payments_by_rail ON payments (account, livemode, rail, id)",
  "CREATE INDEX payments_by_currency ON payments (account, livemode, currency, id)",
  "CREATE INDEX payments_by_provider ON payments (account, livemode, provider, id)",
  "CREATE INDEX payments_by_customer_email ON payments (account, livemode, customer_email, id)",
  "CREATE INDEX payments_by_created ON payments (account, livemode, created_at, id)"
]

// A payment has at most one attempt in flight: the database itself refuses a second.
const attemptInFlight = `CREATE UNIQUE INDEX attempts_in_flight ON attempts (payment_id)
  WHERE status IN ('sending', 'pending', 'unknown')`

const operationIndexes = [
  "CREATE INDEX operations_by_reference ON operations (provider, reference) WHERE reference IS NOT NULL",
  // Index of due operations, and of operations that an ended process may have left in `sending`. A query repeats this
  // condition to use the index.
  `CREATE INDEX operations_open ON operations (next_check_at)
    WHERE next_check_at IS NOT NULL OR status = 'sending'`
]

const sqlitePayments = [
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
  ...paymentIndexes
]

const sqliteAttempts = [
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
  attemptInFlight
]

const sqliteOperations = [
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
  ...operationIndexes
]

const sqliteRest = [
  // The table is not `WITHOUT ROWID`: its rows would be sorted by the random idempotency keys, and the stored responses
  // would spread them over many pages.
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
  // Every value in this index is NULL, so SQLite sorts its entries by position, which is the order of the commits.
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

// The type of ids and words, which are compared by their bytes, as in SQLite; every column that is ordered or looked up
// has this collation.
export const word = 'text COLLATE "C"'

const pgTables = [
  `CREATE TABLE payments (
    id ${word} NOT NULL PRIMARY KEY,
    account ${word} NOT NULL,
    livemode boolean NOT NULL,
    status ${word} NOT NULL,
    state text NOT NULL,
    rail ${word} NOT NULL,
    method text NOT NULL,
    minor_units bigint NOT NULL CHECK (minor_units >= 0),
    currency ${word} NOT NULL,
    capture_method text NOT NULL,
    description text,
    customer text NOT NULL,
    customer_email ${word} NOT NULL,
    metadata text NOT NULL,
    client text,
    return_url text,
    amount_captured bigint NOT NULL,
    amount_refunded bigint NOT NULL,
    amount_received bigint,
    review text,
    provider ${word} NOT NULL,
    routing text NOT NULL,
    pending_announced boolean NOT NULL,
    event_sequence bigint NOT NULL,
    deadline_at bigint NOT NULL,
    version bigint NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL
  )`,
  ...paymentIndexes,
  `CREATE TABLE attempts (
    payment_id ${word} NOT NULL,
    seq bigint NOT NULL,
    provider text NOT NULL,
    status text NOT NULL,
    reason text NOT NULL,
    code text,
    vendor_code text,
    action_shown boolean NOT NULL,
    late boolean NOT NULL,
    started_at bigint NOT NULL,
    ended_at bigint,
    PRIMARY KEY (payment_id, seq)
  )`,
  attemptInFlight,
  `CREATE TABLE operations (
    payment_id ${word} NOT NULL,
    position bigint NOT NULL,
    id ${word} NOT NULL UNIQUE,
    attempt_seq bigint NOT NULL,
    provider ${word} NOT NULL,
    kind text NOT NULL,
    minor_units bigint NOT NULL CHECK (minor_units >= 0),
    status text NOT NULL,
    key text NOT NULL,
    reference ${word},
    owner text NOT NULL,
    unsettled boolean NOT NULL,
    checks bigint NOT NULL,
    deadline_at bigint NOT NULL,
    next_check_at bigint,
    created_at bigint NOT NULL,
    claimed_by text,
    claimed_until bigint,
    PRIMARY KEY (payment_id, position)
  )`,
  ...operationIndexes,
  `CREATE TABLE idempotency_keys (
    account ${word} NOT NULL,
    livemode boolean NOT NULL,
    endpoint ${word} NOT NULL,
    key ${word} NOT NULL,
    fingerprint text NOT NULL,
    payment_id ${word} NOT NULL,
    answer text,
    created_at bigint NOT NULL,
    UNIQUE (account, livemode, endpoint, key)
  )`,
  `CREATE TABLE payment_events (
    position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id ${word} NOT NULL UNIQUE,
    payment_id ${word} NOT NULL,
    sequence bigint NOT NULL,
    type text NOT NULL,
    account text NOT NULL,
    livemode boolean NOT NULL,
    payment text NOT NULL,
    created_at bigint NOT NULL,
    dispatched_at bigint,
    UNIQUE (payment_id, sequence)
  )`,
  // A reader cannot store the position up to which it has read, because commits do not end in the order of position.
  // Instead, each event records whether it was dispatched.
  "CREATE INDEX payment_events_undispatched ON payment_events (position) WHERE dispatched_at IS NULL",
  `CREATE TABLE evidence (
    position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    payment_id ${word} NOT NULL,
    operation_id ${word} NOT NULL,
    source text NOT NULL,
    kind text NOT NULL,
    vendor_code text,
    event_id text,
    recorded_at bigint NOT NULL
  )`,
  "CREATE INDEX evidence_by_payment ON evidence (payment_id)",
  `CREATE TABLE provider_state (
    provider ${word} NOT NULL,
    key ${word} NOT NULL,
    value text NOT NULL,
    PRIMARY KEY (provider, key)
  )`,
  `CREATE TABLE provider_counters (
    provider ${word} NOT NULL,
    counter ${word} NOT NULL,
    value bigint NOT NULL,
    PRIMARY KEY (provider, counter)
  )`
]

export const payments: Migration = {
  id: 1,
  name: "payments",
  sqlite: [...sqlitePayments, ...sqliteAttempts, ...sqliteOperations, ...sqliteRest],
  pg: pgTables
}
