/**
 * The time slices through which a list by amount walks (see `migrations/search.ts`).
 */
import type { ListQuery } from "@paymux/core/store"
import type { Walk } from "./listFilters.ts"
import { slicesBeyond } from "../migrations/slices.ts"
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
export interface Slices {
  readonly slices: ReadonlyArray<string>
  /** Whether no other slices follow. */
  readonly isEnd: boolean
}

/**
 * Each row holds a slice and the number of payments in the amount range in the slices before it. The row after the last slice of
 * all has no slice.
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
