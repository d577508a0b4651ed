/** Reads the entries, reviews and resolutions of a payment as the values that were written. */
import { entryBases, entryKinds, resolutions, reviewReasons } from "@paymux/core/store"
import type { Entry, Review, ReviewResolution } from "@paymux/core/store"
import { json, numeral, reading, text, textOrNull, unreadable, wordOf, wordOrNull } from "./ReadRow.ts"
import type { Row } from "./ReadRow.ts"
import { evidenceSources } from "./words.ts"

export const readEntry = reading<Entry>({
  attemptSeq: numeral,
  operationId: wordOrNull,
  kind: wordOf(entryKinds),
  basis: wordOf(entryBases),
  minorUnits: numeral,
  currency: text,
  provider: text,
  reference: textOrNull,
  source: wordOf(evidenceSources),
  recordedAt: numeral
})

// Boundary: this package alone writes these columns, from values of these types. Only the words are checked, so that no
// unknown one gets into an exhaustive switch.

export const readReviews = (row: Row): ReadonlyArray<Review> =>
  listOf(row, "reviews", "reason", reviewReasons) as ReadonlyArray<Review>

export const readResolutions = (row: Row): ReadonlyArray<ReviewResolution> =>
  listOf(row, "resolutions", "resolution", resolutions) as ReadonlyArray<ReviewResolution>

/** Reads JSON text of a list of objects, each with one of `words` under `key`; `NULL`: an empty list. */
const listOf = (row: Row, column: string, key: string, words: ReadonlyArray<string>): ReadonlyArray<unknown> => {
  if (row[column] === null) return []
  const list = json(row, column)
  return Array.isArray(list) && list.every((item) => isNamed(item, key, words)) ? list : unreadable(row, column)
}

const isNamed = (item: unknown, key: string, words: ReadonlyArray<string>): boolean => {
  if (typeof item !== "object" || item === null) return false
  // Boundary: parsed JSON has no type; only this property is read, and its value is checked.
  const found = (item as Row)[key]
  return words.some((word) => word === found)
}
