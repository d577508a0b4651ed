/** Reads the entries, reviews and resolutions of a payment as the values that were written. */
import type { OperationId } from "@paymux/core"
import { entryBases, entryKinds, resolutions, reviewReasons } from "@paymux/core/store"
import type { Entry, Review, ReviewResolution } from "@paymux/core/store"
import { json, numeral, oneOf, text, textOrNull, unreadable } from "./ReadRow.ts"
import type { Row } from "./ReadRow.ts"
import { evidenceSources } from "./words.ts"

export const readEntry = (row: Row): Entry => ({
  attemptSeq: numeral(row, "attempt_seq"),
  // Boundary: this package alone writes the column, from ids of operations.
  operationId: textOrNull(row, "operation_id") as OperationId | null,
  kind: oneOf(row, "kind", entryKinds),
  basis: oneOf(row, "basis", entryBases),
  minorUnits: numeral(row, "minor_units"),
  currency: text(row, "currency"),
  provider: text(row, "provider"),
  reference: textOrNull(row, "reference"),
  source: oneOf(row, "source", evidenceSources),
  recordedAt: numeral(row, "recorded_at")
})

// Boundary: this package alone writes these columns, from values of these types. Only the words are checked, so that no
// unknown one gets into an exhaustive switch.

export const readReviews = (row: Row): ReadonlyArray<Review> =>
  listOf(row, "reviews", "reason", reviewReasons) as ReadonlyArray<Review>

export const readResolutions = (row: Row): ReadonlyArray<ReviewResolution> =>
  listOf(row, "resolutions", "resolution", resolutions) as ReadonlyArray<ReviewResolution>

/** JSON text that holds objects, each with one of `words` under `key`; `null`: an empty list. */
const listOf = (row: Row, column: string, key: string, words: ReadonlyArray<string>): ReadonlyArray<unknown> => {
  if (row[column] === null) return []
  const list = json(row, column)
  return Array.isArray(list) && list.every((item) => isNamed(item, key, words)) ? list : unreadable(row, column)
}

const isNamed = (item: unknown, key: string, words: ReadonlyArray<string>): boolean => {
  if (typeof item !== "object" || item === null) return false
  // Boundary: JSON has no types; one property is read.
  const found = (item as Row)[key]
  return words.some((word) => word === found)
}
