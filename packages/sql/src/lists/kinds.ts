/**
 * Lists by provider, rail and currency. A kind is a combination of the three that a tenant has payments of. There are
 * few, so one index by kind serves any combination of the filters: a list looks up the kinds that match, and scans the
 * payments of each. So a value that few payments have, or none, costs no more than one that most have.
 */
import type { Tenant } from "@paymux/core"
import type { ListQuery } from "@paymux/core/store"
import type { StatementText } from "../dialect/Fragments.ts"
import { byKind } from "../migrations/kinds.ts"
import { reading, text } from "../rows/ReadRow.ts"

export interface Kind {
  readonly provider: string
  readonly rail: string
  readonly currency: string
}

/** Whether the query filters by provider, rail or currency. */
export const filtersKinds = ({ currency, provider, rail }: ListQuery): boolean =>
  provider.length + rail.length + currency.length > 0

/** The kinds that meet the filters. */
export const matchingKinds = (
  { currency, provider, rail }: ListQuery,
  kinds: ReadonlyArray<Kind>
): ReadonlyArray<Kind> => {
  const isAnyOf = (values: ReadonlyArray<string>, value: string) => values.length === 0 || values.includes(value)
  return kinds.filter(
    (kind) => isAnyOf(provider, kind.provider) && isAnyOf(rail, kind.rail) && isAnyOf(currency, kind.currency)
  )
}

/** Whether the known kinds have all of the others. */
export const hasAll = (known: ReadonlyArray<Kind>, others: ReadonlyArray<Kind>): boolean =>
  others.every(({ currency, provider, rail }) =>
    known.some((kind) => kind.provider === provider && kind.rail === rail && kind.currency === currency)
  )

/**
 * Reads up to `most` kinds of the tenant. It jumps through the index from the first payment of one kind to that of the
 * next, so that its cost grows with the number of kinds, not of payments.
 */
export const kindsStatement =
  (tenant: Tenant, most: number): StatementText =>
  (statement) => {
    const own = statement.isOf(tenant)
    const first = (condition: string) => `(SELECT id FROM payments ${statement.sql.indexedBy(byKind)}
      WHERE ${own} ${condition} ORDER BY provider, rail, currency, id LIMIT 1)`
    // One look-up for each column: SQLite compares a row only by its first column in the index.
    const next = `coalesce(
      ${first("AND provider = p.provider AND rail = p.rail AND currency > p.currency")},
      ${first("AND provider = p.provider AND rail > p.rail")},
      ${first("AND provider > p.provider")})`
    return `WITH RECURSIVE firsts (id) AS (
        SELECT ${first("")} UNION ALL SELECT ${next} FROM firsts JOIN payments AS p ON p.id = firsts.id
      ) SELECT p.provider, p.rail, p.currency FROM firsts JOIN payments AS p ON p.id = firsts.id
        LIMIT ${statement.bind(most)}`
  }

export const readKind = reading<Kind>({ provider: text, rail: text, currency: text })
