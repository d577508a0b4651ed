/**
 * Re-encrypts a column of encrypted texts with the first of the server's secrets. Each row is replaced separately, and
 * only if it has not changed since it was read. So the re-encryption can be interrupted and repeated, and can run
 * beside servers that write with the first secret.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { isOneOf } from "./jsonSets.ts"
import type { SealedText } from "./SealedText.ts"

export interface SealedColumn {
  readonly box: SealedText
  readonly table: string
  /** The name of the column with the row id that each ciphertext is bound to. */
  readonly id: string
  readonly column: string
  /** The name of the row's kind for messages about texts that cannot be decrypted, such as "webhook endpoint". */
  readonly owner: string
}

/** The result of re-encrypting one batch of rows. */
export interface ResealedBatch {
  readonly read: number
  /** The number of texts in the batch that were encrypted with another secret, and were replaced. */
  readonly replaced: number
  /** The row ids of the texts that none of the secrets decrypts. */
  readonly unreadable: ReadonlyArray<string>
}

/** Re-encrypts the texts of a column in batches. `onBatch` runs after each batch. */
export const resealColumn = Effect.fnUntraced(function* <E, R>(
  column: SealedColumn,
  onBatch: (batch: ResealedBatch) => Effect.Effect<void, E, R>
): Effect.fn.Return<void, SqlError | E, SqlClient.SqlClient | R> {
  let after = ""
  while (true) {
    const ids = yield* idsAfter(column, after)
    const last = ids.at(-1)
    if (last === undefined) return
    yield* onBatch(yield* resealBatch(column, ids))
    after = last
  }
})

/** Counts the encrypted texts of a column. */
export const countColumn = Effect.fnUntraced(function* (of: SealedColumn) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly count: number | string }>`
    SELECT count(*) AS count FROM ${sql.literal(of.table)} WHERE ${isText(sql, of)}`
  return Number(row?.count ?? 0)
})

const perBatch = 100

/**
 * The SQL condition for rows with a ciphertext. It excludes the endpoint of the embedding program, which has an empty
 * text instead of a secret.
 */
const isText = (sql: SqlClient.SqlClient, { column }: SealedColumn) => sql`${sql.literal(column)} <> ${""}`

const idsAfter = Effect.fnUntraced(function* (of: SealedColumn, after: string) {
  const sql = yield* SqlClient.SqlClient
  const id = sql.literal(of.id)
  const rows = yield* sql<{ readonly id: string }>`SELECT DISTINCT ${id} AS id FROM ${sql.literal(of.table)}
    WHERE ${id} > ${after} AND ${isText(sql, of)} ORDER BY id LIMIT ${perBatch}`
  return rows.map((row) => row.id)
})

const resealBatch = Effect.fnUntraced(function* (of: SealedColumn, ids: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  const [table, id, column] = [sql.literal(of.table), sql.literal(of.id), sql.literal(of.column)]
  const rows = yield* sql<{ readonly id: string; readonly sealed: string }>`
    SELECT ${id} AS id, ${column} AS sealed FROM ${table} WHERE ${isOneOf(sql, of.id, ids)} AND ${isText(sql, of)}`
  const unreadable: Array<string> = []
  let replaced = 0
  for (const row of rows) {
    const resealed = of.box.reseal(row.id, row.sealed)
    if (resealed === null) unreadable.push(row.id)
    if (resealed === null || resealed === row.sealed) continue
    const written = yield* sql`UPDATE ${table} SET ${column} = ${resealed}
      WHERE ${id} = ${row.id} AND ${column} = ${row.sealed} RETURNING ${id}`
    replaced += written.length
  }
  return { read: rows.length, replaced, unreadable } satisfies ResealedBatch
})
