/**
 * Indexes of payments by a metadata key: one index for each key that the configuration names, of the payments that have that key.
 *
 * The expressions are JSON text, as `JSON.stringify` writes a string, and are the same in the index and in the queries. A
 * metadata key has letters, digits and `_.-` only, so that it can stand in a text of SQL as it is.
 */
import type { PgIndex } from "./PgIndex.ts"
import { withoutUnicodeEscapes } from "./cards.ts"

/** Whether a metadata key can have an index. */
export const isIndexableKey = (key: string): boolean => /^[A-Za-z0-9_.-]{1,40}$/.test(key)

/** A payment must never be rejected because of its index: JSON that cannot be parsed is stored, but not found. */
export const sqliteMetadata = (key: string): string =>
  `CASE WHEN json_valid(metadata) THEN metadata -> '$."${key}"' END`

/** The complete value, for conditions that are tested on a row. */
export const pgMetadata = (key: string): string =>
  `(${withoutUnicodeEscapes("metadata")}::json -> '${key}')::text COLLATE "C"`

/**
 * The maximum size of an indexed value, in bytes. An entry of a B-tree holds at most 2,704 bytes: a longer value would
 * be refused, and its payment with it.
 */
export const pgMetadataPrefix = (key: string): string => prefixOf(pgMetadata(key))

/** The first 200 characters, of at most four bytes each. */
export const prefixOf = (text: string): string => `left(${text}, 200)`

const paymentsBy = (name: string, expression: string): string =>
  `"${name}" ON payments (account, livemode, (${expression}), id) WHERE ${hasMetadata(expression)}`

/** The condition of the index: a query names it to use the index. */
export const hasMetadata = (expression: string): string => `(${expression}) IS NOT NULL`

const beginning = "payments_by_metadata_"

/** Marks each capital letter, because SQLite ignores the case of letters in names. */
const sqliteIndexName = (key: string): string => beginning + key.replaceAll(/[A-Z]/g, (letter) => `^${letter}`)
const pgIndexName = (key: string): string => beginning + key

/** The metadata key of the index with this name; `null`: another index has the name. */
export const keyOfIndex = (name: string): string | null =>
  name.startsWith(beginning) ? name.slice(beginning.length).replaceAll("^", "") : null

export const sqliteIndex = (key: string): string =>
  `CREATE INDEX IF NOT EXISTS ${paymentsBy(sqliteIndexName(key), sqliteMetadata(key))}`

export const pgIndex = (key: string): PgIndex => ({
  name: pgIndexName(key),
  definition: paymentsBy(pgIndexName(key), pgMetadataPrefix(key))
})
