/** Which indexes a list of payments may walk, and how far: the same on every database. */
import type { ListQuery } from "@paymux/core/store"
import { afterCreatedBefore, beforeCreatedAt } from "../migrations/lists.ts"

/** Any of the values, in a column, under a key of metadata, or of an expression that has an index. */
export type Equality = {
  readonly values: ReadonlyArray<string>
} & (
  | { readonly column: string }
  | { readonly key: string }
  | { readonly expression: "card_fingerprint" | "failure_code" }
)

/** The amounts of one currency: minor units, inclusive. */
export interface AmountRange {
  readonly currency: string
  readonly min: number
  readonly max: number
}

/** A range of amounts, in these slices of the payments: see `migrations/search.ts`. */
export interface AmountSlices extends AmountRange {
  readonly slices: ReadonlyArray<string>
}

/** A query whose references were looked up. */
export interface ResolvedQuery extends ListQuery {
  /** The payments with one of the references; `null`: any payment. */
  readonly ids: ReadonlyArray<string> | null
}

export interface Walk {
  /** Its index is walked, once for each of its values; `null`: that of the tenant, or of payments in review. */
  readonly driver: Equality | AmountSlices | null
  /** Tested on the way. */
  readonly tested: ReadonlyArray<Equality>
  /** Between these ids, exclusive, are all payments that were created in the requested time, except those out of order. */
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
    ...rangeOf(query),
    driver,
    tested: all.filter((equality) => equality !== driver)
  })
  // Payments in review are few, and have an index of their own.
  const drivers = query.inReview ? [] : all.filter((equality) => isIndexed(equality, indexed) && isWalked(equality))
  const [first = null, ...others] = drivers
  return [by(first), ...others.map(by)]
}

/** Whether the walk reads the metadata of each payment, because a key has no index. */
export const testsMetadata = ({ metadata }: ListQuery, indexed: ReadonlySet<string>): boolean =>
  Object.entries(metadata).some(([key, values]) => values.length > 0 && !indexed.has(key))

/** How many payments a list passes, at most, that tests their metadata: on SQLite, some 10 ms on the event loop. */
export const mostSearched = 5000

/** The range of amounts that the index by amount can be walked for; `null`: none. */
export const amountRangeOf = ({ amountMax, amountMin, currency, inReview }: ListQuery): AmountRange | null => {
  const [only, ...others] = new Set(currency)
  if (only === undefined || others.length > 0 || inReview || (amountMin === null && amountMax === null)) return null
  return { currency: only, min: amountMin ?? 0, max: amountMax ?? Number.MAX_SAFE_INTEGER }
}

export const amountWalkOf = (query: ResolvedQuery, indexed: ReadonlySet<string>, driver: AmountSlices): Walk => ({
  ...rangeOf(query),
  driver,
  tested: equalities(query, indexed)
})

const rangeOf = (query: ListQuery): Pick<Walk, "above" | "below" | "towardsNewer"> => ({
  above: query.createdAfter === null ? null : beforeCreatedAt(query.createdAfter),
  below: query.createdBefore === null ? null : afterCreatedBefore(query.createdBefore),
  towardsNewer: query.position?.side === "before"
})

/** The filters that were given, the one that usually leaves least first. */
const equalities = (query: ResolvedQuery, indexed: ReadonlySet<string>): ReadonlyArray<Equality> => {
  const metadata = Object.entries(query.metadata).map(([key, values]) => ({ key, values }))
  return [
    { column: "id", values: query.ids ?? [] },
    { column: "order_ref", values: query.order },
    { expression: "card_fingerprint" as const, values: query.cardFingerprint },
    ...metadata.filter(({ key }) => indexed.has(key)),
    { column: "customer_email", values: query.customerEmail.map(orNever) },
    { expression: "failure_code" as const, values: query.failureCode },
    { column: "status", values: query.status },
    { column: "provider", values: query.provider },
    { column: "currency", values: query.currency },
    { column: "rail", values: query.rail },
    ...metadata.filter(({ key }) => !indexed.has(key))
  ]
    .filter(({ values }) => values.length > 0)
    .map((equality) => ({ ...equality, values: [...new Set<string>(equality.values)] }))
}

/** The column of a payment without an e-mail address has an empty text. No address is a space. */
const orNever = (email: string): string => (email === "" ? " " : email)

/** Each column and expression has an index of its own. */
const isIndexed = (equality: Equality, indexed: ReadonlySet<string>): boolean =>
  !("key" in equality) || indexed.has(equality.key)

const isWalked = ({ values }: Equality): boolean => values.length <= mostBranches

/** Each value walks on its own: as many as the API takes of one filter. */
const mostBranches = 100
