/**
 * Refunds across payments: one row for each, with the columns by which they are listed. A refund is an operation, and operations
 * do not store the account.
 *
 * Triggers maintain the rows, so the list also has the refunds of an older server that runs beside this step. The triggers do
 * nothing for an operation that is no refund.
 */
import type { Migration } from "@paymux/core/store"
import { word } from "./payments.ts"

const isRefund = (row: string): string => `${row}kind = 'refund' AND ${row}purpose = 'requested'`

/** The status of a refund, as `refundStatus` of core. */
const statusOf = (row: string): string => `CASE ${row}status
    WHEN 'planned' THEN 'pending' WHEN 'sending' THEN 'pending' WHEN 'pending' THEN 'pending' WHEN 'unknown' THEN 'pending'
    WHEN 'succeeded' THEN 'succeeded' ELSE 'failed' END`

const insertRefunds = (from: string, row: string): string =>
  `INSERT INTO refunds (operation_id, payment_id, account, livemode, provider, status, created_at)
    SELECT ${row}id, ${row}payment_id, p.account, p.livemode, ${row}provider, ${statusOf(row)}, ${row}created_at
    FROM ${from}`

const insertNew = insertRefunds("payments p WHERE p.id = NEW.payment_id", "NEW.")
const updateStatus = `UPDATE refunds SET status = ${statusOf("NEW.")} WHERE operation_id = NEW.id`
const isMoved = `${isRefund("NEW.")} AND NEW.status <> OLD.status`

const existing = (condition: string): string =>
  insertRefunds(
    `operations o JOIN payments p ON p.id = o.payment_id WHERE ${condition} ORDER BY o.created_at, o.id`,
    "o."
  )

const indexes = [
  "CREATE INDEX refunds_by_status ON refunds (account, livemode, status, created_at, position)",
  "CREATE INDEX refunds_by_provider ON refunds (account, livemode, provider, status, created_at, position)",
  "CREATE INDEX refunds_by_payment ON refunds (payment_id)"
]

const sqlite = [
  `CREATE TABLE refunds (
    position INTEGER PRIMARY KEY,
    operation_id TEXT NOT NULL UNIQUE,
    payment_id TEXT NOT NULL,
    account TEXT NOT NULL,
    livemode INTEGER NOT NULL CHECK (livemode IN (0, 1)),
    provider TEXT NOT NULL,
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT`,
  existing(isRefund("o.")),
  ...indexes,
  `CREATE TRIGGER refund_begun AFTER INSERT ON operations WHEN ${isRefund("NEW.")} BEGIN ${insertNew}; END`,
  `CREATE TRIGGER refund_moved AFTER UPDATE OF status ON operations WHEN ${isMoved} BEGIN ${updateStatus}; END`
]

const trigger = (name: string, event: string, when: string, statement: string): ReadonlyArray<string> => [
  `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${statement}; RETURN NULL; END $$`,
  `CREATE TRIGGER ${name} AFTER ${event} ON operations FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION ${name}()`
]

/** Also inserts the refund if its row does not exist yet. */
const upsertMoved = `${insertNew} ON CONFLICT (operation_id) DO UPDATE SET status = excluded.status`

/** The name of an index that exists as long as a refund from before this migration may lack its row. */
const withoutRow = "operations_of_refunds"

/**
 * Adds the refunds from before this step, in batches that commit separately, so that no payment waits for the whole. The triggers
 * exist by then: rows that the triggers wrote are as new or newer, and stay.
 */
const addExisting = `DO $$
  DECLARE
    latest text := '';
    upto text;
  BEGIN
    WHILE to_regclass('${withoutRow}') IS NOT NULL LOOP
      SELECT max(id) INTO upto FROM (
        SELECT id FROM operations WHERE ${isRefund("")} AND id > latest ORDER BY id LIMIT 500) AS batch;
      EXIT WHEN upto IS NULL;
      ${existing(`${isRefund("o.")} AND o.id > latest AND o.id <= upto`)} ON CONFLICT DO NOTHING;
      COMMIT;
      latest := upto;
    END LOOP;
  END $$`

const pg = [
  `CREATE INDEX IF NOT EXISTS ${withoutRow} ON operations (id) WHERE ${isRefund("")}`,
  `CREATE TABLE refunds (
    position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    operation_id ${word} NOT NULL UNIQUE,
    payment_id ${word} NOT NULL,
    account ${word} NOT NULL,
    livemode boolean NOT NULL,
    provider ${word} NOT NULL,
    status ${word} NOT NULL,
    created_at bigint NOT NULL
  )`,
  ...indexes,
  ...trigger("refund_begun", "INSERT", isRefund("NEW."), insertNew),
  ...trigger("refund_moved", "UPDATE OF status", isMoved, upsertMoved)
]

export const refunds: Migration = {
  id: 16,
  name: "refunds across payments",
  sqlite,
  pg,
  pgAfter: [addExisting, `DROP INDEX CONCURRENTLY IF EXISTS ${withoutRow}`],
  compatibleWith: 9
}
