/**
 * Slices of payments by the time in their ids. The first five letters of time are a slice of 2^25 ms, about nine hours, so
 * slices are in the order of ids. The ends of a slice are no ids: they sort before and after all ids in it.
 */
import type { PaymentId } from "@paymux/core"

const prefix = "pay_"
const letters = 5

/** The slice of a payment by its id, as the same text in the index and in the queries. */
export const sliceOfId = `substr(id, ${prefix.length + 1}, ${letters})`

export type Side = "after" | "before"

/** The position from which a scan continues after the slice. */
export const endOfSlice = (slice: string, side: Side): string => `${prefix}${slice}${side === "after" ? "" : "~"}`

/**
 * Converts a list position to the form of an id, because a cursor contains only ids. The result sorts between the same
 * two payments as the position.
 */
export const idAtPlace = (place: PaymentId): PaymentId => {
  const isBehind = place.endsWith("~")
  // Boundary: the text has the shape of an id, and no payment has that id.
  return place.slice(0, isBehind ? -1 : undefined).padEnd(prefix.length + 26, isBehind ? "z" : "0") as PaymentId
}

/**
 * The condition for slices that may hold payments beyond an id, or beyond the end of a slice, in the given direction.
 */
export interface SliceBound {
  readonly operator: "<" | "<=" | ">" | ">="
  readonly slice: string
}

/**
 * The bound that leaves the fewest slices. Only one bound is returned: from two bounds, SQLite would use one for the
 * index scan, and read every entry up to the other.
 */
export const slicesBeyond = (ids: ReadonlyArray<string | null>, side: Side): SliceBound | null => {
  const given = ids.filter((id) => id !== null).toSorted()
  const id = side === "after" ? given[0] : given.at(-1)
  if (id === undefined) return null
  const slice = id.slice(prefix.length, prefix.length + letters)
  if (id === endOfSlice(slice, side)) return { operator: side === "after" ? "<" : ">", slice }
  return { operator: side === "after" ? "<=" : ">=", slice }
}
