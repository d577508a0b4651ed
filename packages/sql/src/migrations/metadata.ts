/**
 * Indexes of payments by metadata key: one index for each key in the configuration. It contains the payments that have
 * the key.
 *
 * The expressions return JSON text, as `JSON.stringify` writes a string, and are the same in the index and in the
 * queries. A metadata key has only letters, digits and `_.-`, so it can be inserted into SQL without escaping.
 */
import type { PgIndex } from "./PgIndex.ts"
import { withoutUnicodeEscapes } from "./cards.ts"

/** Whether a metadata key can have an index. */
export const isIndexableKey = (key: string): boolean => /^[A-Za-z0-9_.-]{1,40}$/.test(key)

/**
 * The expression for the value of a metadata key on SQLite. If JSON cannot be parsed, it returns NULL: the payment is
 * stored, but not found. An index must never cause the rejection of a payment.
 */
export const sqliteMetadata = (key: string): string =>
  `CASE WHEN json_valid(metadata) THEN metadata -> '$."${key}"' END`

/**
 * The expression for the complete value of a metadata key, for conditions that are tested on a row. The index has only
 * the start of the value.
 */
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

/**
 * The name of an index on SQLite. Each capital letter is marked with `^`, because SQLite ignores the case of letters in
 * names.
 */
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
