/**
 * Adds the table for the mark that the database was restored to an earlier moment: one row, see `RestorationStore` of
 * the core.
 *
 * On PostgreSQL the row also has the last known timeline of PostgreSQL. A failover to a standby, and a restore, begin a
 * new timeline.
 */
import type { Migration } from "@paymux/core/store"

const day = 86_400_000

/**
 * The SQL that inserts the only row. If the database has payments, their operations may have ids of the former version,
 * and so may new operations of servers that still run that version. `former_names_until` limits this time to a day.
 */
const firstRow = (now: string): string =>
  `INSERT INTO restoration (one, version, accepted_doubles, former_names_until)
    SELECT 1, '', '[]', CASE WHEN EXISTS (SELECT 1 FROM payments) THEN ${now} + ${day} END`

export const restoration: Migration = {
  id: 26,
  name: "mark of a restored database",
  sqlite: [
    `CREATE TABLE restoration (
      one INTEGER PRIMARY KEY CHECK (one = 1), version TEXT NOT NULL, went_back_to INTEGER, marked_at INTEGER,
      holds_until INTEGER, accepted_doubles TEXT NOT NULL, former_names_until INTEGER
    ) STRICT`,
    firstRow("CAST(strftime('%s', 'now') AS INTEGER) * 1000")
  ],
  pg: [
    `CREATE TABLE restoration (
      one integer PRIMARY KEY CHECK (one = 1), version text NOT NULL, went_back_to bigint, marked_at bigint,
      holds_until bigint, accepted_doubles text NOT NULL, former_names_until bigint, timeline text
    )`,
    firstRow("floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint"),
    // Returns `unknown` on a service that does not show its WAL to clients. Such a service copies its storage and keeps
    // one timeline.
    `CREATE FUNCTION paymux_timeline() RETURNS text LANGUAGE plpgsql VOLATILE AS $$
      BEGIN
        RETURN substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)
          || CASE WHEN current_setting('synchronous_standby_names') <> ''
            AND current_setting('synchronous_commit') <> 'local' THEN ' sync' ELSE '' END;
      EXCEPTION WHEN OTHERS THEN
        RETURN 'unknown';
      END
    $$`
  ],
  compatibleWith: 2
}
