/** The indexes that a list of payments can scan, and the range of each scan: the same on both databases. */
import type { ListQuery } from "@paymux/core/store"
import { afterCreatedBefore, beforeCreatedAt } from "../migrations/lists.ts"
import type { Kind } from "./kinds.ts"

/** A filter that any of the values meets. It compares a column, a metadata key, or an expression that has an index. */
export type Equality = {
  readonly values: ReadonlyArray<string>
} & (
  | { readonly column: string }
  | { readonly key: string }
  | { readonly expression: "card_fingerprint" | "failure_code" }
)

/** A range of amounts in one currency: minor units, inclusive. */
export interface AmountRange {
  readonly currency: string
  readonly min: number
  readonly max: number
}

/** A filter by a range of amounts, for payments in these time slices only: see `migrations/search.ts`. */
export interface AmountSlices extends AmountRange {
  readonly slices: ReadonlyArray<string>
}

/** The filters by provider, rail and currency, with the kinds of payments that meet all of them. */
interface KindFilter {
  readonly kinds: ReadonlyArray<Kind>
  readonly equalities: ReadonlyArray<Equality>
}

/** A query together with the ids of the payments that have its references, and the kinds that meet its filters. */
export interface ResolvedQuery extends ListQuery {
  /** The ids of the payments with one of the references; `null`: the query has no reference. */
  readonly ids: ReadonlyArray<string> | null
  /** `null`: the query filters by no provider, rail or currency, or too many kinds match. */
  readonly kinds: ReadonlyArray<Kind> | null
}

export interface Walk {
  /**
   * The filter whose index is scanned, once for each of its values; `null`: the index of the tenant, or of payments in
   * review, is scanned.
   */
  readonly driver: Equality | KindFilter | AmountSlices | null
  /** The filters that are tested on each row of the scan. */
  readonly tested: ReadonlyArray<Equality>
  /**
   * The exclusive lower bound `above` and upper bound `below` of the scanned ids. Between them are all payments created
   * in the requested time, except payments whose id does not agree with the creation time.
   */
  readonly above: string | null
  readonly below: string | null
  /** Whether the page continues towards newer payments. */
  readonly towardsNewer: boolean
}

/**
 * The possible scans, first the one that usually passes the fewest index entries. `indexed`: the metadata keys for
 * which the database has an index.
 */
export const walksOf = (
  query: ResolvedQuery,
  indexed: ReadonlySet<string>
): readonly [Walk, ...ReadonlyArray<Walk>] => {
  const all = equalities(query, indexed)
  const by = (driver: Equality | KindFilter | null): Walk => {
    const served = driver !== null && "kinds" in driver ? driver.equalities : [driver]
    return { ...rangeOf(query), driver, tested: all.filter((equality) => !served.includes(equality)) }
  }
  const kinds = query.kinds === null ? [] : [{ kinds: query.kinds, equalities: all.filter(isOfKind) }]
  // Payments in review are few, and have an index of their own.
  const drivers = query.inReview
    ? []
    : [...all.filter((equality) => isIndexed(equality, indexed) && isWalked(equality)), ...kinds]
  const [first = null, ...others] = drivers
  return [by(first), ...others.map(by)]
}

/** Whether the scan reads the metadata of each payment, because a key has no index. */
export const testsMetadata = ({ metadata }: ListQuery, indexed: ReadonlySet<string>): boolean =>
  Object.entries(metadata).some(([key, values]) => values.length > 0 && !indexed.has(key))

/**
 * The maximum number of payments that a list scans if it tests their metadata: on SQLite, some 10 ms on the event loop.
 */
export const mostSearched = 5000

/** The amount range for which the index by amount can be scanned; `null`: the query has no such range. */
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

export const rangeOf = (query: ListQuery): Pick<Walk, "above" | "below" | "towardsNewer"> => ({
  above: query.createdAfter === null ? null : beforeCreatedAt(query.createdAfter),
  below: query.createdBefore === null ? null : afterCreatedBefore(query.createdBefore),
  towardsNewer: query.position?.side === "before"
})

/** The equality filters of a query: first the one that usually matches the fewest payments. */
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

/**
 * A payment without an e-mail address has an empty text in this column. An empty filter becomes a space, which no address equals.
 */
const orNever = (email: string): string => (email === "" ? " " : email)

/**
 * Whether an index of its own can serve the filter. A metadata key has one only if it is in `indexed`. The index by
 * status leaves out succeeded payments. Providers, rails and currencies have one index together.
 */
const isIndexed = (equality: Equality, indexed: ReadonlySet<string>): boolean => {
  if ("key" in equality) return indexed.has(equality.key)
  if ("column" in equality && equality.column === "status") return !equality.values.includes("succeeded")
  return !isOfKind(equality)
}

const isOfKind = (equality: Equality): boolean =>
  "column" in equality && ["provider", "rail", "currency"].includes(equality.column)

const isWalked = ({ values }: Equality): boolean => values.length <= mostBranches

/** The maximum number of values in one filter, as in the API, and of kinds: each needs a scan of its own. */
export const mostBranches = 100
