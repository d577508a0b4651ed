/**
 * Adds the tables of statistics: sums of facts per hour and per UTC day, durations of attempts, and the position up to
 * which events are counted.
 *
 * Each row belongs to a generation. Queries read the active generation. A rebuild fills another generation beside it
 * and then activates that one. The first generation starts at the first event, so the history of an existing database
 * is counted in the background. Older code works beside this migration.
 *
 * An amount is kept as `high * 2^32 + low`: the sum of many large amounts does not fit into 64 bits.
 */
import type { Migration } from "@paymux/core/store"
import { word } from "./payments.ts"

const indexes = [
  "CREATE UNIQUE INDEX statistics_generations_active ON statistics_generations (active) WHERE active = 1",
  // Finds rows whose count a change has reduced to zero: the same transaction deletes them.
  "CREATE INDEX statistics_counts_empty ON statistics_counts (generation) WHERE count = 0",
  "CREATE INDEX statistics_durations_empty ON statistics_durations (generation) WHERE buckets = '[]'",
  "CREATE INDEX statistics_counts_by_start ON statistics_counts (generation, start)",
  "CREATE INDEX statistics_durations_by_start ON statistics_durations (generation, start)"
]

const first = "INSERT INTO statistics_generations (generation, active, touched_at) VALUES (1, 1, 0)"

const sqlite = [
  `CREATE TABLE statistics_generations (
    generation INTEGER PRIMARY KEY,
    active INTEGER NOT NULL CHECK (active IN (0, 1)),
    position INTEGER NOT NULL DEFAULT 0,
    gaps TEXT NOT NULL DEFAULT '[]',
    version INTEGER NOT NULL DEFAULT 1,
    kept_from INTEGER NOT NULL DEFAULT 0,
    held_by TEXT,
    held_until INTEGER NOT NULL DEFAULT 0,
    touched_at INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE statistics_counts (
    generation INTEGER NOT NULL,
    account TEXT NOT NULL,
    livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
    fact TEXT NOT NULL,
    step TEXT NOT NULL,
    start INTEGER NOT NULL,
    provider TEXT NOT NULL,
    method TEXT NOT NULL,
    currency TEXT NOT NULL,
    outcome TEXT NOT NULL,
    code TEXT NOT NULL,
    count INTEGER NOT NULL,
    amount_high INTEGER NOT NULL,
    amount_low INTEGER NOT NULL,
    captured_high INTEGER NOT NULL,
    captured_low INTEGER NOT NULL,
    PRIMARY KEY (generation, account, livemode, fact, step, start, provider, method, currency, outcome, code)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE statistics_durations (
    generation INTEGER NOT NULL,
    account TEXT NOT NULL,
    livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
    step TEXT NOT NULL,
    start INTEGER NOT NULL,
    provider TEXT NOT NULL,
    method TEXT NOT NULL,
    currency TEXT NOT NULL,
    buckets TEXT NOT NULL,
    PRIMARY KEY (generation, account, livemode, step, start, provider, method, currency)
  ) STRICT, WITHOUT ROWID`,
  ...indexes,
  first
]

const pg = [
  `CREATE TABLE statistics_generations (
    generation bigint NOT NULL PRIMARY KEY,
    active smallint NOT NULL CHECK (active IN (0, 1)),
    position bigint NOT NULL DEFAULT 0,
    gaps text NOT NULL DEFAULT '[]',
    version bigint NOT NULL DEFAULT 1,
    kept_from bigint NOT NULL DEFAULT 0,
    held_by text,
    held_until bigint NOT NULL DEFAULT 0,
    touched_at bigint NOT NULL
  )`,
  `CREATE TABLE statistics_counts (
    generation bigint NOT NULL,
    account ${word} NOT NULL,
    livemode boolean NOT NULL,
    fact ${word} NOT NULL,
    step ${word} NOT NULL,
    start bigint NOT NULL,
    provider ${word} NOT NULL,
    method ${word} NOT NULL,
    currency ${word} NOT NULL,
    outcome ${word} NOT NULL,
    code ${word} NOT NULL,
    count bigint NOT NULL,
    amount_high bigint NOT NULL,
    amount_low bigint NOT NULL,
    captured_high bigint NOT NULL,
    captured_low bigint NOT NULL,
    PRIMARY KEY (generation, account, livemode, fact, step, start, provider, method, currency, outcome, code)
  )`,
  `CREATE TABLE statistics_durations (
    generation bigint NOT NULL,
    account ${word} NOT NULL,
    livemode boolean NOT NULL,
    step ${word} NOT NULL,
    start bigint NOT NULL,
    provider ${word} NOT NULL,
    method ${word} NOT NULL,
    currency ${word} NOT NULL,
    buckets text NOT NULL,
    PRIMARY KEY (generation, account, livemode, step, start, provider, method, currency)
  )`,
  ...indexes,
  first
]

export const statistics: Migration = { id: 13, name: "numbers over time", sqlite, pg, compatibleWith: 9 }
