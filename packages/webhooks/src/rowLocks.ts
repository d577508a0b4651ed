/** How a statement locks several rows on PostgreSQL. SQLite has a single writer. */
import type { SqlClient } from "effect/sql"

/** For a statement that may leave rows to another time. */
export const skipLocked = (sql: SqlClient.SqlClient) =>
  sql.literal(sql.onDialectOrElse({ pg: () => "FOR UPDATE SKIP LOCKED", orElse: () => "" }))

/** For a statement that waits for locks: in any other order, two of them could wait for each other. */
export const lockInOrder = (sql: SqlClient.SqlClient) =>
  sql.literal(sql.onDialectOrElse({ pg: () => "ORDER BY id FOR UPDATE", orElse: () => "" }))
