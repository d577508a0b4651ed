/** The metadata keys for which a database has an index. */
import { isIndexableKey, keyOfIndex } from "../migrations/metadata.ts"
import { text } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"

/** The metadata keys that have an index, from rows with the names of the existing indexes of payments. */
export const indexedKeys = (rows: ReadonlyArray<Row>): ReadonlySet<string> =>
  new Set(rows.map((row) => keyOfIndex(text(row, "name")) ?? "").filter(isIndexableKey))

export const sqliteIndexes = "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'payments'"

/**
 * The SQL for the names of the usable indexes. An index whose build failed exists but is never used, so it is left out.
 */
export const pgIndexes = `SELECT c.relname::text AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE i.indrelid = to_regclass('payments') AND i.indisvalid`
