/**
 * Former declines of a card, looked up by the fingerprint that the merchant gave the card. Declines are stored with the attempts;
 * the method of a payment is JSON, so the index is on an expression over it, and holds no payment without a fingerprint.
 *
 * The expressions are JSON text, as `JSON.stringify` writes a string, and are the same in the index and in the queries.
 */
import { addIndexes } from "./addIndexes.ts"

/** SQLite cannot parse JSON that is nested too deep: a payment with such a method is stored, but the index does not find it. */
export const sqliteFingerprint = "CASE WHEN json_valid(method) THEN method -> '$.fingerprint' END"

/**
 * The SQL that replaces the Unicode escapes in JSON text: PostgreSQL would refuse a payment with an escape of a
 * character that it cannot hold, wherever in its method the escape is. `JSON.stringify` never writes `\/`, so different
 * texts stay different.
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
