/**
 * The indexes for lists by a metadata key. Each installation configures its keys, so the indexes are not migrations: they
 * are created beside them, and a list checks which exist.
 *
 * The index of a key that is no longer configured stays until an operator drops it.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { isIndexableKey, pgIndex, sqliteIndex } from "./migrations/metadata.ts"
import { indexedKeys, pgIndexes, sqliteIndexes } from "./lists/indexedKeys.ts"
import { buildIndexes } from "./postgres/buildIndexes.ts"
import type { Row } from "./rows/ReadRow.ts"

/** Those of `keys` that the database has no index of, in their order. Writes nothing. */
export const missingMetadataIndexes = Effect.fnUntraced(function* (
  keys: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<string>, SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql.unsafe<Row>(sql.onDialectOrElse({ pg: () => pgIndexes, orElse: () => sqliteIndexes }))
  const there = indexedKeys(rows)
  return keys.filter((key) => !there.has(key))
})

/**
 * Builds the missing indexes and returns their keys. A key has 1 to 40 letters, digits, `_`, `.` or `-`. On
 * PostgreSQL servers go on writing meanwhile; on SQLite they wait.
 *
 * @example
 * ```ts
 * const built = yield* buildMetadataIndexes(["order_id"])
 * ```
 */
export const buildMetadataIndexes = Effect.fnUntraced(function* (
  keys: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<string>, SqlError, SqlClient.SqlClient> {
  const unfit = keys.find((key) => !isIndexableKey(key))
  if (unfit !== undefined) return yield* Effect.die(new Error("A key of metadata that cannot have an index"))
  const missing = yield* missingMetadataIndexes(keys)
  if (missing.length === 0) return missing
  const sql = yield* SqlClient.SqlClient
  yield* sql.onDialectOrElse({ pg: () => buildIndexes(missing.map(pgIndex)), orElse: () => buildOnSqlite(missing) })
  return missing
})

const buildOnSqlite = Effect.fnUntraced(function* (keys: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.forEach(keys, (key) => sql.unsafe(sqliteIndex(key)).unprepared, { discard: true })
})
