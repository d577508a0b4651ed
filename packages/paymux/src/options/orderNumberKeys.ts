/** Keys of metadata whose digits are an order number: option `orderNumberKeys`. */
import { findRawCardData } from "@paymux/core/wire"

export const orderNumberKeysOf = (option: ReadonlyArray<string> | undefined): ReadonlyArray<string> =>
  option ?? ["order_id"]

/** Each is a place where a card number is not found. */
const most = 10

/** A configuration file is not type-checked. */
export const orderNumberKeysProblems = (option: unknown): ReadonlyArray<string> => {
  if (option === undefined) return []
  if (!Array.isArray(option)) return ['orderNumberKeys must be a list of keys, such as ["order_id"].']
  const keys: ReadonlyArray<unknown> = option
  const isKey = (key: unknown) => typeof key === "string" && /^[^\u0000-\u001f]{1,40}$/.test(key)
  const named = keys.filter((key) => typeof key === "string" && findRawCardData({ [key]: "" }) !== null)
  return [
    ...(keys.every(isKey)
      ? []
      : ["orderNumberKeys: each key must have 1 to 40 characters, none of them a control character."]),
    ...(named.length === 0
      ? []
      : ["orderNumberKeys: a key has the name of card data, which is refused whatever it holds."]),
    ...(new Set(keys).size === keys.length ? [] : ["orderNumberKeys: duplicate key."]),
    ...(keys.length >= 1 && keys.length <= most ? [] : [`orderNumberKeys must have 1 to ${most} keys.`])
  ]
}
