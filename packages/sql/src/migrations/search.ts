/**
 * Search of payments by failure code, by card, and by amount.
 *
 * A range of amounts in the order of ids: the payments of a currency are cut into slices by the time in their ids, about
 * nine hours each, and are in the order of their amounts within a slice. A list takes the range out of one slice after the
 * other, so payments that do not match cost a look-up for each slice and none for each payment. New entries go to the
 * latest slice, which is in memory.
 */
import type { Migration } from "@paymux/core/store"
import { addIndexes } from "./addIndexes.ts"
import { hasFingerprint, pgFingerprint, sqliteFingerprint } from "./cards.ts"
import { sliceOfId } from "./slices.ts"

/** The state of a payment that failed is short, and holds no foreign text: it can always be parsed. */
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
