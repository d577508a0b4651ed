/** Which index a list of payments walks: the same choice on every database. */
import type { ListQuery } from "@paymux/core"

export interface Equality {
  readonly column: string
  readonly values: ReadonlyArray<string>
}

/** Each value walks on its own; past this many, walking the whole tenant is no worse. */
export const mostBranches = 20

/** The filters that were given, the one that usually leaves least first. Each column has an index of its own. */
export const equalities = (query: ListQuery): ReadonlyArray<Equality> =>
  [
    { column: "customer_email", values: query.customerEmail },
    { column: "status", values: query.status },
    { column: "provider", values: query.provider },
    { column: "currency", values: query.currency },
    { column: "rail", values: query.rail }
  ]
    .filter(({ values }) => values.length > 0)
    .map(({ column, values }) => ({ column, values: [...new Set<string>(values)] }))
