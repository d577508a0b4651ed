/**
 * Indexes to search payments by failure code, by card, and by amount.
 *
 * The index by amount finds a range of amounts in the order of ids. It divides the payments of a currency into slices
 * of about nine hours, by the time in their ids; within a slice they are sorted by amount. A list reads the range from
 * one slice after the other, so it costs a look-up for each slice, and none for each payment that does not match. New
 * entries go to the latest slice, which is in memory.
 */
import type { Migration } from "@paymux/core/store"
import { addIndexes } from "./addIndexes.ts"
import { hasFingerprint, pgFingerprint, sqliteFingerprint } from "./cards.ts"
import { sliceOfId } from "./slices.ts"

/**
 * The SQL expression for the failure code of a payment. It can always parse the state of a failed payment, because this
 * state is short and contains no foreign text.
 */
export const sqliteFailureCode = "CASE WHEN status = 'failed' THEN state ->> '$.failure.code' END"
export const pgFailureCode = `(CASE WHEN status = 'failed' THEN state::json -> 'failure' ->> 'code' END) COLLATE "C"`

/** The condition of the index: a query names it to use the index. */
export const hasFailureCode = (code: string): string => `(${code}) IS NOT NULL`

const byFailure = (code: string): string =>
  `payments_by_failure ON payments (account, livemode, (${code}), id) WHERE ${hasFailureCode(code)}`

const byAmount = `payments_by_amount ON payments (account, livemode, currency, (${sliceOfId}), minor_units, id)`

const byCard = (name: string, fingerprint: string): string =>
  `${name} ON payments (account, livemode, (${fingerprint}), id) WHERE ${hasFingerprint(fingerprint)}`

const indexes = addIndexes(
  { id: 14, name: "payments by amount, failure and card" },
  [byAmount, byFailure(sqliteFailureCode)],
  [byAmount, byFailure(pgFailureCode), byCard("payments_of_card", pgFingerprint)]
)

const former = "payments_by_card"

export const search: Migration = {
  ...indexes,
  // Older code names this index in its queries on SQLite, so the index keeps its name.
  sqlite: [...indexes.sqlite, `DROP INDEX ${former}`, `CREATE INDEX ${byCard(former, sqliteFingerprint)}`],
  pgAfter: [`DROP INDEX CONCURRENTLY IF EXISTS ${former}`]
}
