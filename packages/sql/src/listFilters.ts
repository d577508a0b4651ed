/** Which indexes a list of payments may walk, and how far: the same on every database. */
import type { ListQuery } from "@paymux/core/store"
import { afterCreatedBefore, beforeCreatedAt } from "./migrations/lists.ts"

/** Any of the values, in a column or under a key of metadata. */
export type Equality = {
  readonly values: ReadonlyArray<string>
} & ({ readonly column: string } | { readonly key: string })

/** A query whose references were looked up. */
export interface ResolvedQuery extends ListQuery {
  /** The payments with one of the references; `null`: any payment. */
  readonly ids: ReadonlyArray<string> | null
}

export interface Walk {
  /** Its index is walked, once for each of its values; `null`: that of the tenant, or of what is in review. */
  readonly driver: Equality | null
  /** Tested on the way. */
  readonly tested: ReadonlyArray<Equality>
  /** Between these ids, exclusive, is all that was created in the time that is asked for, but what is out of order. */
  readonly above: string | null
  readonly below: string | null
  /** Further pages lie towards the newer payments. */
  readonly towardsNewer: boolean
}

/** The one that usually passes least first. `indexed`: the keys of metadata that the database has an index of. */
export const walksOf = (
  query: ResolvedQuery,
  indexed: ReadonlySet<string>
): readonly [Walk, ...ReadonlyArray<Walk>] => {
  const all = equalities(query, indexed)
  const by = (driver: Equality | null): Walk => ({
    driver,
    tested: all.filter((equality) => equality !== driver),
    above: query.createdAfter === null ? null : beforeCreatedAt(query.createdAfter),
    below: query.createdBefore === null ? null : afterCreatedBefore(query.createdBefore),
    towardsNewer: query.position?.side === "before"
  })
  // What is in review is few, and has an index of its own.
  const drivers = query.inReview ? [] : all.filter((equality) => isIndexed(equality, indexed) && isWalked(equality))
  const [first = null, ...others] = drivers
  return [by(first), ...others.map(by)]
}

/** The filters that were given, the one that usually leaves least first. */
const equalities = (query: ResolvedQuery, indexed: ReadonlySet<string>): ReadonlyArray<Equality> => {
  const metadata = Object.entries(query.metadata).map(([key, values]) => ({ key, values }))
  return [
    { column: "id", values: query.ids ?? [] },
    ...metadata.filter(({ key }) => indexed.has(key)),
    { column: "customer_email", values: query.customerEmail },
    { column: "status", values: query.status },
    { column: "provider", values: query.provider },
    { column: "currency", values: query.currency },
    { column: "rail", values: query.rail },
    ...metadata.filter(({ key }) => !indexed.has(key))
  ]
    .filter(({ values }) => values.length > 0)
    .map((equality) => ({ ...equality, values: [...new Set<string>(equality.values)] }))
}

/** Each column has an index of its own. */
const isIndexed = (equality: Equality, indexed: ReadonlySet<string>): boolean =>
  "column" in equality || indexed.has(equality.key)

const isWalked = ({ values }: Equality): boolean => values.length <= mostBranches

/** Each value walks on its own: as many as the API takes of one filter. */
const mostBranches = 100
