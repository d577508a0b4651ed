/**
 * Index to find earlier declines of a card by the fingerprint that the merchant assigned to the card. Declines are
 * stored with the attempts. The method of a payment is JSON, so the index is on an expression over it, and contains
 * only payments with a fingerprint.
 *
 * The expressions return JSON text, as `JSON.stringify` writes a string, and are the same in the index and in the
 * queries.
 */
import { addIndexes } from "./addIndexes.ts"

/** SQLite cannot parse JSON that is nested too deep: a payment with such a method is stored, but the index does not find it. */
export const sqliteFingerprint = "CASE WHEN json_valid(method) THEN method -> '$.fingerprint' END"

/**
 * The SQL that replaces the Unicode escapes in JSON text. Otherwise PostgreSQL would reject a payment if any part of
 * its method contains the escape of a character that PostgreSQL cannot store. Different texts stay different, because
 * `JSON.stringify` never writes `\/`.
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
