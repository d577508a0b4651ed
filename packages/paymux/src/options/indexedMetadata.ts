/** Keys of metadata that lists are filtered by quickly: option `indexedMetadata`. */
import { isIndexableKey } from "@paymux/sql"

export const indexedMetadataOf = (option: ReadonlyArray<string> | undefined): ReadonlyArray<string> =>
  option ?? ["order_id"]

/** Each index costs every payment that has the key a write. */
const most = 10

/** A configuration file is not type-checked. */
export const indexedMetadataProblems = (option: unknown): ReadonlyArray<string> => {
  if (option === undefined) return []
  if (!Array.isArray(option)) return ['indexedMetadata must be a list of keys, such as ["order_id"].']
  const keys: ReadonlyArray<unknown> = option
  const isKey = (key: unknown) => typeof key === "string" && isIndexableKey(key)
  return [
    ...(keys.every(isKey) ? [] : ["indexedMetadata: each key must have 1 to 40 letters, digits, _, . or -."]),
    ...(new Set(keys).size === keys.length ? [] : ["indexedMetadata: duplicate key."]),
    ...(keys.length <= most ? [] : [`indexedMetadata must have at most ${most} keys.`])
  ]
}
