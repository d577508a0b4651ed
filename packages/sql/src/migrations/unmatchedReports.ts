/**
 * A row for each provider report that matches no payment, so that operators can list, match and dismiss them. The database
 * itself keeps the rows equal to the inbox, so that servers of an earlier version keep them too. A webhook that is applied at
 * once, as nearly all are, writes nothing here.
 */
import type { Migration } from "@paymux/core/store"

/** The status of a row of the inbox for operators; `NULL`: it is not unmatched. */
const statusOf = (row: string) => `(CASE
    WHEN ${row}.status = 'parked' THEN 'parked'
    WHEN ${row}.disposition IS NOT NULL THEN ${row}.disposition
    WHEN ${row}.status = 'waiting' AND ${row}.tries > 0 THEN 'waiting'
  END)`

const columns = (integer: string, boolean: string, text: string) => `
  provider ${text} NOT NULL,
  livemode ${boolean},
  kind ${text} NOT NULL,
  status ${text} NOT NULL,
  received_at ${integer} NOT NULL,
  named ${text},
  payment_id ${text},
  note ${text},
  decided_at ${integer}`

const indexes = [
  "CREATE INDEX unmatched_reports_by_time ON unmatched_reports (livemode, status, received_at, position)",
  "CREATE INDEX unmatched_reports_by_provider ON unmatched_reports (livemode, provider, status, received_at, position)",
  "CREATE INDEX unmatched_reports_by_kind ON unmatched_reports (livemode, kind, status, received_at, position)",
  `CREATE INDEX unmatched_reports_by_provider_and_kind
    ON unmatched_reports (livemode, provider, kind, status, received_at, position)`,
  "CREATE INDEX unmatched_reports_by_payment ON unmatched_reports (payment_id) WHERE payment_id IS NOT NULL"
]

const written = (row: string, kind: string, from: string) => `
  INSERT INTO unmatched_reports (position, provider, livemode, kind, status, received_at)
  SELECT ${row}.position, ${row}.provider, ${row}.livemode, ${kind}, ${statusOf(row)}, ${row}.received_at
  ${from} WHERE ${statusOf(row)} IS NOT NULL
  ON CONFLICT (position) DO UPDATE SET status = excluded.status`

/**
 * The conditions for the two kinds of unmatched inbox rows that an earlier version has left. Each condition has an
 * index.
 */
const present = ["status = 'parked'", "status = 'waiting' AND next_try_at IS NOT NULL AND tries > 0"]

/**
 * The kind of the evidence. If the retention has deleted the evidence, this text is empty, and the row keeps its former
 * kind.
 */
const kindInSqlite = (row: string) =>
  `CASE WHEN json_valid(${row}.evidence) THEN coalesce(json_extract(${row}.evidence, '$.claim.kind'), '') ELSE '' END`

const sqlite = [
  "ALTER TABLE provider_inbox ADD COLUMN livemode INTEGER",
  "ALTER TABLE provider_inbox ADD COLUMN disposition TEXT",
  `CREATE TABLE unmatched_reports (position INTEGER PRIMARY KEY, ${columns("INTEGER", "INTEGER", "TEXT")}) STRICT`,
  ...indexes,
  ...present.map((rows) =>
    written("entry", kindInSqlite("entry"), `FROM (SELECT * FROM provider_inbox WHERE ${rows}) AS entry`)
  ),
  `CREATE TRIGGER unmatched_reports_of_new AFTER INSERT ON provider_inbox WHEN ${statusOf("NEW")} IS NOT NULL
    BEGIN ${written("NEW", kindInSqlite("NEW"), "")}; END`,
  `CREATE TRIGGER unmatched_reports_of_changed AFTER UPDATE OF status, tries, disposition ON provider_inbox
    WHEN ${statusOf("NEW")} IS NOT ${statusOf("OLD")}
    BEGIN
      DELETE FROM unmatched_reports WHERE position = NEW.position AND ${statusOf("NEW")} IS NULL;
      ${written("NEW", kindInSqlite("NEW"), "")};
    END`,
  `CREATE TRIGGER unmatched_reports_of_forgotten AFTER UPDATE OF evidence ON provider_inbox
    WHEN NEW.evidence = '' AND NEW.disposition IS NOT NULL
    BEGIN UPDATE unmatched_reports SET note = NULL WHERE position = NEW.position AND note IS NOT NULL; END`
]

const kindInPostgres = (row: string) => `coalesce(substring(${row}.evidence from '"claim":\\{"kind":"([a-z_]+)"'), '')`

const pg = [
  "ALTER TABLE provider_inbox ADD COLUMN livemode boolean, ADD COLUMN disposition text",
  `CREATE TABLE unmatched_reports (position bigint PRIMARY KEY, ${columns("bigint", "boolean", 'text COLLATE "C"')})`,
  ...indexes,
  `CREATE FUNCTION keep_unmatched_reports() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF ${statusOf("NEW")} IS NULL THEN
        DELETE FROM unmatched_reports WHERE position = NEW.position;
      ELSE ${written("NEW", kindInPostgres("NEW"), "")};
      END IF;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER unmatched_reports_of_new AFTER INSERT ON provider_inbox FOR EACH ROW
    WHEN (${statusOf("NEW")} IS NOT NULL) EXECUTE FUNCTION keep_unmatched_reports()`,
  `CREATE TRIGGER unmatched_reports_of_changed AFTER UPDATE OF status, tries, disposition ON provider_inbox FOR EACH ROW
    WHEN (${statusOf("NEW")} IS DISTINCT FROM ${statusOf("OLD")}) EXECUTE FUNCTION keep_unmatched_reports()`,
  `CREATE FUNCTION forget_unmatched_report() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE unmatched_reports SET note = NULL WHERE position = NEW.position AND note IS NOT NULL;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER unmatched_reports_of_forgotten AFTER UPDATE OF evidence ON provider_inbox FOR EACH ROW
    WHEN (NEW.evidence = '' AND NEW.disposition IS NOT NULL) EXECUTE FUNCTION forget_unmatched_report()`,
  ...present.map((rows) =>
    written("entry", kindInPostgres("entry"), `FROM (SELECT * FROM provider_inbox WHERE ${rows}) AS entry`)
  )
]

export const unmatchedReports: Migration = { id: 17, name: "unmatched reports", sqlite, pg, compatibleWith: 9 }
