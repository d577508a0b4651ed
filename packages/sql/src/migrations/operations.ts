/**
 * The tables and columns for operations beyond create: captures, cancels and refunds, reversals, provider webhooks and chain
 * scanners.
 */
import type { Migration } from "@paymux/core/store"

const renamed = "UPDATE payments SET review = 'late_success' WHERE review = 'late_success_after_cancel'"

const indexes = [
  // Index of the payments that an operator has to review, which are a small part of all payments.
  "CREATE INDEX payments_in_review ON payments (account, livemode, id) WHERE review IS NOT NULL",
  "CREATE INDEX provider_inbox_due ON provider_inbox (next_try_at) WHERE status = 'waiting'",
  "CREATE INDEX provider_inbox_parked ON provider_inbox (position) WHERE status = 'parked'"
]

const sqlite = [
  "ALTER TABLE payments ADD COLUMN disputed_at INTEGER",
  "ALTER TABLE attempts ADD COLUMN surplus INTEGER NOT NULL DEFAULT 0 CHECK (surplus IN (0, 1))",
  "ALTER TABLE operations ADD COLUMN purpose TEXT NOT NULL DEFAULT 'requested'",
  "ALTER TABLE operations ADD COLUMN reason TEXT",
  "ALTER TABLE operations ADD COLUMN code TEXT",
  "ALTER TABLE operations ADD COLUMN vendor_code TEXT",
  "ALTER TABLE operations ADD COLUMN ended_at INTEGER",
  "ALTER TABLE idempotency_keys ADD COLUMN operation_id TEXT",
  "ALTER TABLE payment_events ADD COLUMN refund TEXT",
  "ALTER TABLE evidence ADD COLUMN document TEXT",
  "ALTER TABLE evidence ADD COLUMN occurred_at INTEGER",
  renamed,
  `CREATE TABLE provider_inbox (
    position INTEGER PRIMARY KEY,
    provider TEXT NOT NULL,
    event_key TEXT NOT NULL,
    evidence TEXT NOT NULL,
    document TEXT,
    status TEXT NOT NULL CHECK (status IN ('waiting', 'applied', 'parked')),
    tries INTEGER NOT NULL,
    next_try_at INTEGER,
    received_at INTEGER NOT NULL,
    claimed_by TEXT,
    claimed_until INTEGER,
    UNIQUE (provider, event_key)
  ) STRICT`,
  `CREATE TABLE provider_leases (
    name TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    fence INTEGER NOT NULL,
    held_until INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  ...indexes
]

const pg = [
  "ALTER TABLE payments ADD COLUMN disputed_at bigint",
  "ALTER TABLE attempts ADD COLUMN surplus boolean NOT NULL DEFAULT false",
  `ALTER TABLE operations
    ADD COLUMN purpose text NOT NULL DEFAULT 'requested',
    ADD COLUMN reason text,
    ADD COLUMN code text,
    ADD COLUMN vendor_code text,
    ADD COLUMN ended_at bigint`,
  "ALTER TABLE idempotency_keys ADD COLUMN operation_id text",
  "ALTER TABLE payment_events ADD COLUMN refund text",
  "ALTER TABLE evidence ADD COLUMN document text, ADD COLUMN occurred_at bigint",
  renamed,
  `CREATE TABLE provider_inbox (
    position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    provider text COLLATE "C" NOT NULL,
    event_key text COLLATE "C" NOT NULL,
    evidence text NOT NULL,
    document text,
    status text NOT NULL CHECK (status IN ('waiting', 'applied', 'parked')),
    tries bigint NOT NULL,
    next_try_at bigint,
    received_at bigint NOT NULL,
    claimed_by text,
    claimed_until bigint,
    UNIQUE (provider, event_key)
  )`,
  `CREATE TABLE provider_leases (
    name text COLLATE "C" NOT NULL PRIMARY KEY,
    owner text NOT NULL,
    fence bigint NOT NULL,
    held_until bigint NOT NULL
  )`,
  ...indexes
]

export const operations: Migration = { id: 2, name: "operations beyond create, provider inbox, leases", sqlite, pg }
