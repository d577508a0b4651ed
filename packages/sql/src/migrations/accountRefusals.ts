/**
 * Index of attempts that a provider refused because of its account. They are few among many, so nothing is written to the index
 * for the others.
 */
import type { Migration } from "@paymux/core/store"

/** The condition of the index: a query names it to use the index. */
export const isAccountRefusal = "code IN ('account_not_enabled', 'details_required')"

const definition = `attempts_refused_by_account ON attempts (provider, ended_at) WHERE ${isAccountRefusal}`

/**
 * The migration that adds the index. Not compatible with earlier code, which cannot read these failure codes, or
 * customers without an email or a phone.
 */
export const accountRefusalIndex: Migration = {
  id: 21,
  name: "attempts refused because of an account",
  sqlite: [`CREATE INDEX ${definition}`],
  // The clause accepts an existing index: on a large table, it was built before this step.
  pg: [`CREATE INDEX IF NOT EXISTS ${definition}`]
}
