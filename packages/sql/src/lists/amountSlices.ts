/**
 * The time slices through which a list by amount walks (see `migrations/search.ts`).
 */
import type { PaymentId } from "@paymux/core"
import type { ListQuery, Page } from "@paymux/core/store"
import { amountWalkOf } from "./listFilters.ts"
import type { AmountRange, ResolvedQuery, Walk } from "./listFilters.ts"
import { endOfSlice, idAtPlace, slicesBeyond } from "../migrations/slices.ts"
import type { SliceBound } from "../migrations/slices.ts"
import { numeral, textOrNull } from "../rows/ReadRow.ts"
import type { Row } from "../rows/ReadRow.ts"

/** The limits of one statement. */
export interface MostOfSlices {
  readonly slices: number
  /** The most payments in the amount range, over all of the slices. */
  readonly payments: number
}

/** Where the slices of a walk start, and where they end. */
export const sliceBounds = (
  position: ListQuery["position"],
  { above, below, towardsNewer }: Pick<Walk, "above" | "below" | "towardsNewer">
): { readonly start: SliceBound | null; readonly end: SliceBound | null } => {
  const from = position?.id ?? null
  return towardsNewer
    ? { start: slicesBeyond([from, above], "before"), end: slicesBeyond([below], "after") }
    : { start: slicesBeyond([from, below], "after"), end: slicesBeyond([above], "before") }
}

/** Slices that one statement may pass. */
interface Slices {
  readonly slices: ReadonlyArray<string>
  /** Whether no other slices follow. */
  readonly isEnd: boolean
}

/**
 * Each row holds a slice and the number of payments in the amount range in the slices before it. The row after the last slice of
 * all has no slice.
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
  /** The place where the walk ends; `null`: at the end of the list. */
  readonly end: PaymentId | null
}

/** The walk through the slices in these rows; `null`: the first slice alone has more payments than one statement may pass. */
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
  // Boundary: a place in the list, as the id of a payment is.
  const end = isEnd || last === undefined ? null : (endOfSlice(last, query.position?.side ?? "after") as PaymentId)
  return { walk: amountWalkOf(query, indexed, { ...range, slices }), end }
}

/** The page of these records. `end`: where the walk stopped before the end of the list. */
export const listPage = (records: Page["records"], isFull: boolean, end: PaymentId | null): Page => ({
  records,
  hasMore: isFull || end !== null,
  stoppedAt: isFull || end === null ? null : idAtPlace(end)
})
