/** The time slices that a list of payments by amount scans, one after the other (see `migrations/search.ts`). */
import type { PaymentId } from "@paymux/core"
import type { ListQuery, Page } from "@paymux/core/store"
import { amountWalkOf } from "./listFilters.ts"
import type { AmountRange, ResolvedQuery, Walk } from "./listFilters.ts"
import { endOfSlice, idAtPlace, slicesBeyond } from "../migrations/slices.ts"
import type { SliceBound } from "../migrations/slices.ts"
import { numeral, textOrNull } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"

/** The limits on the slices that one statement scans. */
export interface MostOfSlices {
  readonly slices: number
  /** The maximum number of payments in the amount range, over all of the slices. */
  readonly payments: number
}

/** The first and the last slice of a scan, from the cursor and the id range of the list; `null`: no bound. */
export const sliceBounds = (
  position: ListQuery["position"],
  { above, below, towardsNewer }: Pick<Walk, "above" | "below" | "towardsNewer">
): { readonly start: SliceBound | null; readonly end: SliceBound | null } => {
  const from = position?.id ?? null
  return towardsNewer
    ? { start: slicesBeyond([from, above], "before"), end: slicesBeyond([below], "after") }
    : { start: slicesBeyond([from, below], "after"), end: slicesBeyond([above], "before") }
}

/** The slices that one statement scans. */
interface Slices {
  readonly slices: ReadonlyArray<string>
  /** Whether these slices are the last ones. */
  readonly isEnd: boolean
}

/**
 * Selects the slices that one statement may scan. Each row has a slice, and the number of payments in the amount range
 * in all slices before it. The row after the last slice of the list has no slice.
 *
 * @internal Exported for its own test.
 */
export const readSlices = (rows: ReadonlyArray<Row>, { payments }: MostOfSlices): Slices => {
  const [, ...following] = rows
  const few = following.filter((row) => numeral(row, "found") < payments).length
  const last = rows.at(-1)
  return {
    slices: rows.slice(0, few).flatMap((row) => textOrNull(row, "slice") ?? []),
    isEnd: few === following.length && last !== undefined && textOrNull(last, "slice") === null
  }
}

export interface Reach {
  readonly walk: Walk
  /** The position at which the scan ends; `null`: it reaches the end of the list. */
  readonly end: PaymentId | null
}

/**
 * The scan through the slices in these rows; `null`: the first slice alone has more payments than one statement may
 * scan.
 */
export const reachOfSlices = (
  query: ResolvedQuery,
  indexed: ReadonlySet<string>,
  range: AmountRange,
  rows: ReadonlyArray<Row>,
  most: MostOfSlices
): Reach | null => {
  const { isEnd, slices } = readSlices(rows, most)
  const last = slices.at(-1)
  if (last === undefined && !isEnd) return null
  // Boundary: the end of a slice is a text in the form of a payment id, which a list position needs.
  const end = isEnd || last === undefined ? null : (endOfSlice(last, query.position?.side ?? "after") as PaymentId)
  return { walk: amountWalkOf(query, indexed, { ...range, slices }), end }
}

/**
 * Makes a page of the records that a scan found. `end`: the position at which the scan stopped before the end of the
 * list.
 */
export const listPage = (records: Page["records"], isFull: boolean, end: PaymentId | null): Page => ({
  records,
  hasMore: isFull || end !== null,
  stoppedAt: isFull || end === null ? null : idAtPlace(end)
})
