/**
 * Former declines of a card, looked up by the fingerprint that the merchant gave it. Declines are stored with the attempts; the method of a
 * payment is JSON, so the index is on an expression over it, and holds no payment without such a word.
 *
 * The expressions are JSON text, as `JSON.stringify` writes a string, and are the same in the index and in the queries.
 */
import { addIndexes } from "./addIndexes.ts"

/** SQLite takes no JSON apart that is nested too deep: such a method is kept, but not found. */
export const sqliteFingerprint = "CASE WHEN json_valid(method) THEN method -> '$.fingerprint' END"

/**
 * JSON without an escape of a character that PostgreSQL cannot hold: it would refuse the payment, wherever in its method
 * that is. `JSON.stringify` never writes `\/`, so different texts stay different.
 */
export const withoutUnicodeEscapes = (json: string): string =>
  String.raw`replace(replace(${json}, '\\', '\/\/'), '\u', '\/u')`

export const pgFingerprint = `(${withoutUnicodeEscapes("method")}::json -> 'fingerprint')::text COLLATE "C"`

/** The condition of the index: a query names it to use the index. */
export const hasFingerprint = (fingerprint: string): string => `rail = 'card' AND (${fingerprint}) <> 'null'`

const paymentsByCard = (fingerprint: string): string =>
  `payments_by_card ON payments (account, livemode, (${fingerprint})) WHERE ${hasFingerprint(fingerprint)}`

export const cards = addIndexes(
  { id: 4, name: "payments by card" },
  [paymentsByCard(sqliteFingerprint)],
  [paymentsByCard(pgFingerprint)]
)
