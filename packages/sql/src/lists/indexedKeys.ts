/** The keys of metadata that a database has an index of. */
import { isIndexableKey, keyOfIndex } from "../migrations/metadata.ts"
import { text } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"

/** The keys that these indexes of payments are of. */
export const indexedKeys = (rows: ReadonlyArray<Row>): ReadonlySet<string> =>
  new Set(rows.map((row) => keyOfIndex(text(row, "name")) ?? "").filter(isIndexableKey))

export const sqliteIndexes = "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'payments'"

/** One whose building failed is there and never used. */
export const pgIndexes = `SELECT c.relname::text AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE i.indrelid = to_regclass('payments') AND i.indisvalid`
