/** SQL clauses that lock several rows on PostgreSQL. They are empty on SQLite, which has a single writer. */
import type { SqlClient } from "effect/sql"

/** A locking clause for statements that may skip rows locked by others, and process them later. */
export const skipLocked = (sql: SqlClient.SqlClient) =>
  sql.literal(sql.onDialectOrElse({ pg: () => "FOR UPDATE SKIP LOCKED", orElse: () => "" }))

/** A locking clause for statements that wait for locks: one order for all statements prevents deadlocks. */
export const lockInOrder = (sql: SqlClient.SqlClient) =>
  sql.literal(sql.onDialectOrElse({ pg: () => "ORDER BY id FOR UPDATE", orElse: () => "" }))
