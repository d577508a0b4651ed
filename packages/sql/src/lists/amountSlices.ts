/**
 * The slices of time that a list by amount passes (see `migrations/search.ts`).
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
  /** In the range, over all of the slices. */
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

/** Slices that may be passed together. */
export interface Slices {
  readonly slices: ReadonlyArray<string>
  /** No others follow. */
  readonly isEnd: boolean
}

/**
 * Each row is a slice, and how many payments are in the range in the slices before it. After the last slice of all, a row
 * has none.
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
