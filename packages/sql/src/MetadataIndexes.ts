/**
 * The indexes for lists by a metadata key. Each installation configures its own metadata keys, so the indexes are not migrations:
 * a separate call creates them, and a list query checks which indexes exist.
 *
 * The index of a metadata key that is no longer configured stays until an operator drops it.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { isIndexableKey, pgIndex, sqliteIndex } from "./migrations/metadata.ts"
import { indexedKeys, pgIndexes, sqliteIndexes } from "./lists/indexedKeys.ts"
import { buildIndexes } from "./postgres/buildIndexes.ts"
import type { Row } from "./rows/ReadRow.ts"

/** The metadata keys in `keys` for which the database has no index, in the given order. Writes nothing. */
export const missingMetadataIndexes = Effect.fnUntraced(function* (
  keys: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<string>, SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql.unsafe<Row>(sql.onDialectOrElse({ pg: () => pgIndexes, orElse: () => sqliteIndexes }))
  const there = indexedKeys(rows)
  return keys.filter((key) => !there.has(key))
})

/**
 * Builds the missing indexes and returns their metadata keys. A key has 1 to 40 letters, digits, `_`, `.` or `-`. On PostgreSQL,
 * other servers keep writing during the build; on SQLite, writes wait.
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
