/**
 * Adds the entries of payments: one row for each report about the money of a payment, such as a capture or a refund.
 * Rows are only added. The migration also adds the open reviews of a payment and its resolved reviews, as JSON text;
 * `NULL` is an empty list.
 *
 * It adds the former references: those that operations had before they got another one. Rows are only added.
 *
 * Existing payments get the entries and the review that have the same meaning. Older code does not write entries, so
 * the amounts of its payments would not follow from the entries: older code is not compatible with this migration.
 */
import type { Migration } from "@paymux/core/store"
import { word } from "./payments.ts"

const names = `payment_id, position, attempt_seq, operation_id, kind, basis, minor_units, currency, provider, reference,
    source, recorded_at`

/**
 * The SQL that inserts the entries of existing payments: from create operations of attempts that succeeded or were
 * authorized, and from refunds that succeeded. The captured amount of the payment's own attempt is stored with the
 * payment; any other attempt captured the amount of its operation. `reference`: the expression that gives the stored
 * form of the reference.
 */
const insertEntries = (reference: string): string => `INSERT INTO entries (${names})
  SELECT payment_id, row_number() OVER (PARTITION BY payment_id ORDER BY is_refund, place) - 1, attempt_seq, operation_id,
    kind, basis, minor_units, currency, provider, reference, 'reply', recorded_at
  FROM (
    SELECT o.payment_id AS payment_id, o.position AS place, o.attempt_seq AS attempt_seq, o.id AS operation_id,
      CASE WHEN o.kind = 'refund' THEN 1 ELSE 0 END AS is_refund,
      CASE WHEN o.kind = 'refund' THEN 'refunded' WHEN a.status = 'authorized' THEN 'authorized' ELSE 'captured' END
        AS kind,
      CASE WHEN o.kind = 'refund' THEN 'movement' ELSE 'total' END AS basis,
      CASE WHEN o.kind = 'create' AND a.status = 'succeeded' AND NOT a.surplus THEN p.amount_captured
        ELSE o.minor_units END AS minor_units,
      p.currency AS currency, o.provider AS provider, ${reference} AS reference,
      coalesce(o.ended_at, p.updated_at) AS recorded_at
    FROM operations o
    JOIN payments p ON p.id = o.payment_id
    JOIN attempts a ON a.payment_id = o.payment_id AND a.seq = o.attempt_seq
    WHERE o.kind = 'create' AND a.status IN ('succeeded', 'authorized') OR o.kind = 'refund' AND o.status = 'succeeded'
  ) AS moved WHERE minor_units > 0`

/** The operation that a review was about: an operation that was given up, else the latest create operation. */
const inQuestion = (column: string) => `coalesce(
    (SELECT ${column} FROM operations WHERE payment_id = payments.id AND status IN ('pending', 'unknown')
      AND next_check_at IS NULL ORDER BY position LIMIT 1),
    (SELECT ${column} FROM operations WHERE payment_id = payments.id AND kind = 'create'
      ORDER BY attempt_seq DESC LIMIT 1))`

/**
 * The reason of an existing payment's review. If a second charge of one attempt has no entry of its own, the reason of
 * its review changes from `duplicate_capture` to `contradiction`.
 */
const reason = `CASE WHEN review = 'duplicate_capture' AND NOT EXISTS (
    SELECT 1 FROM attempts WHERE payment_id = payments.id AND surplus) THEN 'contradiction' ELSE review END`

/** The fields of a review in their order, as arguments of the function that makes a JSON object. */
const review = `'id', 'rev_' || substr(id, 5), 'reason', ${reason}, 'attemptSeq', ${inQuestion("attempt_seq")},
  'operationId', ${inQuestion("id")}, 'provider', provider, 'reference', NULL, 'minorUnits', minor_units,
  'currency', currency, 'since', updated_at`

const paymentsInReview = "payments_in_review ON payments (account, livemode, id) WHERE reviews IS NOT NULL"

const sqlite = [
  `CREATE TABLE entries (
    payment_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    attempt_seq INTEGER NOT NULL,
    operation_id TEXT,
    kind TEXT NOT NULL,
    basis TEXT NOT NULL,
    minor_units INTEGER NOT NULL CHECK (minor_units > 0),
    currency TEXT NOT NULL,
    provider TEXT NOT NULL,
    reference TEXT,
    source TEXT NOT NULL,
    recorded_at INTEGER NOT NULL,
    PRIMARY KEY (payment_id, position)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE former_references (
    provider TEXT NOT NULL,
    reference TEXT NOT NULL,
    payment_id TEXT NOT NULL,
    PRIMARY KEY (provider, reference, payment_id)
  ) STRICT, WITHOUT ROWID`,
  "ALTER TABLE operations ADD COLUMN surplus INTEGER NOT NULL DEFAULT 0 CHECK (surplus IN (0, 1))",
  "ALTER TABLE payments ADD COLUMN reviews TEXT",
  "ALTER TABLE payments ADD COLUMN resolutions TEXT",
  `UPDATE payments SET reviews = json_array(json_object(${review})) WHERE review IS NOT NULL`,
  // The reference is encoded as by `toStorable`, which escapes the escape character, because entries are decoded with
  // `fromStorable`.
  insertEntries("replace(o.reference, char(26), char(26) || '001a')"),
  "DROP INDEX payments_in_review",
  "ALTER TABLE payments DROP COLUMN review",
  `CREATE INDEX ${paymentsInReview}`
]

const pg = [
  `CREATE TABLE entries (
    payment_id ${word} NOT NULL,
    position bigint NOT NULL,
    attempt_seq bigint NOT NULL,
    operation_id ${word},
    kind text NOT NULL,
    basis text NOT NULL,
    minor_units bigint NOT NULL CHECK (minor_units > 0),
    currency text NOT NULL,
    provider text NOT NULL,
    reference ${word},
    source text NOT NULL,
    recorded_at bigint NOT NULL,
    PRIMARY KEY (payment_id, position)
  )`,
  `CREATE TABLE former_references (
    provider ${word} NOT NULL,
    reference ${word} NOT NULL,
    payment_id ${word} NOT NULL,
    PRIMARY KEY (provider, reference, payment_id)
  )`,
  "ALTER TABLE operations ADD COLUMN surplus boolean NOT NULL DEFAULT false",
  "ALTER TABLE payments ADD COLUMN reviews text, ADD COLUMN resolutions text",
  `UPDATE payments SET reviews = json_build_array(json_build_object(${review}))::text WHERE review IS NOT NULL`,
  insertEntries("o.reference"),
  "DROP INDEX payments_in_review",
  "ALTER TABLE payments DROP COLUMN review",
  // This index is always built within the migration, never ahead of it: before this statement, its column does not
  // exist, and another index has its name.
  `CREATE INDEX ${paymentsInReview}`
]

export const entries: Migration = { id: 8, name: "entries, several reviews of a payment", sqlite, pg }
