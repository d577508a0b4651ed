/**
 * Index of attempts that a provider refused because of the merchant's account. Such attempts are rare, and no entry is
 * written to the index for other attempts.
 */
import type { Migration } from "@paymux/core/store"

/** The condition of the index: a query names it to use the index. */
export const isAccountRefusal = "code IN ('account_not_enabled', 'details_required')"

const definition = `attempts_refused_by_account ON attempts (provider, ended_at) WHERE ${isAccountRefusal}`

/**
 * The migration that adds the index. Not compatible with earlier code, which cannot read the failure codes of these
 * attempts, or customers without an email or a phone.
 */
export const accountRefusalIndex: Migration = {
  id: 21,
  name: "attempts refused because of an account",
  sqlite: [`CREATE INDEX ${definition}`],
  // `IF NOT EXISTS`, because on a large table the index is built before this migration runs.
  pg: [`CREATE INDEX IF NOT EXISTS ${definition}`]
}
