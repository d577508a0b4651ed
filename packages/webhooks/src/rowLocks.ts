/** Clauses that lock several rows on PostgreSQL. They are empty on SQLite, which has a single writer. */
import type { SqlClient } from "effect/sql"

/** For a statement that may leave locked rows for later. */
export const skipLocked = (sql: SqlClient.SqlClient) =>
  sql.literal(sql.onDialectOrElse({ pg: () => "FOR UPDATE SKIP LOCKED", orElse: () => "" }))

/** For a statement that waits for locks: one order for all statements prevents deadlocks. */
export const lockInOrder = (sql: SqlClient.SqlClient) =>
  sql.literal(sql.onDialectOrElse({ pg: () => "ORDER BY id FOR UPDATE", orElse: () => "" }))
