/**
 * Providers' statements: each movement once, as it was first stated; the differences from the books; and the runs that have
 * read them. Times are ms UTC.
 *
 * Older code cannot read evidence of the source `statement`, so older code is not compatible with this step.
 */
import type { Migration } from "@paymux/core/store"
import { word } from "./payments.ts"

const movements = (text: string, key: string, integer: string) => `CREATE TABLE statement_movements (
    provider ${key} NOT NULL,
    id ${key} NOT NULL,
    type ${text} NOT NULL,
    operation ${text},
    reference ${text},
    original ${text},
    minor_units ${integer} NOT NULL CHECK (minor_units > 0),
    currency ${text} NOT NULL,
    direction ${text} NOT NULL,
    fee ${integer},
    fee_currency ${text},
    net ${integer},
    net_currency ${text},
    payout ${key},
    booked_at ${integer} NOT NULL,
    result ${key} NOT NULL,
    operation_id ${key},
    payment_id ${key},
    run ${integer} NOT NULL,
    PRIMARY KEY (provider, id)
  )`

const differences = (text: string, key: string, integer: string, boolean: string) => `
    provider ${key} NOT NULL,
    livemode ${boolean} NOT NULL,
    kind ${key} NOT NULL,
    subject ${key} NOT NULL,
    movement ${text},
    operation_id ${key},
    payment_id ${text},
    expected ${integer},
    expected_currency ${text},
    found ${integer},
    found_currency ${text},
    run ${integer} NOT NULL,
    found_at ${integer} NOT NULL,
    resolved_at ${integer},
    UNIQUE (provider, kind, subject)`

const runs = (text: string, key: string, integer: string, boolean: string) => `
    provider ${key} NOT NULL,
    livemode ${boolean} NOT NULL,
    source ${text} NOT NULL,
    since ${integer} NOT NULL,
    until ${integer} NOT NULL,
    cursor ${text},
    pages ${integer} NOT NULL,
    state ${key} NOT NULL,
    counts ${text} NOT NULL,
    problem ${text},
    started_at ${integer} NOT NULL,
    updated_at ${integer} NOT NULL,
    ended_at ${integer}`

const indexes = [
  "CREATE INDEX statement_movements_of_operation ON statement_movements (operation_id) WHERE operation_id IS NOT NULL",
  "CREATE INDEX statement_movements_of_payout ON statement_movements (provider, payout, id) WHERE payout IS NOT NULL",
  "CREATE INDEX statement_movements_foreign ON statement_movements (provider, booked_at, id) WHERE result = 'foreign'",
  "CREATE INDEX statement_movements_payouts ON statement_movements (provider, booked_at, id) WHERE type = 'payout'",
  "CREATE INDEX statement_differences_by_time ON statement_differences (livemode, found_at, position)",
  "CREATE INDEX statement_differences_open ON statement_differences (operation_id) WHERE resolved_at IS NULL",
  "CREATE INDEX statement_runs_by_provider ON statement_runs (provider, state, until)"
]

export const statements: Migration = {
  id: 20,
  name: "statements of providers",
  sqlite: [
    `${movements("TEXT", "TEXT", "INTEGER")} STRICT, WITHOUT ROWID`,
    `CREATE TABLE statement_differences (
    position INTEGER PRIMARY KEY, ${differences("TEXT", "TEXT", "INTEGER", "INTEGER")}) STRICT`,
    `CREATE TABLE statement_runs (
    id INTEGER PRIMARY KEY, ${runs("TEXT", "TEXT", "INTEGER", "INTEGER")}) STRICT`,
    ...indexes
  ],
  pg: [
    movements("text", word, "bigint"),
    `CREATE TABLE statement_differences (
    position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ${differences("text", word, "bigint", "boolean")})`,
    `CREATE TABLE statement_runs (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, ${runs("text", word, "bigint", "boolean")})`,
    ...indexes
  ]
}
